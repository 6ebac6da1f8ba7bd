/* SPDX-License-Identifier: MIT */
/*
 * Searches for lanes of the same value (MATCH.ANY) by their width and by how many different values the lanes hold.
 *
 *   match > match-any.csv
 *
 * A block of `warps` warps, each a chain of searches, each of which reads the result of the one before. cycles: from the first
 * warp's start to the last one's end, of 2 x LINKS searches a warp less those of LINKS, over LINKS; the median, least and most of
 * RUNS launches. With one warp it is what a search takes, with many what the SM needs for a search of each warp.
 */
#include "probe.h"

#define LINKS	  96
#define RUNS	  7
#define MAX_WARPS 32

template <int BITS> static __device__ __forceinline__ void search(uint64_t &value)
{
	uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);

	if (BITS == 64)
		asm volatile("match.any.sync.b64 %0, %1, 0xffffffff;" : "=r"(low) : "l"(value));
	else
		asm volatile("match.any.sync.b32 %0, %0, 0xffffffff;" : "+r"(low));
	value = (uint64_t)high << 32 | low;
}

template <int BITS>
__global__ void chain(int values, int links, long long *begins, long long *ends, uint64_t *sink)
{
	const int warp = threadIdx.x / 32;
	uint64_t value = (uint64_t)(values + 1) << 32 | threadIdx.x % 32 % values;
	long long begin = 0, end = 0;

	/* The first pass fetches the code. */
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncthreads();
		begin = stamp();
#pragma unroll 8
		for (int i = 0; i < links; i++)
			search<BITS>(value);
		end = stamp();
	}
	__syncthreads();
	if (threadIdx.x % 32 == 0) {
		begins[warp] = begin;
		ends[warp] = end;
	}
	sink[threadIdx.x] = value;
}

static double span(int wide, int values, int warps, int links)
{
	static long long *begins = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	static uint64_t *sink = (uint64_t *)gpu_memory(1024 * sizeof(uint64_t));
	long long begin[MAX_WARPS], end[MAX_WARPS], first = INT64_MAX, last = 0;

	if (wide)
		chain<64><<<1, 32 * warps>>>(values, links, begins, ends, sink);
	else
		chain<32><<<1, 32 * warps>>>(values, links, begins, ends, sink);
	CHECK_RUN();
	from_gpu(begin, begins, sizeof(begin));
	from_gpu(end, ends, sizeof(end));
	for (int warp = 0; warp < warps; warp++) {
		first = begin[warp] < first ? begin[warp] : first;
		last = end[warp] > last ? end[warp] : last;
	}
	return (double)(last - first);
}

static void measure(int wide, int values, int warps)
{
	double cycles[RUNS];

	for (int run = 0; run < RUNS; run++)
		cycles[run] = (span(wide, values, warps, 2 * LINKS) -
			       span(wide, values, warps, LINKS)) /
			      LINKS;

	double middle = median(cycles, RUNS);

	printf("%s,%d,%d,%.3f,%.3f,%.3f\n", wide ? "64" : "32", values, warps, middle,
	       cycles[0], cycles[RUNS - 1]);
}

/* By how many different values the lanes hold, and by warps. */
static void measure_all(int wide)
{
	static const int values[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32};

	for (int value : values)
		for (int warps = 1; warps <= MAX_WARPS; warps *= 2)
			measure(wide, value, warps);
}

int main(void)
{
	warm_up();
	puts("bits,values,warps,cycles,cycles_min,cycles_max");
	measure_all(0);
	measure_all(1);
	return 0;
}
