/* SPDX-License-Identifier: MIT */
/*
 * Whether an SM's loads come back in the order in which they were asked for: a load that finds its line in the first cache
 * behind another warp's that does not.
 *
 *   order > issue-order.csv
 *
 * A row: what the first warp loads (`miss`: a line that only the L2 has, `hit`, or nothing); what the second loads
 * `delay` cycles later (`hit`, `miss`, `shared`); whether both are on one sub-core; cycles from the second's load to the use of
 * what it brings: median, least and most of RUNS.
 */
#include "probe.h"

#define RUNS  63
#define LINES 128 /* each run has lines of its own */
#define WORDS 32  /* of a line */

enum { NOTHING, MISS, HIT, SHARED };
static const char *const kinds[] = {"nothing", "miss", "hit", "shared"};

static __device__ __forceinline__ uint32_t load(const uint32_t *word)
{
	uint32_t value;

	asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
	return value;
}

static __device__ __forceinline__ uint32_t load_shared(uint32_t address)
{
	uint32_t value;

	asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
	return value;
}

static __global__ void follow(int first, int second, int delay, int second_warp,
			      const uint32_t *words, long long *cycles, uint32_t *sink)
{
	__shared__ long long start;
	__shared__ uint32_t near_words[32];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	uint32_t sum = 0, near = (uint32_t)__cvta_generic_to_shared(near_words + lane);
	/* Lines 0 .. LINES-1 are hits: both warps' SM has loaded them. */
	const uint32_t *old = words + lane, *fresh = words + LINES * WORDS + lane;

	near_words[lane] = lane;
	for (int run = 0; run < RUNS; run++)
		sum += load(old + run * WORDS);
	for (int run = 0; run < RUNS; run++) {
		if (threadIdx.x == 0)
			start = stamp() + 300;
		__syncthreads();

		long long at = start + (warp == second_warp ? delay : 0), begin, end;
		uint32_t value = 0;

		while ((begin = stamp()) < at)
			;
		if (warp == 0 && first != NOTHING)
			value = load((first == HIT ? old : fresh) + run * WORDS);
		if (warp == second_warp) {
			begin = stamp();
			value = second == SHARED
					? load_shared(near)
					: load((second == HIT ? old : fresh + LINES * WORDS) +
					       run * WORDS);
		}
		end = stamp_behind(value, &sum);
		if (warp == second_warp && lane == 0)
			cycles[run] = end - begin;
		__syncthreads();
	}
	sink[threadIdx.x] = sum;
}

static void measure(int first, int second, int delay, int second_warp)
{
	static uint32_t *words = (uint32_t *)gpu_memory(3 * LINES * WORDS * sizeof(uint32_t));
	static long long *cycles = (long long *)gpu_memory(RUNS * sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(1024 * sizeof(uint32_t));
	long long taken[RUNS];
	double reading[RUNS];

	follow<<<1, 8 * 32>>>(first, second, delay, second_warp, words, cycles, sink);
	CHECK_RUN();
	from_gpu(taken, cycles, sizeof(taken));
	for (int run = 0; run < RUNS; run++)
		reading[run] = taken[run];

	double middle = median(reading, RUNS);

	printf("%s,%s,%d,%d,%.0f,%.0f,%.0f\n", kinds[first], kinds[second],
	       second_warp % 4 == 0, delay, middle, reading[0], reading[RUNS - 1]);
}

int main(void)
{
	warm_up();
	printf("first,second,same_sub_core,delay,cycles,min,max\n");
	for (int second_warp = 4; second_warp < 6; second_warp++)
		for (int first = NOTHING; first <= HIT; first++)
			for (int second = MISS; second <= SHARED; second++)
				for (int delay = 0; delay <= 400; delay += 20)
					measure(first, second, delay, second_warp);
	return 0;
}
