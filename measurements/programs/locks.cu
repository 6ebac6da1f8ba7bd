/* SPDX-License-Identifier: MIT */
/*
 * Spin locks: how long warps take to get through one.
 *
 *   locks > issue-locks.csv
 *
 * A row: where the lock lies, what its section does, warps of the one block and lanes of each that
 * want a lock, lane i that of word i mod `words`; placed over the sub-cores in turn or all on one.
 * Cycles from the first warp's start to the last one's end, median, least and most of RUNS; failed
 * tries are counted in launches of their own, since counting costs time.
 */
#include "probe.h"

#define RUNS	  7
#define MAX_WORDS 32

enum { BARE, FENCED, UPDATE, LOAD, THREE };
static const char *const sections[] = {"bare", "fence", "update+fence", "load+update+fence",
				       "three-updates+fence"};

/* Keeps nvcc from moving the section behind the loop, where the winners would wait for the rest. */
static __device__ __forceinline__ bool opaque(bool value)
{
	int number = value;

	asm volatile("" : "+r"(number));
	return number;
}

template <bool GLOBAL, int SECTION, bool COUNTED>
static __global__ void go_through(int warps, int lanes, int words, int stride, int *far_locks,
				  volatile int *far_values, const int *addends,
				  long long *begins, long long *ends, int *failed)
{
	__shared__ int near_locks[MAX_WORDS];
	__shared__ volatile int near_values[3 * MAX_WORDS];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tries = 0;
	int *lock = (GLOBAL ? far_locks : near_locks) + lane % words;
	volatile int *value = (GLOBAL ? far_values : near_values) + lane % words;

	for (int pass = 0; pass < 2; pass++) {
		/* Nobody is in a section any more. */
		__syncthreads();
		if (threadIdx.x < MAX_WORDS) {
			near_locks[threadIdx.x] = 0;
			for (int i = 0; i < 3; i++)
				near_values[i * MAX_WORDS + threadIdx.x] = 0;
		}
		__syncthreads();
		if (warp % stride || warp / stride >= warps)
			continue;

		long long begin = stamp();

		if (lane < lanes) {
			bool done = false;

			while (!done) {
				if (atomicCAS(lock, 0, 1) == 0) {
					if (SECTION == UPDATE) {
						if (GLOBAL)
							__threadfence();
						*value = *value + 1;
					}
					if (SECTION == LOAD)
						*value = *value + addends[threadIdx.x];
					if (SECTION == THREE) {
						*value = *value + 1;
						for (int i = 1; i < 3; i++)
							value[i * MAX_WORDS] =
								value[i * MAX_WORDS] +
								addends[(i - 1) * 1024 +
									threadIdx.x];
					}
					if (SECTION != BARE) {
						if (GLOBAL)
							__threadfence();
						else
							__threadfence_block();
					}
					atomicExch(lock, 0);
					done = opaque(true);
				} else if (COUNTED) {
					tries++;
				}
			}
		}
		__syncwarp();

		long long end = stamp();

		if (lane == 0) {
			begins[warp / stride] = begin;
			ends[warp / stride] = end;
		}
		if (COUNTED && pass == 1)
			atomicAdd(failed, tries);
		tries = 0;
	}
}

template <bool GLOBAL, int SECTION, bool COUNTED>
static void measure(int warps, int lanes, int words, bool one_sub_core)
{
	static int *far_locks = (int *)gpu_memory(MAX_WORDS * sizeof(int));
	static int *far_values = (int *)gpu_memory(MAX_WORDS * sizeof(int));
	static long long *begins = (long long *)gpu_memory(32 * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(32 * sizeof(long long));
	static int *failed = (int *)gpu_memory(sizeof(int));
	static int *addends = (int *)gpu_memory(2 * 1024 * sizeof(int));
	int stride = one_sub_core ? 4 : 1;
	double cycles[RUNS], tries[RUNS];

	for (int run = 0; run < RUNS; run++) {
		long long begin[32], end[32], first = INT64_MAX, last = 0;
		int n = 0;

		CHECK(cudaMemset(failed, 0, sizeof(int)));
		go_through<GLOBAL, SECTION, COUNTED>
			<<<1, warps * stride * 32>>>(warps, lanes, words, stride, far_locks,
						     far_values, addends, begins, ends, failed);
		CHECK_RUN();
		from_gpu(begin, begins, sizeof(begin));
		from_gpu(end, ends, sizeof(end));
		from_gpu(&n, failed, sizeof(n));
		for (int i = 0; i < warps; i++) {
			first = begin[i] < first ? begin[i] : first;
			last = end[i] > last ? end[i] : last;
		}
		cycles[run] = last - first;
		tries[run] = n;
	}

	double middle = median(cycles, RUNS), failures = median(tries, RUNS);

	printf("compiled,%s,%s,%d,%d,%d,%d,%s,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.1f\n",
	       GLOBAL ? "global" : "shared", sections[SECTION], COUNTED, warps, lanes, words,
	       one_sub_core ? "one-sub-core" : "round", middle, cycles[0], cycles[RUNS - 1],
	       failures, tries[0], tries[RUNS - 1], middle / (warps * lanes));
}

template <bool GLOBAL, int SECTION, bool COUNTED> static void measure_code(void)
{
	static const int lanes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
	static const int warps[] = {1, 2, 3, 4, 6, 8, 16, 32};

	for (int i = 0; i < 10; i++)
		measure<GLOBAL, SECTION, COUNTED>(1, lanes[i], 1, false);
	for (int words = 2; words <= 32; words *= 2)
		measure<GLOBAL, SECTION, COUNTED>(1, 32, words, false);
	for (int one_sub_core = 0; one_sub_core < 2; one_sub_core++)
		for (int i = 1; i < (one_sub_core ? 6 : 8); i++)
			for (int l = 1; l <= 32; l *= l == 1 ? 4 : 8)
				for (int words = 1; words <= l; words *= 32)
					measure<GLOBAL, SECTION, COUNTED>(warps[i], l, words,
									  one_sub_core);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	warm_up();
	printf("code,space,section,counted,warps,lanes,words,placing,cycles,min,max,"
	       "failed_lane_tries,min_failed,max_failed,cycles_per_entry\n");
	measure_code<false, UPDATE, false>();
	measure_code<false, FENCED, false>();
	measure_code<false, BARE, false>();
	measure_code<true, UPDATE, false>();
	measure_code<true, BARE, false>();
	measure_code<false, UPDATE, true>();
	measure_code<true, UPDATE, true>();
	measure_code<false, LOAD, false>();
	measure_code<false, THREE, false>();
	return 0;
}
