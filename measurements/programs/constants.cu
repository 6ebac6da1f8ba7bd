/* SPDX-License-Identifier: MIT */
/*
 * Constants at addresses that differ between a warp's lanes (LDC with an address in a register).
 *
 *   constants > issue-constants.csv
 *
 * A row: each of `warps` warps of a block goes along `chains` chains of such loads, `width` bytes a lane, side by side: of each the next
 * begins when the one before is there. Lanes name `addresses` addresses that are `stride` bytes apart: lane l address l mod addresses
 * (turns), l x addresses / 32 (runs), or one drawn at random, all of them named (drawn). cycles: a load, from the
 * first warp's start to the last one's end, over LINKS links, when all constants have been loaded once; a chain also adds what it has
 * loaded to its address. The median, least and most of RUNS launches. held_back: a third, by a hash of the cell.
 */
#include "probe.h"

#define LINKS 64
#define RUNS  5
#define BYTES 32768

enum { TURNS, RUNS_OF_LANES, DRAWN, N_LAYOUTS };
static const char *const layouts[] = {"turns", "runs", "drawn"};

static __constant__ __align__(16) char table[BYTES];

template <typename T, int CHAINS>
static __global__ void chase(const int *places, long long *begins, long long *ends, int *sink)
{
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const char *at[CHAINS];
	long long begin = 0, end = 0;

#pragma unroll
	for (int i = 0; i < CHAINS; i++)
		at[i] = table + places[i * 32 + lane];
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncthreads();
		begin = stamp();
#pragma unroll 8
		for (int link = 0; link < LINKS; link++) {
#pragma unroll
			for (int i = 0; i < CHAINS; i++) {
				const T got = *(const T *)at[i];
				const int *words = (const int *)&got;

				at[i] += words[0];
				if (sizeof(T) > 4) /* all of it is wanted */
					at[i] += words[sizeof(T) / 4 - 1];
			}
		}
#pragma unroll
		for (int i = 0; i < CHAINS; i++)
			asm volatile("" ::"l"(at[i]) : "memory");
		end = stamp();
	}
	__syncthreads();
	if (lane == 0) {
		begins[warp] = begin;
		ends[warp] = end;
	}
	for (int i = 0; i < CHAINS; i++)
		if (at[i] == table + 1)
			*sink = 1;
}

template <typename T, int CHAINS>
static void measure(int layout, int addresses, int stride, int warps)
{
	static long long *begins = (long long *)gpu_memory(32 * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(32 * sizeof(long long));
	static int *places = (int *)gpu_memory(CHAINS * 32 * sizeof(int)),
		   *sink = (int *)gpu_memory(sizeof(int));
	int host[CHAINS * 32];
	uint32_t seed = 1 + addresses;
	double cycles[RUNS];
	char cell[64];

	for (int i = 0; i < CHAINS * 32; i++) {
		const int lane = i % 32;
		int which = lane % addresses;

		if (layout == RUNS_OF_LANES)
			which = lane * addresses / 32;
		if (layout == DRAWN && lane >= addresses)
			which = next_random(&seed) % addresses;
		host[i] = which * stride;
	}
	CHECK(cudaMemcpy(places, host, sizeof(host), cudaMemcpyHostToDevice));
	for (int run = -1; run < RUNS; run++) {
		long long begin[32], end[32], first = INT64_MAX, last = 0;

		chase<T, CHAINS><<<1, 32 * warps>>>(places, begins, ends, sink);
		CHECK_RUN();
		from_gpu(begin, begins, sizeof(begin));
		from_gpu(end, ends, sizeof(end));
		for (int warp = 0; warp < warps; warp++) {
			first = begin[warp] < first ? begin[warp] : first;
			last = end[warp] > last ? end[warp] : last;
		}
		if (run >= 0)
			cycles[run] = (last - first) / (double)(LINKS * CHAINS * warps);
	}

	double middle = median(cycles, RUNS);

	snprintf(cell, sizeof(cell), "%s,%d,%d,%d", layouts[layout], (int)sizeof(T), addresses,
		 stride);
	printf("%s,%d,%d,%.3f,%.3f,%.3f,%d\n", cell, warps, CHAINS, middle, cycles[0],
	       cycles[RUNS - 1], held_back(cell));
}

template <typename T> static void all(int layout, int addresses, int stride)
{
	if (stride % sizeof(T))
		return;
	for (int warps = 1; warps <= 32; warps *= 2) {
		measure<T, 1>(layout, addresses, stride, warps);
		measure<T, 4>(layout, addresses, stride, warps);
	}
}

int main(void)
{
	warm_up();
	puts("layout,width,addresses,stride,warps,chains,cycles,cycles_min,cycles_max,held_"
	     "back");
	for (int layout = 0; layout < N_LAYOUTS; layout++)
		for (int addresses : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32})
			for (int stride : {4, 8, 64, 256, 1024})
				if (layout == TURNS || stride == 4 || stride == 64) {
					all<int>(layout, addresses, stride);
					all<int2>(layout, addresses, stride);
				}
	return 0;
}
