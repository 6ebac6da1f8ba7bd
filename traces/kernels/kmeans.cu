/* SPDX-License-Identifier: MIT */
/*
 * The centroid update of k-means: each point adds one to its cluster's count and its coordinates
 * to the cluster's sums, in shared memory. Each block keeps `copies` sets of them.
 *
 *   kmeans [MODE [POINTS [CLUSTERS [DIMENSIONS [COPIES [BLOCKS [THREADS]]]]]]]
 *
 * MODE says how: `float` atomic float adds; `int` atomic integer adds of fixed-point numbers;
 * `lock` a spin lock for each cluster guards count and sums; `lock-dimension` a spin lock for
 * each sum, and an atomic count. A copy is CLUSTERS counts, then CLUSTERS sums for each
 * dimension, then the locks. Thread t adds to copy t mod COPIES. Coordinates are whole numbers,
 * so that the sums are exact in any order. Prints counts and sums, checks them on the CPU, and
 * prints PASS or FAIL.
 */
#include "kernel.h"

#define MAX_CLUSTERS   256
#define MAX_DIMENSIONS 8

enum { MODE_FLOAT, MODE_INT, MODE_LOCK, MODE_LOCK_DIMENSION };

typedef struct {
	const uint8_t *clusters;  /* of each point */
	const float *coordinates; /* all of dimension 0, then 1, ... */
	int n_points, n_clusters, n_dimensions;
	int copies, stride; /* words of a copy */
	float *result;	    /* counts, then sums by dimension */
} Points;

static __device__ int *begin_copies(const Points *points)
{
	extern __shared__ int words[];

	for (int i = threadIdx.x; i < points->copies * points->stride; i += blockDim.x)
		words[i] = 0;
	__syncthreads();
	return words + threadIdx.x % points->copies * points->stride;
}

/* Adds the block's copies to the result; the sums are floats or integers. */
static __device__ void end_copies(const Points *points, bool is_float)
{
	extern __shared__ int words[];
	int n = points->n_clusters * (1 + points->n_dimensions);

	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		float sum = 0;

		for (int copy = 0; copy < points->copies; copy++) {
			int word = words[copy * points->stride + i];

			sum += is_float && i >= points->n_clusters ? __int_as_float(word)
								   : (float)word;
		}
		atomicAdd(&points->result[i], sum);
	}
}

#define FOR_EACH_POINT(i)                                                                      \
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < points.n_points;               \
	     i += gridDim.x * blockDim.x)

__global__ void kmeans_float(Points points)
{
	MEASURE_BEGIN();
	int *own = begin_copies(&points);

	FOR_EACH_POINT(i)
	{
		int k = points.clusters[i];

		atomicAdd(&own[k], 1);
		for (int d = 0; d < points.n_dimensions; d++)
			atomicAdd((float *)&own[(1 + d) * points.n_clusters + k],
				  points.coordinates[d * points.n_points + i]);
	}
	end_copies(&points, true);
	MEASURE_END();
}

__global__ void kmeans_int(Points points)
{
	MEASURE_BEGIN();
	int *own = begin_copies(&points);

	FOR_EACH_POINT(i)
	{
		int k = points.clusters[i];

		atomicAdd(&own[k], 1);
		for (int d = 0; d < points.n_dimensions; d++)
			atomicAdd(&own[(1 + d) * points.n_clusters + k],
				  (int)points.coordinates[d * points.n_points + i]);
	}
	end_copies(&points, false);
	MEASURE_END();
}

/*
 * Keeps the compiler from knowing a value. Else nvcc moves the critical section of kmeans_lock
 * behind the loop that waits for the lock, where the lanes that have theirs wait for those that
 * have not. Threads of an H200 get out of that; those that the sanitizer watches hang.
 */
static __device__ bool opaque(bool value)
{
	int number = value;

	asm volatile("" : "+r"(number));
	return number;
}

/* Lanes of one warp may want the same lock: the winner goes through the critical section and
   gives the lock back within the loop, else the others would wait for it for ever. */
__global__ void kmeans_lock(Points points)
{
	MEASURE_BEGIN();
	int *own = begin_copies(&points);
	int *locks = own + points.n_clusters * (1 + points.n_dimensions);

	FOR_EACH_POINT(i)
	{
		int k = points.clusters[i];

		for (bool done = false; !done;) {
			if (atomicCAS(&locks[k], 0, 1) == 0) {
				volatile int *counts = own;
				volatile float *sums = (float *)own;

				counts[k]++;
				for (int d = 0; d < points.n_dimensions; d++)
					sums[(1 + d) * points.n_clusters + k] +=
						points.coordinates[d * points.n_points + i];
				__threadfence_block();
				atomicExch(&locks[k], 0);
				done = opaque(true);
			}
		}
	}
	end_copies(&points, true);
	MEASURE_END();
}

__global__ void kmeans_lock_dimension(Points points)
{
	MEASURE_BEGIN();
	int *own = begin_copies(&points);
	int *locks = own + points.n_clusters * (1 + points.n_dimensions);

	FOR_EACH_POINT(i)
	{
		int k = points.clusters[i];

		atomicAdd(&own[k], 1);
		for (int d = 0; d < points.n_dimensions; d++) {
			volatile float *sum = (float *)&own[(1 + d) * points.n_clusters + k];
			int *lock = &locks[d * points.n_clusters + k];
			float x = points.coordinates[d * points.n_points + i];

			for (bool done = false; !done;) {
				if (atomicCAS(lock, 0, 1) == 0) {
					*sum += x;
					__threadfence_block();
					atomicExch(lock, 0);
					done = opaque(true);
				}
			}
		}
	}
	end_copies(&points, true);
	MEASURE_END();
}

/* Points around random centres, nearer ones more often; clusters of unequal size. */
static void make_points(Points *points, uint8_t *clusters, float *coordinates)
{
	uint32_t random = 20111;
	int centres[MAX_CLUSTERS * MAX_DIMENSIONS];

	for (int i = 0; i < points->n_clusters * points->n_dimensions; i++)
		centres[i] = 64 + next_random(&random) % 128;
	for (int i = 0; i < points->n_points; i++) {
		uint32_t a = next_random(&random) % points->n_clusters;
		uint32_t b = next_random(&random) % points->n_clusters;

		clusters[i] = a < b ? a : b;
		for (int d = 0; d < points->n_dimensions; d++) {
			int centre = centres[clusters[i] * points->n_dimensions + d];
			int off = (int)(next_random(&random) % 33 + next_random(&random) % 33);

			coordinates[d * points->n_points + i] = centre + off - 32;
		}
	}
}

static void launch(int mode, int blocks, int threads, int shared_bytes, Points points)
{
	if (mode == MODE_FLOAT)
		kmeans_float<<<blocks, threads, shared_bytes>>>(points);
	else if (mode == MODE_INT)
		kmeans_int<<<blocks, threads, shared_bytes>>>(points);
	else if (mode == MODE_LOCK)
		kmeans_lock<<<blocks, threads, shared_bytes>>>(points);
	else
		kmeans_lock_dimension<<<blocks, threads, shared_bytes>>>(points);
	CHECK(cudaGetLastError());
}

/* Checks counts and sums, and prints them and the votes that made them. */
static int report(const Points *points, int mode, const uint8_t *clusters,
		  const float *coordinates, const float *result)
{
	static float expected[MAX_CLUSTERS * (1 + MAX_DIMENSIONS)];
	static unsigned int votes[MAX_CLUSTERS * (1 + MAX_DIMENSIONS)];
	int n_clusters = points->n_clusters, n = n_clusters * (1 + points->n_dimensions);
	int good = 1;

	for (int i = 0; i < points->n_points; i++) {
		expected[clusters[i]]++;
		for (int d = 0; d < points->n_dimensions; d++)
			expected[(1 + d) * n_clusters + clusters[i]] +=
				coordinates[d * points->n_points + i];
	}
	for (int i = 0; i < n; i++) {
		good = good && result[i] == expected[i];
		votes[i] = (unsigned int)expected[i % n_clusters];
	}
	for (int k = 0; k < n_clusters; k++) {
		printf("%d %.0f", k, result[k]);
		for (int d = 0; d < points->n_dimensions; d++)
			printf(" %.0f", result[(1 + d) * n_clusters + k]);
		putchar('\n');
	}
	if (mode != MODE_LOCK)
		print_votes("add", -1, 0, mode == MODE_LOCK_DIMENSION ? n_clusters : n,
			    points->stride, points->copies, votes);
	if (mode == MODE_LOCK || mode == MODE_LOCK_DIMENSION)
		print_votes("lock", -1, n, mode == MODE_LOCK ? n_clusters : n - n_clusters,
			    points->stride, points->copies, votes);
	return good;
}

int main(int argc, char **argv)
{
	int mode = word_argument(argc, argv, 1, "float int lock lock-dimension");
	Points points = {
		.n_points = number_argument(argc, argv, 2, "POINTS", 16384, 1, 1 << 18),
		.n_clusters = number_argument(argc, argv, 3, "CLUSTERS", 32, 1, MAX_CLUSTERS),
		.n_dimensions =
			number_argument(argc, argv, 4, "DIMENSIONS", 2, 1, MAX_DIMENSIONS),
		.copies = number_argument(argc, argv, 5, "COPIES", 1, 1, 1024),
	};
	int blocks = number_argument(argc, argv, 6, "BLOCKS", 8, 1, 256);
	int threads = number_argument(argc, argv, 7, "THREADS", 256, 1, 1024);
	int n = points.n_clusters * (1 + points.n_dimensions);
	uint8_t *clusters = (uint8_t *)malloc(points.n_points);
	float *coordinates =
		(float *)malloc(sizeof(float) * points.n_points * points.n_dimensions);
	float *result = (float *)malloc(sizeof(float) * n);
	int shared_bytes;

	points.stride = n + (mode == MODE_LOCK		   ? points.n_clusters
			     : mode == MODE_LOCK_DIMENSION ? n - points.n_clusters
							   : 0);
	shared_bytes = points.copies * points.stride * (int)sizeof(int);
	if (shared_bytes > 48 * 1024) {
		fprintf(stderr, "%s: more than 48 KiB of shared memory\n", argv[0]);
		return 2;
	}
	make_points(&points, clusters, coordinates);
	points.clusters = (uint8_t *)to_gpu(clusters, points.n_points);
	points.coordinates = (float *)to_gpu(coordinates, sizeof(float) * points.n_points *
								  points.n_dimensions);
	CHECK(cudaMalloc(&points.result, sizeof(float) * n));
	for (int run = 0; run < MEASURE_RUNS; run++) {
		CHECK(cudaMemset(points.result, 0, sizeof(float) * n));
		launch(mode, blocks, threads, shared_bytes, points);
		measure_collect(run, blocks, threads, shared_bytes);
	}
	CHECK(cudaMemcpy(result, points.result, sizeof(float) * n, cudaMemcpyDeviceToHost));
	printf("mode %s points %d clusters %d dimensions %d copies %d blocks %d threads %d\n",
	       argc > 1 ? argv[1] : "float", points.n_points, points.n_clusters,
	       points.n_dimensions, points.copies, blocks, threads);
	return conclude(report(&points, mode, clusters, coordinates, result));
}
