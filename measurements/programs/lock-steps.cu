/* SPDX-License-Identifier: MIT */
/*
 * The section of a spin lock, cut into steps: one warp of one block, each lane under the lock of its word.
 *
 *   lock-steps > issue-lock-steps.csv 2> issue-lock-stamps.csv
 *
 * A row of shared memory: what is under the lock, as traces/kernels/kmeans.cu has it; `lanes` lanes a word, so many rounds;
 * whether what is added is loaded for the first time (`fresh`) or lies in the first cache (`warm`), or all lanes
 * fetch their line ahead of the lock (`ahead`). Cycles of POINTS points of each lane, one after the other, median and least
 * of RUNS. On stderr, for "count+n": when each lane of points 1 and 2 began its last try, had the lock, had counted,
 * had added, was past its fence, had given the lock back.
 * A row of global memory: `lanes` lanes on one word; where lock and word lie, by the latency of a compare-and-swap to the
 * one and of a load from the other; cycles of all lanes, and of the second round by steps between stamps: try, fence, load,
 * store, fence, exchange, way back to the next try.
 */
#include "probe.h"

#define RUNS   9
#define POINTS 8

enum { BARE, FENCE, COUNT, ONE, TWO, MANY, N_BODIES };
static const char *const bodies[] = {"bare", "fence", "count", "count+1", "count+2", "count+n"};
enum { FRESH, WARM, AHEAD };
static const char *const caches[] = {"fresh", "warm", "ahead"};

static __device__ __forceinline__ bool opaque(bool value)
{
	int number = value;

	asm volatile("" : "+r"(number));
	return number;
}

#define STAMPS 8

template <int BODY, bool STAMPED>
static __global__ void near_locks(int clusters, int n_dims, int stride,
				  const float *coordinates, int n_points, int ahead,
				  long long *cycles, int *log)
{
	extern __shared__ int own[];
	int lane = threadIdx.x, *locks = own + clusters * 4;
	volatile int *counts = own;
	volatile float *sums = (float *)own;
	float early = 0;

	for (int i = lane; i < clusters * 5; i += 32)
		own[i] = 0;
	__syncthreads();
	if (stride == 0)
		for (int d = 0; d < 2; d++)
			early += __ldca(&coordinates[d * n_points + lane]);

	long long begin = stamp();

	for (int p = 0; p < POINTS; p++) {
		int i = p * stride + lane, k = lane % clusters;
		int at[STAMPS];

		if (ahead)
			for (int d = 0; d < 2; d++)
				early += coordinates[d * n_points + i];
		for (bool done = false; !done;) {
			if (STAMPED)
				at[0] = (int)stamp();
			if (atomicCAS(&locks[k], 0, 1) == 0) {
				if (STAMPED)
					at[1] = (int)stamp();
				if (BODY >= COUNT)
					counts[k]++;
				if (STAMPED)
					at[2] = (int)stamp();
				if (BODY == ONE || BODY == TWO)
					for (int d = 0; d < (BODY == ONE ? 1 : 2); d++)
						sums[(1 + d) * clusters + k] +=
							coordinates[d * n_points + i];
				if (BODY == MANY)
					for (int d = 0; d < n_dims; d++) {
						sums[(1 + d) * clusters + k] +=
							coordinates[d * n_points + i];
						if (STAMPED)
							at[3 + d] = (int)stamp();
					}
				if (BODY >= FENCE)
					__threadfence_block();
				if (STAMPED)
					at[5] = (int)stamp();
				atomicExch(&locks[k], 0);
				if (STAMPED)
					at[6] = (int)stamp();
				done = opaque(true);
			}
		}
		if (STAMPED)
			for (int s = 0; s < STAMPS; s++)
				log[(p * 32 + lane) * STAMPS + s] = at[s] - (int)begin;
	}
	__syncwarp();

	long long end = stamp();

	if (lane == 0)
		*cycles = end - begin;
	if (early == 12345)
		cycles[1] = 0;
}

template <int BODY> static void measure_near(int cache)
{
	static float *coordinates = (float *)gpu_memory(4 * 65536 * sizeof(float));
	static long long *cycles = (long long *)gpu_memory(2 * sizeof(long long));
	static int *log = (int *)gpu_memory(POINTS * 32 * STAMPS * sizeof(int));

	for (int lanes = 1; lanes <= 32; lanes *= 2) {
		int clusters = 32 / lanes;
		double of[RUNS];

		for (int run = 0; run < RUNS; run++) {
			long long t;

			near_locks<BODY, false><<<1, 32, 4096>>>(
				clusters, 2, cache == WARM ? 0 : 32, coordinates, 65536,
				cache == AHEAD, cycles, log);
			CHECK_RUN();
			from_gpu(&t, cycles, sizeof(t));
			of[run] = t;
		}
		double middle = median(of, RUNS);

		printf("shared,%s,%s,%d,,,%.0f,%.0f,,,,,,,\n", bodies[BODY], caches[cache],
		       lanes, middle, of[0]);
		if (BODY != MANY)
			continue;
		int at[POINTS * 32 * STAMPS];
		near_locks<BODY, true><<<1, 32, 4096>>>(clusters, 2, cache == WARM ? 0 : 32,
							coordinates, 65536, cache == AHEAD,
							cycles, log);
		CHECK_RUN();
		from_gpu(at, log, sizeof(at));
		for (int p = 1; p < 3; p++)
			for (int l = 0; l < 32; l++) {
				fprintf(stderr, "%s,%d,%d,%d", caches[cache], lanes, p, l);
				for (int s = 0; s < 7; s++)
					fprintf(stderr, ",%d", at[(p * 32 + l) * STAMPS + s]);
				fprintf(stderr, "\n");
			}
	}
}

/* --- Global memory --- */

#define FAR_LANES 4

/* What the lock guards is changed between two fences. */
static __global__ void far_locks(int *lock, volatile int *value, long long *cycles, int *log)
{
	int lane = threadIdx.x;

	for (int pass = 0; pass < 2; pass++) {
		int at[STAMPS] = {0};
		__syncwarp();
		long long begin = stamp();

		if (lane < FAR_LANES) {
			for (bool done = false; !done;) {
				at[0] = (int)stamp();
				if (atomicCAS(lock, 0, 1) == 0) {
					at[1] = (int)stamp();
					__threadfence();
					at[2] = (int)stamp();
					int v = *value + 1;

					asm volatile("" : "+r"(v));
					at[3] = (int)stamp() + (v == 123456789);
					*value = v;
					at[4] = (int)stamp();
					__threadfence();
					at[5] = (int)stamp();
					atomicExch(lock, 0);
					at[6] = (int)stamp();
					done = opaque(true);
				}
			}
		}
		__syncwarp();
		long long end = stamp();

		if (lane == 0)
			*cycles = end - begin;
		if (lane < FAR_LANES)
			for (int s = 0; s < STAMPS; s++)
				log[lane * STAMPS + s] = at[s] - (int)begin;
	}
}

template <int BODY>
static __global__ void far_plain(int lanes, int *lock, volatile int *value, long long *cycles)
{
	int lane = threadIdx.x;

	for (int pass = 0; pass < 2; pass++) {
		__syncwarp();
		long long begin = stamp();

		if (lane < lanes)
			for (bool done = false; !done;)
				if (atomicCAS(lock, 0, 1) == 0) {
					if (BODY == 2)
						__threadfence();
					if (BODY >= 1) {
						*value = *value + 1;
						__threadfence();
					}
					atomicExch(lock, 0);
					done = opaque(true);
				}
		__syncwarp();
		long long end = stamp();

		if (lane == 0)
			*cycles = end - begin;
	}
}

/* A chain of compare-and-swaps, and of loads past the first cache. */
static __global__ void latencies(int *lock, volatile int *value, long long *cycles)
{
	int x = 0;

	for (int pass = 0; pass < 2; pass++) {
		long long begin = stamp();
		for (int i = 0; i < 8; i++)
			x = atomicCAS(lock + x, 2, 3);
		asm volatile("" : "+r"(x));
		long long middle = stamp() + (x == 123);
		for (int i = 0; i < 8; i++)
			x = value[x];
		asm volatile("" : "+r"(x));
		long long end = stamp() + (x == 123);
		cycles[0] = middle - begin;
		cycles[1] = end - middle;
	}
}

static const char *const far_bodies[] = {"bare", "update+fence", "fence+update+fence"};

static int compare_tries(const void *a, const void *b)
{
	return ((const int *)a)[1] - ((const int *)b)[1];
}

/* The steps of the second of FAR_LANES rounds. */
static void print_steps(int *lock, int *value, long long *cycles)
{
	static int *log = (int *)gpu_memory(FAR_LANES * STAMPS * sizeof(int));
	int at[FAR_LANES * STAMPS];

	for (int run = 0; run < 3; run++)
		far_locks<<<1, 32>>>(lock, value, cycles, log);
	CHECK_RUN();
	from_gpu(at, log, sizeof(at));
	qsort(at, FAR_LANES, STAMPS * sizeof(int), compare_tries);
	for (int s = 0; s < 6; s++)
		printf(",%d", at[STAMPS + s + 1] - at[STAMPS + s]);
	printf(",%d\n", at[2 * STAMPS] - at[STAMPS + 6]);
}

static void measure_far(void)
{
	static char *memory = (char *)gpu_memory(64 << 20);
	static long long *cycles = (long long *)gpu_memory(2 * sizeof(long long));
	uint32_t random = 2463534242u;

	for (int c = 0; c < 48; c++) {
		int *lock = (int *)(memory + (size_t)(next_random(&random) % 262144) * 128);
		int *value = (int *)(memory + (32 << 20) +
				     (size_t)(next_random(&random) % 262144) * 128);
		long long t[2];

		latencies<<<1, 1>>>(lock, value, cycles);
		CHECK_RUN();
		from_gpu(t, cycles, sizeof(t));
		for (int body = 0; body < 3; body++)
			for (int lanes = 1; lanes <= FAR_LANES; lanes += FAR_LANES - 1) {
				long long cycles_of;

				for (int run = 0; run < 3; run++)
					body == 0 ? far_plain<0>
						<<<1, 32>>>(lanes, lock, value, cycles)
					: body == 1 ? far_plain<1>
						<<<1, 32>>>(lanes, lock, value, cycles)
						    : far_plain<2>
						<<<1, 32>>>(lanes, lock, value, cycles);
				CHECK_RUN();
				from_gpu(&cycles_of, cycles, sizeof(cycles_of));
				printf("global,%s,,%d,%.1f,%.1f,%lld,", far_bodies[body], lanes,
				       t[0] / 8.0, t[1] / 8.0, cycles_of);
				if (body == 2 && lanes == FAR_LANES)
					print_steps(lock, value, cycles);
				else
					printf(",,,,,,,\n");
			}
	}
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	warm_up();
	printf("space,section,cache,lanes,lock_cycles,word_cycles,cycles,least,try,fence_"
	       "before,"
	       "load,store,fence_after,exchange,back\n");
	fprintf(stderr, "cache,lanes,point,lane,try,taken,counted,added_1,added_2,fenced,"
			"released\n");
	for (int cache = FRESH; cache <= AHEAD; cache++) {
		if (cache == WARM) {
			measure_near<BARE>(cache);
			measure_near<FENCE>(cache);
			measure_near<COUNT>(cache);
		}
		measure_near<ONE>(cache);
		measure_near<TWO>(cache);
		measure_near<MANY>(cache);
	}
	measure_far();
	return 0;
}
