/* SPDX-License-Identifier: MIT */
/*
 * A layer of a graph network: each node gathers its neighbors' features, weighted by the edges, and few nodes have most edges.
 *
 *   graph [VARIANT [NODES [EDGES]]]
 *
 * Edges are in order of their target; a node of rank r has a share of them that falls with r^0.8 (a power law), and one at least.
 * Sources are drawn at random. A thread has an edge and adds its FEATURES products to the target's, so that lanes of a warp
 * add to the same words where a node has many edges. VARIANT says how:
 *   naive      an atomic add a lane and feature, in global memory
 *   segmented  lanes of one target are next to each other: their products are summed up by shuffles over ever larger distances, and the
 *              first lane of each target adds
 *   staged     lanes add in shared memory, and the block gives the sums of the targets that it has to global memory
 *   rows       a warp has a node, FEATURES lanes an edge of it; no atomics
 * Sums are checked on the CPU, in double precision.
 */
#include "launch.h"

#define THREADS	 256
#define FEATURES 8
#define ALL	 0xffffffffu

typedef struct {
	const int *source, *target; /* of each edge; targets ascend */
	const float *weight;	    /* of each edge */
	const int *begin;	    /* of each node its first edge, and the end of the last */
	const float *features;	    /* FEATURES of each node */
	float *sums;		    /* the same */
	int n_nodes;
} Graph;

enum Variant { NAIVE, SEGMENTED, STAGED, ROWS };

/* What an edge adds to its target. */
static __device__ void weigh(const Graph *graph, int edge, float *product)
{
	const float4 *from =
		(const float4 *)(graph->features + (size_t)graph->source[edge] * FEATURES);
	const float weight = graph->weight[edge];

#pragma unroll
	for (int k = 0; k < FEATURES / 4; k++) {
		const float4 four = from[k];

		product[4 * k] = weight * four.x;
		product[4 * k + 1] = weight * four.y;
		product[4 * k + 2] = weight * four.z;
		product[4 * k + 3] = weight * four.w;
	}
}

static __device__ void add_all(float *words, const float *product)
{
#pragma unroll
	for (int k = 0; k < FEATURES; k++)
		atomicAdd(words + k, product[k]);
}

/* The first lane of each target gets the sum over its lanes; whether this lane is one. */
static __device__ bool add_up_targets(int target, float *product)
{
	const int lane = threadIdx.x % 32, before = __shfl_up_sync(ALL, target, 1);

#pragma unroll
	for (int o = 1; o < 32; o *= 2) {
		const int other = __shfl_down_sync(ALL, target, o);
		const bool same = lane + o < 32 && other == target;

#pragma unroll
		for (int k = 0; k < FEATURES; k++) {
			const float more = __shfl_down_sync(ALL, product[k], o);

			if (same)
				product[k] += more;
		}
	}
	return lane == 0 || before != target;
}

template <Variant variant> __global__ void __launch_bounds__(THREADS) gather(Graph graph)
{
	__shared__ float sums[variant == STAGED ? THREADS * FEATURES : 1];
	const int first_edge = blockIdx.x * THREADS, edge = first_edge + threadIdx.x;

	LAUNCH_BEGIN();
	const int target = graph.target[edge];
	float product[FEATURES];

	if (variant == STAGED) {
		const int first = graph.target[first_edge];
		const int n_words =
			(graph.target[first_edge + THREADS - 1] - first + 1) * FEATURES;

		for (int i = threadIdx.x; i < n_words; i += THREADS)
			sums[i] = 0;
		__syncthreads();
		weigh(&graph, edge, product);
		add_all(sums + (target - first) * FEATURES, product);
		__syncthreads();
		for (int i = threadIdx.x; i < n_words; i += THREADS)
			atomicAdd(graph.sums + (size_t)first * FEATURES + i, sums[i]);
	} else {
		weigh(&graph, edge, product);
		if (variant == NAIVE || add_up_targets(target, product))
			add_all(graph.sums + (size_t)target * FEATURES, product);
	}
	LAUNCH_END();
}

static __global__ void __launch_bounds__(THREADS) gather_rows(Graph graph)
{
	const int node = (blockIdx.x * THREADS + threadIdx.x) / 32;
	const int lane = threadIdx.x % 32, feature = lane % FEATURES;
	float sum = 0;

	LAUNCH_BEGIN();
	if (node < graph.n_nodes) {
		const int end = graph.begin[node + 1];

		for (int edge = graph.begin[node] + lane / FEATURES; edge < end;
		     edge += 32 / FEATURES)
			sum += graph.weight[edge] *
			       graph.features[(size_t)graph.source[edge] * FEATURES + feature];
		__syncwarp();
#pragma unroll
		for (int o = FEATURES; o < 32; o *= 2)
			sum += __shfl_xor_sync(ALL, sum, o);
		if (lane < FEATURES)
			graph.sums[(size_t)node * FEATURES + feature] = sum;
	}
	LAUNCH_END();
}

static float random_between(uint32_t *state, float low, float high)
{
	return low + (high - low) * (float)(next_random(state) % 65536) / 65536;
}

/* Where each node's edges begin: nodes get ranks by a shuffle, and shares of the edges by rank. */
static int *share_edges(int n_nodes, int n_edges, uint32_t *random)
{
	int *begin = (int *)malloc((n_nodes + 1) * sizeof(*begin)), used = 0;
	int *rank = (int *)malloc(n_nodes * sizeof(*rank));
	double shares = 0;

	for (int i = 0; i < n_nodes; i++) {
		const int k = next_random(random) % (i + 1);

		rank[i] = rank[k];
		rank[k] = i;
		shares += pow(i + 1, -0.8);
	}
	begin[0] = 0;
	for (int i = 0; i < n_nodes; i++) {
		used += 1 + (int)((n_edges - n_nodes) * pow(rank[i] + 1, -0.8) / shares);
		begin[i + 1] = used;
	}
	/* What rounding leaves goes to the last nodes, one each. */
	for (int i = 0; i < n_nodes; i++)
		begin[i + 1] += n_edges - used > n_nodes - 1 - i
					? n_edges - used - (n_nodes - 1 - i)
					: 0;
	free(rank);
	return begin;
}

/* The sums in double precision, and those of the products' sizes, by which errors are judged. */
static bool check(const float *found, const int *begin, const int *source, const float *weight,
		  const float *features, int n_nodes)
{
	for (int i = 0; i < n_nodes * FEATURES; i++) {
		const int node = i / FEATURES;
		double sum = 0, size = 0;

		for (int e = begin[node]; e < begin[node + 1]; e++) {
			const double product = (double)weight[e] *
					       features[source[e] * FEATURES + i % FEATURES];

			sum += product;
			size += fabs(product);
		}
		if (!(fabs(found[i] - sum) <= 1e-4 * size)) {
			fprintf(stderr, "feature %d of node %d: %g, not %g\n", i % FEATURES,
				node, found[i], sum);
			return false;
		}
	}
	return true;
}

static void launch(int variant, const Graph &graph, int n_edges)
{
	const int blocks = n_edges / THREADS;

	if (variant == NAIVE)
		gather<NAIVE><<<blocks, THREADS>>>(graph);
	else if (variant == SEGMENTED)
		gather<SEGMENTED><<<blocks, THREADS>>>(graph);
	else if (variant == STAGED)
		gather<STAGED><<<blocks, THREADS>>>(graph);
	else
		gather_rows<<<(graph.n_nodes * 32 + THREADS - 1) / THREADS, THREADS>>>(graph);
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"graph_naive", "graph_segmented", "graph_staged",
					    "graph_rows"};
	const int variant = word_argument(argc, argv, 1, "naive segmented staged rows");
	const int n_nodes = number_argument(argc, argv, 2, "NODES", 4096, 1, 1 << 20);
	const int n_edges =
		number_argument(argc, argv, 3, "EDGES", 65536, 2 * n_nodes, 1 << 26) / THREADS *
		THREADS;
	const size_t bytes = (size_t)n_nodes * FEATURES * sizeof(float);
	uint32_t random = 2463534242u;
	int *begin = share_edges(n_nodes, n_edges, &random);
	int *source = (int *)malloc(n_edges * sizeof(*source));
	int *target = (int *)malloc(n_edges * sizeof(*target));
	float *weight = (float *)malloc(n_edges * sizeof(*weight));
	float *features = (float *)malloc(bytes), *found = (float *)malloc(bytes);

	for (int node = 0, e = 0; node < n_nodes; node++)
		for (; e < begin[node + 1]; e++) {
			target[e] = node;
			source[e] = next_random(&random) % n_nodes;
			weight[e] = random_between(&random, 0, 1);
		}
	for (int i = 0; i < n_nodes * FEATURES; i++)
		features[i] = random_between(&random, -1, 1);

	Graph graph = {(int *)to_gpu(source, n_edges * sizeof(*source)),
		       (int *)to_gpu(target, n_edges * sizeof(*target)),
		       (float *)to_gpu(weight, n_edges * sizeof(*weight)),
		       (int *)to_gpu(begin, (n_nodes + 1) * sizeof(*begin)),
		       (float *)to_gpu(features, bytes),
		       NULL,
		       n_nodes};

	CHECK(cudaMalloc(&graph.sums, bytes));
	launch_measure(
		names[variant], [&] { CHECK(cudaMemset(graph.sums, 0, bytes)); },
		[&] { launch(variant, graph, n_edges); });
	CHECK(cudaMemcpy(found, graph.sums, bytes, cudaMemcpyDeviceToHost));
	printf("%d nodes, %d edges\n", n_nodes, begin[n_nodes]);
	return launch_conclude(check(found, begin, source, weight, features, n_nodes));
}
