/* SPDX-License-Identifier: MIT */
/*
 * Lanes of a warp that go through one lock after the other: who is through does not wait for the others.
 *
 *   lock-groups > issue-lock-groups.csv 2> issue-lock-turns.csv
 *
 * A row: what is under the lock; warps of one block; whether all share the locks or each has its own; locks; a seed of the table
 * that says which lock each lane takes as its first, second ... of POINTS; cycles from the first warp's start to the last one's
 * end, median, least and most of RUNS. `random`: any lock at random; `same`: lane i always takes lock i mod locks.
 * Sections: nothing; a fence; an addition and a fence; two additions of loaded words as traces/kernels/kmeans.cu has them
 * (`kmeans`), and its other kernel, a lock for each of the two, loaded ahead of it (`dimension`).
 * On stderr, of one warp's launch that stamps (a store to shared memory in each section): when each lane of each warp had its lock.
 */
#include "probe.h"

#define RUNS	  7
#define POINTS	  8
#define MAX_LOCKS 64

enum { BARE, FENCED, UPDATE, KMEANS, DIMENSION, N_SECTIONS };
static const char *const sections[] = {"bare", "fence", "update+fence", "kmeans", "dimension"};

static __device__ __forceinline__ bool opaque(bool value)
{
	int number = value;

	asm volatile("" : "+r"(number));
	return number;
}

template <int SECTION, bool STAMPED>
static __global__ void go_through(int warps, int locks, bool own, const uint8_t *table,
				  const float *coordinates, int n_points, int n_dims,
				  long long *begins, long long *ends, int *log)
{
	extern __shared__ int words[];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int sets = own ? warps : 1;
	int *lock = words + (own ? warp * locks : 0);
	volatile int *counts = lock + sets * locks;
	volatile float *sums = (volatile float *)(counts + sets * locks);
	int *dimension_locks = (int *)sums + 2 * sets * locks;
	int *stamps = (int *)words + 6 * sets * locks;
	uint8_t *near_table = (uint8_t *)(stamps + (STAMPED ? 2 * POINTS * 32 * warps : 0));

	for (int i = threadIdx.x; i < 6 * sets * locks; i += blockDim.x)
		words[i] = 0;
	for (int i = threadIdx.x; i < POINTS * 32 * warps; i += blockDim.x)
		near_table[i] = table[i];
	__syncthreads();

	long long begin = stamp();

	for (int p = 0; p < n_points; p++) {
		int i = p * blockDim.x + threadIdx.x;
		int k = SECTION >= KMEANS ? table[i] : near_table[i];

		if (SECTION == DIMENSION) {
			atomicAdd((int *)&counts[k], 1);
			for (int d = 0; d < n_dims; d++) {
				volatile float *sum = &sums[d * sets * locks + k];
				int *own_lock = &dimension_locks[d * sets * locks + k];
				float x = coordinates[d * POINTS * 1024 + i];

				for (bool done = false; !done;) {
					if (atomicCAS(own_lock, 0, 1) == 0) {
						if (STAMPED)
							((volatile int *)stamps)[2 * i + d] =
								(int)stamp() - (int)begin;
						*sum += x;
						__threadfence_block();
						atomicExch(own_lock, 0);
						done = opaque(true);
					}
				}
			}
			continue;
		}
		for (bool done = false; !done;) {
			if (atomicCAS(&lock[k], 0, 1) == 0) {
				if (STAMPED)
					((volatile int *)stamps)[2 * i] =
						(int)stamp() - (int)begin;
				if (SECTION >= UPDATE)
					counts[k]++;
				if (SECTION == KMEANS)
					for (int d = 0; d < n_dims; d++)
						sums[d * sets * locks + k] +=
							coordinates[d * POINTS * 1024 + i];
				if (SECTION >= FENCED)
					__threadfence_block();
				atomicExch(&lock[k], 0);
				done = opaque(true);
			}
		}
	}
	__syncwarp();

	long long end = stamp();

	if (lane == 0) {
		begins[warp] = begin;
		ends[warp] = end;
	}
	__syncthreads();
	if (STAMPED)
		for (int i = threadIdx.x; i < 2 * POINTS * 32 * warps; i += blockDim.x)
			log[i] = stamps[i];
}

static int far_log[2 * POINTS * 1024];

template <int SECTION, bool STAMPED>
static void run(int warps, int locks, bool own, const uint8_t *table, const float *coordinates,
		long long *first, long long *last)
{
	static long long *begins = (long long *)gpu_memory(32 * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(32 * sizeof(long long));
	static int *log = (int *)gpu_memory(sizeof(far_log));
	long long begin[32], end[32];
	size_t bytes = 6 * (own ? warps : 1) * locks * 4 +
		       (STAMPED ? 2 * POINTS * 32 * warps * 4 : 0) + POINTS * 32 * warps;

	CHECK(cudaFuncSetAttribute(go_through<SECTION, STAMPED>,
				   cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
	go_through<SECTION, STAMPED><<<1, warps * 32, bytes>>>(
		warps, locks, own, table, coordinates, POINTS, 2, begins, ends, log);
	CHECK_RUN();
	from_gpu(begin, begins, sizeof(begin));
	from_gpu(end, ends, sizeof(end));
	if (STAMPED)
		from_gpu(far_log, log, sizeof(far_log));
	*first = INT64_MAX;
	*last = 0;
	for (int i = 0; i < warps; i++) {
		*first = begin[i] < *first ? begin[i] : *first;
		*last = end[i] > *last ? end[i] : *last;
	}
}

static void make_table(uint8_t *table, int n, int locks, uint32_t seed)
{
	uint32_t random = 88172645u + seed * 7919u;

	for (int i = 0; i < n; i++)
		table[i] = seed ? next_random(&random) % locks : i % 32 % locks;
}

template <int SECTION>
static void measure(int warps, int locks, bool own, uint32_t seed, bool stamped)
{
	static uint8_t *far_table = (uint8_t *)gpu_memory(POINTS * 1024);
	static float *coordinates = (float *)gpu_memory(2 * POINTS * 1024 * sizeof(float));
	static uint8_t table[POINTS * 1024];
	double cycles[RUNS];
	long long first, last;

	make_table(table, POINTS * 32 * warps, locks, seed);
	CHECK(cudaMemcpy(far_table, table, sizeof(table), cudaMemcpyHostToDevice));
	for (int i = 0; i < RUNS; i++) {
		run<SECTION, false>(warps, locks, own, far_table, coordinates, &first, &last);
		cycles[i] = last - first;
	}
	double middle = median(cycles, RUNS);

	printf("%s,%d,%s,%d,%s,%u,%.0f,%.0f,%.0f\n", sections[SECTION], warps,
	       own ? "own" : "shared", locks, seed ? "random" : "same", seed, middle, cycles[0],
	       cycles[RUNS - 1]);
	if (!stamped)
		return;
	run<SECTION, true>(warps, locks, own, far_table, coordinates, &first, &last);
	for (int p = 0; p < POINTS; p++)
		for (int t = 0; t < 32 * warps; t++)
			fprintf(stderr, "%s,%d,%s,%d,%u,%d,%d,%d,%d,%d,%d\n", sections[SECTION],
				warps, own ? "own" : "shared", locks, seed, t / 32, t % 32, p,
				table[p * 32 * warps + t], far_log[2 * (p * 32 * warps + t)],
				SECTION == DIMENSION ? far_log[2 * (p * 32 * warps + t) + 1]
						     : 0);
}

template <int SECTION> static void measure_section(void)
{
	static const int locks[] = {4, 16, 64}, warps[] = {1, 2, 4, 8, 16, 32};

	for (uint32_t seed = 0; seed < 4; seed++)
		for (int l = 0; l < 3; l++)
			for (int w = 0; w < 6; w++)
				for (int own = 0; own < (w && seed < 3 ? 2 : 1); own++)
					if (seed || locks[l] <= 32)
						measure<SECTION>(warps[w], locks[l], own, seed,
								 seed < 2 && w == 0);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	warm_up();
	printf("section,warps,sharing,locks,placing,seed,cycles,least,most\n");
	fprintf(stderr,
		"section,warps,sharing,locks,seed,warp,lane,point,lock,taken,taken_2\n");
	measure_section<BARE>();
	measure_section<FENCED>();
	measure_section<UPDATE>();
	measure_section<KMEANS>();
	measure_section<DIMENSION>();
	return 0;
}
