/* SPDX-License-Identifier: MIT */
/*
 * A burst of loads of one SM: all its warps begin at one cycle, and the other SMs are idle.
 *
 *   burst > issue-burst.csv
 *
 * A row, with the columns of issue-in-flight.csv: warps of the block, loads of each before the first is used, past the first cache, on lines of
 * its own; bits a lane: 32, or 128 for a word of every 16 bytes, so four lines a load; cycles from the first warp's begin to the last one's
 * last issue (0: not stamped) and end, medians over BLOCKS SMs and RUNS runs, least and most end; bytes of the lines a cycle.
 */
#include "probe.h"

#define RUNS   5
#define BLOCKS 12
#define PASSES 3

template <int LOADS, int WORDS, bool STAMP>
static __global__ void __launch_bounds__(1024, 1)
	burst(int active, const char *base, long long *stamps, uint32_t *sink)
{
	__shared__ long long start;
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	long long begin = 0, issue = 0, done = 0;

	if ((int)blockIdx.x != active)
		return;
	for (int pass = 0; pass < PASSES; pass++) {
		const char *own = base + warp * LOADS * 128 * WORDS + lane * 4 * WORDS;
		uint32_t value[LOADS], sum = 0;

		if (threadIdx.x == 0)
			start = stamp() + 1000;
		__syncthreads();
		while (stamp() < start)
			;
		begin = stamp();
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			asm volatile("ld.global.cg.u32 %0, [%1];"
				     : "=r"(value[i])
				     : "l"(own + i * 128 * WORDS)
				     : "memory");
		if (STAMP)
			issue = stamp();
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			asm volatile("xor.b32 %0, %0, %1;"
				     : "+r"(sum)
				     : "r"(value[i])
				     : "memory");
		done = stamp();
		sink[threadIdx.x] = sum;
		__syncthreads();
	}
	if (lane == 0) {
		stamps[warp * 3] = begin;
		stamps[warp * 3 + 1] = issue;
		stamps[warp * 3 + 2] = done;
	}
}

/* The lines are in the L2. */
static __global__ void touch_all(const uint32_t *data, size_t n, uint32_t *sink)
{
	uint32_t sum = 0;

	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
	     i += (size_t)gridDim.x * blockDim.x)
		sum += data[i];
	if (sum == 0x9e3779b9)
		*sink = sum;
}

#define BYTES ((size_t)8 << 20)

template <int LOADS, int WORDS, bool STAMP>
static double measure(const char *base, int warps, double *done)
{
	static long long *gpu_stamps = (long long *)gpu_memory(32 * 3 * sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(1024 * sizeof(uint32_t));
	double issues[RUNS * BLOCKS];
	int n = 0;

	touch_all<<<sm_count(), 1024>>>((const uint32_t *)base, BYTES / 4, sink);
	for (int run = 0; run < RUNS; run++)
		for (int block = 0; block < BLOCKS; block++, n++) {
			long long stamps[32 * 3], first = INT64_MAX;

			burst<LOADS, WORDS, STAMP><<<sm_count(), warps * 32>>>(
				block * sm_count() / BLOCKS, base, gpu_stamps, sink);
			CHECK_RUN();
			from_gpu(stamps, gpu_stamps, sizeof(stamps));
			for (int i = 0; i < warps; i++)
				first = stamps[i * 3] < first ? stamps[i * 3] : first;
			issues[n] = done[n] = 0;
			for (int i = 0; i < warps; i++) {
				issues[n] = fmax(issues[n], stamps[i * 3 + 1] - first);
				done[n] = fmax(done[n], stamps[i * 3 + 2] - first);
			}
		}
	return median(issues, n);
}

template <int LOADS, int WORDS> static void print(const char *base, int warps)
{
	double done[RUNS * BLOCKS], issued = measure<LOADS, WORDS, true>(base, warps, done);

	measure<LOADS, WORDS, false>(base, warps, done);

	double middle = median(done, RUNS * BLOCKS);

	printf("1,%d,%d,%d,%.0f,%.0f,%.0f,%.0f,%.1f\n", warps, LOADS, WORDS * 32, issued,
	       middle, done[0], done[RUNS * BLOCKS - 1],
	       128.0 * WORDS * LOADS * warps / middle);
}

template <int LOADS> static void measure_all(const char *base)
{
	static const int warps[] = {1, 2, 4, 8, 12, 16, 20, 24, 28, 32};

	for (int i = 0; i < 10; i++) {
		print<LOADS, 1>(base, warps[i]);
		print<LOADS, 4>(base, warps[i]);
	}
}

int main(void)
{
	const char *base = (const char *)gpu_memory(BYTES);

	warm_up();
	printf("blocks,warps,loads_in_flight_per_warp,bits_per_lane,all_issued,all_done,min,"
	       "max,bytes_per_cycle_sm\n");
	measure_all<2>(base);
	measure_all<4>(base);
	measure_all<8>(base);
	return 0;
}
