/* SPDX-License-Identifier: MIT */
/*
 * The update step of k-means under spin locks in its published forms: every point adds its coordinates to the
 * sums of its cluster and 1 to its count ("Don't Forget About Synchronization! A Case Study of K-Means on
 * GPU", PMAM 2019).
 *
 *   update [FORM [POINTS [DIMENSIONS [CLUSTERS [WRITE-BACK [CHANGED [APART]]]]]]]
 *
 * FORM: gm-cl, gm-dl a lock a cluster, or for each coordinate of one, in global memory; sm-cl, sm-dl
 * the same on a copy in shared memory, which is added to global memory under global locks by `all`
 * threads or by `one` of the block; gm-ct, gm-dt, sm-ct, sm-dt a thread a cluster or coordinate, no locks;
 * gm-atomic, sm-atomic float atomics; kmcuda the rival's kernel, rewritten, for which CHANGED points
 * in a hundred were in another cluster before. APART bytes lie unused between sums and locks. Blocks have 1,024 threads. Coordinates are small whole
 * numbers, so the sums are exact; they are checked on the CPU.
 */
#include "launch.h"

#define THREADS	      1024
#define RIVAL_THREADS 256
#define SHARED_BYTES  49152
#define RIVAL_BATCH   (SHARED_BYTES / 8)

enum { GM_CL, GM_DL, SM_CL, SM_DL, GM_CT, GM_DT, SM_CT, SM_DT, GM_ATOMIC, SM_ATOMIC, KMCUDA };
#define FORMS "gm-cl gm-dl sm-cl sm-dl gm-ct gm-dt sm-ct sm-dt gm-atomic sm-atomic kmcuda"

typedef struct {
	const int *cluster, *before;
	const float *points; /* point by point; the rival's: coordinate by coordinate */
	int n, d, k;
	float *sums, *counts;
	int *locks;
	bool one_writes_back;
} Work;

/* Keeps nvcc from moving the section behind the loop, where the winners would wait for the rest. */
static __device__ bool opaque(bool value)
{
	int number = value;

	asm volatile("" : "+r"(number));
	return number;
}

template <typename Section> static __device__ void locked(int *lock, Section section)
{
	for (bool done = false; !done;)
		if (atomicCAS(lock, 0, 1) == 0) {
			__threadfence();
			section();
			__threadfence();
			atomicExch(lock, 0);
			done = opaque(true);
		}
}

/* Sums and counts anywhere, a lock a cluster or a coordinate. */
static __device__ void add_cluster(const Work &w, int p, int c, volatile float *sums,
				   volatile float *counts, int *lock)
{
	locked(lock, [&] {
		for (int j = 0; j < w.d; j++)
			sums[c * w.d + j] += w.points[p * w.d + j];
		counts[c] += 1;
	});
}

static __device__ void add_coordinate(const Work &w, int p, int j, int c, volatile float *sums,
				      volatile float *counts, int *lock)
{
	locked(lock, [&] {
		sums[c * w.d + j] += w.points[p * w.d + j];
		if (j == 0)
			counts[c] += 1;
	});
}

__global__ void update_gm_cl(Work w)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;

	LAUNCH_BEGIN();
	if (p < w.n)
		add_cluster(w, p, w.cluster[p], w.sums, w.counts, &w.locks[w.cluster[p]]);
	__syncwarp();
	LAUNCH_END();
}

__global__ void update_gm_dl(Work w)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, p = t / w.d, j = t % w.d;

	LAUNCH_BEGIN();
	if (p < w.n)
		add_coordinate(w, p, j, w.cluster[p], w.sums, w.counts,
			       &w.locks[w.cluster[p] * w.d + j]);
	__syncwarp();
	LAUNCH_END();
}

/* Clusters first .. first + n - 1 of the block's copy go to global memory. */
static __device__ void write_back(const Work &w, int first, int n, const float *sums,
				  const float *counts, bool by_coordinate)
{
	int each = by_coordinate ? w.d : 1, step = w.one_writes_back ? 1 : blockDim.x;

	for (int i = w.one_writes_back ? 0 : threadIdx.x; i < n * each; i += step) {
		int c = i / each, j = i % each;

		if (w.one_writes_back && threadIdx.x > 0)
			continue;
		locked(&w.locks[(first + c) * each + j], [&] {
			volatile float *to = w.sums + (first + c) * w.d;

			for (int e = by_coordinate ? j : 0; e < (by_coordinate ? j + 1 : w.d);
			     e++)
				to[e] += sums[c * w.d + e];
			if (j == 0)
				((volatile float *)w.counts)[first + c] += counts[c];
		});
	}
}

template <bool BY_COORDINATE> __global__ void update_sm(Work w, int chunk)
{
	extern __shared__ float copy[];
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	int p = BY_COORDINATE ? t / w.d : t, j = BY_COORDINATE ? t % w.d : 0;

	LAUNCH_BEGIN();
	for (int first = 0; first < w.k; first += chunk) {
		int n = w.k - first < chunk ? w.k - first : chunk;
		float *counts = copy + n * w.d;
		int *locks = (int *)(counts + n);
		int words = n * (w.d + 1 + (BY_COORDINATE ? w.d : 1));

		for (int i = threadIdx.x; i < words; i += blockDim.x)
			copy[i] = 0;
		__syncthreads();
		if (p < w.n) {
			int c = w.cluster[p] - first;

			if (c >= 0 && c < n) {
				if (BY_COORDINATE)
					add_coordinate(w, p, j, c, copy, counts,
						       &locks[c * w.d + j]);
				else
					add_cluster(w, p, c, copy, counts, &locks[c]);
			}
		}
		__syncthreads();
		write_back(w, first, n, copy, counts, BY_COORDINATE);
		__syncthreads();
	}
	LAUNCH_END();
}

/* A thread a cluster (or a coordinate of one) looks at every point. */
template <bool BY_COORDINATE, bool SHARED> __global__ void update_ct(Work w)
{
	extern __shared__ float copy[];
	int t = blockIdx.x * blockDim.x + threadIdx.x, each = BY_COORDINATE ? 1 : w.d;
	int c = BY_COORDINATE ? t / w.d : t, from = BY_COORDINATE ? t % w.d : 0;
	float count = 0;

	LAUNCH_BEGIN();
	if (c < w.k) {
		volatile float *own =
			SHARED ? copy + threadIdx.x * each : w.sums + c * w.d + from;

		for (int e = 0; e < each; e++)
			own[e] = 0;
		for (int p = 0; p < w.n; p++)
			if (w.cluster[p] == c) {
				for (int e = 0; e < each; e++)
					own[e] += w.points[p * w.d + from + e];
				count += 1;
			}
		for (int e = 0; SHARED && e < each; e++)
			w.sums[c * w.d + from + e] = own[e];
		if (from == 0)
			w.counts[c] = count;
	}
	__syncwarp();
	LAUNCH_END();
}

template <bool SHARED> __global__ void update_atomic(Work w)
{
	extern __shared__ float copy[];
	int p = blockIdx.x * blockDim.x + threadIdx.x, words = w.k * (w.d + 1);
	float *sums = SHARED ? copy : w.sums, *counts = SHARED ? copy + w.k * w.d : w.counts;

	LAUNCH_BEGIN();
	for (int i = threadIdx.x; SHARED && i < words; i += blockDim.x)
		copy[i] = 0;
	if (SHARED)
		__syncthreads();
	if (p < w.n) {
		int c = w.cluster[p];

		for (int j = 0; j < w.d; j++)
			atomicAdd(&sums[c * w.d + j], w.points[p * w.d + j]);
		atomicAdd(&counts[c], 1.0f);
	}
	if (SHARED)
		__syncthreads();
	for (int i = threadIdx.x; SHARED && i < words; i += blockDim.x)
		atomicAdd(i < w.k * w.d ? &w.sums[i] : &w.counts[i - w.k * w.d], copy[i]);
	__syncwarp();
	LAUNCH_END();
}

/* The rival: a thread a cluster; thread 0 of a block copies the pairs that all look at. The centroids
   are sums here as there: scaled by the counts first, divided last. */
__global__ void update_kmcuda(Work w)
{
	__shared__ int2 pairs[RIVAL_BATCH];
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	float count = 0;

	LAUNCH_BEGIN();
	if (c < w.k) {
		count = w.counts[c];
		for (int j = 0; j < w.d; j++)
			w.sums[c * w.d + j] *= count;
	}
	for (int first = 0; first < w.n; first += RIVAL_BATCH) {
		int n = w.n - first < RIVAL_BATCH ? w.n - first : RIVAL_BATCH;

		__syncthreads();
		if (threadIdx.x == 0)
			for (int i = 0; i < n; i++)
				pairs[i] = make_int2(w.cluster[first + i], w.before[first + i]);
		__syncthreads();
		for (int i = 0; i < n && c < w.k; i++) {
			int2 pair = pairs[i];
			float sign = pair.x == pair.y ? 0
				     : pair.x == c    ? 1
				     : pair.y == c    ? -1
						      : 0;

			if (sign == 0)
				continue;
			count += sign;
			for (int j = 0; j < w.d; j++)
				w.sums[c * w.d + j] += sign * w.points[j * w.n + first + i];
		}
	}
	if (c < w.k) {
		for (int j = 0; j < w.d && count > 0; j++)
			w.sums[c * w.d + j] /= count;
		w.counts[c] = count;
	}
	__syncwarp();
	LAUNCH_END();
}

static void launch(int form, const Work &w)
{
	int points = (w.n + THREADS - 1) / THREADS;
	int coordinates = (w.n * w.d + THREADS - 1) / THREADS;
	int clusters = (w.k + THREADS - 1) / THREADS;
	int cluster_coordinates = (w.k * w.d + THREADS - 1) / THREADS;
	int words = w.d + 1 + (form == SM_DL ? w.d : 1), chunk = SHARED_BYTES / (words * 4);

	chunk = chunk < w.k ? chunk : w.k;
	switch (form) {
	case GM_CL:
		update_gm_cl<<<points, THREADS>>>(w);
		break;
	case GM_DL:
		update_gm_dl<<<coordinates, THREADS>>>(w);
		break;
	case SM_CL:
		update_sm<false><<<points, THREADS, chunk * words * 4>>>(w, chunk);
		break;
	case SM_DL:
		update_sm<true><<<coordinates, THREADS, chunk * words * 4>>>(w, chunk);
		break;
	case GM_CT:
		update_ct<false, false><<<clusters, THREADS>>>(w);
		break;
	case GM_DT:
		update_ct<true, false><<<cluster_coordinates, THREADS>>>(w);
		break;
	case SM_CT:
		update_ct<false, true><<<clusters, THREADS, THREADS * w.d * 4>>>(w);
		break;
	case SM_DT:
		update_ct<true, true><<<cluster_coordinates, THREADS, THREADS * 4>>>(w);
		break;
	case GM_ATOMIC:
		update_atomic<false><<<points, THREADS>>>(w);
		break;
	case SM_ATOMIC:
		update_atomic<true><<<points, THREADS, w.k *(w.d + 1) * 4>>>(w);
		break;
	default:
		update_kmcuda<<<(w.k + RIVAL_THREADS - 1) / RIVAL_THREADS, RIVAL_THREADS>>>(w);
	}
}

/* Sums and counts of the points by the clusters given. */
static void add_up(const float *points, const int *cluster, int n, int d, float *sums,
		   float *counts)
{
	for (int p = 0; p < n; p++) {
		for (int j = 0; j < d; j++)
			sums[cluster[p] * d + j] += points[p * d + j];
		counts[cluster[p]] += 1;
	}
}

int main(int argc, char **argv)
{
	int form = word_argument(argc, argv, 1, FORMS);
	int n = number_argument(argc, argv, 2, "POINTS", 2048, 1, 1 << 22);
	int d = number_argument(argc, argv, 3, "DIMENSIONS", 8, 1, 128);
	int k = number_argument(argc, argv, 4, "CLUSTERS", 32, 1, 65536);
	int one = word_argument(argc, argv, 5, "all one");
	int changed = number_argument(argc, argv, 6, "CHANGED", 0, 0, 100);
	int apart = number_argument(argc, argv, 7, "APART", 0, 0, 1 << 28);
	static const char *const names[] = {"gm-cl",	 "gm-dl",     "sm-cl", "sm-dl",
					    "gm-ct",	 "gm-dt",     "sm-ct", "sm-dt",
					    "gm-atomic", "sm-atomic", "kmcuda"};
	float *points = (float *)malloc(sizeof(float) * n * d);
	float *turned = (float *)malloc(sizeof(float) * n * d);
	int *cluster = (int *)malloc(sizeof(int) * n), *before = (int *)malloc(sizeof(int) * n);
	float *expected = (float *)calloc(k * (d + 1), sizeof(float));
	float *start = (float *)calloc(k * (d + 1), sizeof(float));
	float *result = (float *)malloc(sizeof(float) * k * (d + 1));
	uint32_t random = 2463534242u;
	bool good = true;
	Work w = {NULL, NULL, NULL, n, d, k, NULL, NULL, NULL, one == 1};

	for (int p = 0; p < n; p++) {
		cluster[p] = before[p] = next_random(&random) % k;
		if ((int)(next_random(&random) % 100) < changed)
			before[p] = next_random(&random) % k;
		for (int j = 0; j < d; j++)
			points[p * d + j] = turned[j * n + p] = next_random(&random) % 8;
	}
	add_up(points, cluster, n, d, expected, expected + k * d);
	/* The rival begins with centroids: means of the clusters before. */
	if (form == KMCUDA) {
		add_up(points, before, n, d, start, start + k * d);
		for (int i = 0; i < k * d; i++)
			start[i] /= start[k * d + i / d] > 0 ? start[k * d + i / d] : 1;
	}
	w.cluster = (int *)to_gpu(cluster, sizeof(int) * n);
	w.before = (int *)to_gpu(before, sizeof(int) * n);
	w.points = (float *)to_gpu(form == KMCUDA ? turned : points, sizeof(float) * n * d);
	CHECK(cudaMalloc(&w.sums, sizeof(float) * k * (d + 1)));
	w.counts = w.sums + k * d;
	void *unused = NULL;
	if (apart > 0)
		CHECK(cudaMalloc(&unused, apart));
	CHECK(cudaMalloc(&w.locks, sizeof(int) * k * d));
	CHECK(cudaMemset(w.locks, 0, sizeof(int) * k * d));
#ifdef MEASURE
	printf("at %p,%p,%p,%p\n", (const void *)w.cluster, (const void *)w.points,
	       (const void *)w.sums, (const void *)w.locks);
#endif
	CHECK(cudaFuncSetAttribute(update_ct<false, true>,
				   cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
	CHECK(cudaFuncSetAttribute(update_atomic<true>,
				   cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
	launch_measure(
		names[form],
		[&] {
			CHECK(cudaMemcpy(w.sums, start, sizeof(float) * k * (d + 1),
					 cudaMemcpyHostToDevice));
		},
		[&] { launch(form, w); });
	CHECK(cudaMemcpy(result, w.sums, sizeof(float) * k * (d + 1), cudaMemcpyDeviceToHost));
	for (int i = 0; i < k * (d + 1); i++) {
		float count = expected[k * d + i / d], want = expected[i];

		if (form == KMCUDA && i < k * d)
			good = good && (count == 0 ||
					fabsf(result[i] * count - want) <= 0.01f * (want + 1));
		else
			good = good && result[i] == want;
	}
	if (form == GM_CL) {
		unsigned int *taken = (unsigned int *)calloc(k, sizeof(*taken));

		for (int p = 0; p < n; p++)
			taken[cluster[p]]++;
		print_votes("lockg", -1, 0, k, 0, 1, taken);
	}
	return launch_conclude(good);
}
