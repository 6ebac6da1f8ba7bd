/* SPDX-License-Identifier: MIT */
/*
 * Branches to an address in a register: a switch by a table of targets (BRX), and calls of a function, which return (RET).
 *
 *   indirect > issue-indirect.csv
 *
 * A row: each warp of a block goes ROUNDS times through a loop. op: `switch`, to one of four places that adds, multiplies, shifts or
 * combines, the one that it went to before (step 0) or the next one (step 1); `calls`, of two functions, one after the other; `call`, of one.
 * cycles: a round, the mean of the warps; the median of RUNS launches.
 */
#include "probe.h"

#define ROUNDS 256
#define RUNS   5

static __device__ __noinline__ uint32_t add(uint32_t x)
{
	asm volatile("add.u32 %0, %0, 7;" : "+r"(x));
	return x;
}

static __device__ __noinline__ uint32_t combine(uint32_t x)
{
	asm volatile("xor.b32 %0, %0, 7;" : "+r"(x));
	return x;
}

/* Rounds of a warp twice: the first time its code comes. */
template <int OP>
static __global__ void rounds(uint32_t step, long long *cycles, uint32_t *sink)
{
	uint32_t i = threadIdx.x / 32, x = i;
	long long begin, end;

#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncthreads();
		begin = stamp();
#pragma unroll 1
		for (int round = 0; round < ROUNDS; round++) {
			if (OP == 0) {
				i = (i + step) & 3;
				asm volatile("{ targets: .branchtargets L0, L1, L2, L3;"
					     " brx.idx %1, targets;"
					     " L0: xor.b32 %0, %0, 5; bra.uni DONE;"
					     " L1: add.u32 %0, %0, 7; bra.uni DONE;"
					     " L2: mul.lo.u32 %0, %0, 9; bra.uni DONE;"
					     " L3: shl.b32 %0, %0, 1; bra.uni DONE;"
					     " DONE: }"
					     : "+r"(x)
					     : "r"(i));
			} else {
				x = add(x);
				if (OP == 2)
					x = combine(x);
			}
		}
		end = stamp();
	}
	if (threadIdx.x % 32 == 0)
		cycles[threadIdx.x / 32] = end - begin;
	if (x == 0x12345678)
		*sink = x;
}

template <int OP> static void measure(const char *op, uint32_t step)
{
	static long long *cycles = (long long *)gpu_memory(32 * sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(sizeof(uint32_t));

	for (int warps : {1, 4, 8, 16, 32}) {
		double means[RUNS];

		for (int run = 0; run < RUNS; run++) {
			long long of[32], sum = 0;

			rounds<OP><<<1, warps * 32>>>(step, cycles, sink);
			CHECK_RUN();
			from_gpu(of, cycles, sizeof(of));
			for (int w = 0; w < warps; w++)
				sum += of[w];
			means[run] = (double)sum / warps / ROUNDS;
		}
		printf("%s,%u,%d,%.3f\n", op, step, warps, median(means, RUNS));
	}
}

int main(void)
{
	warm_up();
	printf("op,step,warps,cycles\n");
	measure<0>("switch", 0);
	measure<0>("switch", 1);
	measure<1>("call", 0);
	measure<2>("calls", 0);
	return 0;
}
