/* SPDX-License-Identifier: MIT */
/*
 * What a load from global memory waits for when accesses to shared memory of several passes are in front of it.
 *
 *   behind > issue-behind.csv
 *
 * A row: `warps` warps of one block walk a chain of N_LINKS loads each (hit: from the first cache; load: past it), and in front
 * of every load stands an access to shared memory of `ways` passes, which nobody waits for: none, add (without a
 * result), store, load. `together`: all warps begin at one cycle, else within 256. Cycles a link, mean of the warps and slowest one,
 * medians of RUNS runs.
 */
#include "probe.h"

#define N_LINKS 32
#define RUNS	5

enum { NONE, ADD, STORE, LOAD };

template <int FRONT, bool HIT>
static __global__ void __launch_bounds__(1024, 1)
	chase(int ways, int together, const uint32_t *far, long long *cycles, uint32_t *sink)
{
	__shared__ uint32_t words[32 * 32];
	__shared__ long long start;
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	uint32_t word = (uint32_t)__cvta_generic_to_shared(words) + lane * 4 * ways;
	const uint32_t *at = far + warp * 32 + lane;
	uint32_t got, sum = 0;
	long long begin = 0, end = 0;

	for (int i = threadIdx.x; i < 1024; i += blockDim.x)
		words[i] = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		if (threadIdx.x == 0)
			start = stamp() + 500;
		__syncthreads();
		while (stamp() < start + (together ? 0 : warp * 37 % 256))
			;
		begin = stamp();
#pragma unroll
		for (int i = 0; i < N_LINKS; i++) {
			if (FRONT == ADD)
				asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(word)
					     : "memory");
			if (FRONT == STORE)
				asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(word),
					     "r"(lane)
					     : "memory");
			if (FRONT == LOAD) {
				asm volatile("ld.volatile.shared.u32 %0, [%1];"
					     : "=r"(got)
					     : "r"(word)
					     : "memory");
				sum ^= got;
			}
			if (HIT)
				asm volatile("ld.global.ca.u32 %0, [%1];"
					     : "=r"(got)
					     : "l"(at)
					     : "memory");
			else
				asm volatile("ld.global.cg.u32 %0, [%1];"
					     : "=r"(got)
					     : "l"(at)
					     : "memory");
			at += got;
		}
		sum += got;
		asm volatile("xor.b32 %0, %0, %1;" : "+r"(sum) : "r"(got));
		end = stamp();
	}
	if (lane == 0)
		cycles[warp] = end - begin;
	sink[threadIdx.x] = sum + (uint32_t)(uintptr_t)at;
}

template <int FRONT, bool HIT>
static void measure(const char *name, int ways, int warps, int together)
{
	static uint32_t *far = (uint32_t *)gpu_memory(1 << 20),
			*sink = (uint32_t *)gpu_memory(4096);
	static long long *gpu_cycles = (long long *)gpu_memory(32 * sizeof(long long));
	long long cycles[32];
	double run[RUNS], all[RUNS];

	for (int i = 0; i < RUNS; i++) {
		chase<FRONT, HIT><<<1, warps * 32>>>(ways, together, far, gpu_cycles, sink);
		CHECK_RUN();
		from_gpu(cycles, gpu_cycles, sizeof(cycles));
		run[i] = all[i] = 0;
		for (int warp = 0; warp < warps; warp++) {
			run[i] = cycles[warp] > run[i] ? cycles[warp] : run[i];
			all[i] += (double)cycles[warp] / warps;
		}
	}
	double slowest = median(run, RUNS);

	printf("%s,%s,%d,%d,%d,%.2f,%.2f\n", name, HIT ? "hit" : "load", ways, warps, together,
	       median(all, RUNS) / N_LINKS, slowest / N_LINKS);
}

template <bool HIT> static void measure_all(void)
{
	static const int warps[] = {1, 4, 8, 16, 32};

	for (int together = 0; together < 2; together++)
		for (int i = 0; i < 5; i++) {
			measure<NONE, HIT>("none", 0, warps[i], together);
			for (int ways = 1; ways <= 32; ways *= 2) {
				measure<ADD, HIT>("add", ways, warps[i], together);
				measure<STORE, HIT>("store", ways, warps[i], together);
				measure<LOAD, HIT>("load", ways, warps[i], together);
			}
		}
}

int main(void)
{
	warm_up();
	printf("front,global,ways,warps,together,mean,slowest\n");
	measure_all<false>();
	measure_all<true>();
	return 0;
}
