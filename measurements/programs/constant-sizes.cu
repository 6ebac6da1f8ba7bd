/* SPDX-License-Identifier: MIT */
/*
 * How much of the constants of a module the caches of an SM have: passes over `bytes` of them, a word of each 64 bytes.
 *
 *   constant-sizes > issue-constant-sizes.csv
 *
 * A row: `warps` warps of one block go over the same constants; warp w is on sub-core w mod 4. form: `lookup`, a chain of loads at an
 * address in a register, the same in all lanes, of which each says where the next one is; `operand`, one instruction for each word, which
 * reads it as an operand. cycles: of a word, from the first warp's start to the last one's end, when all have been read once; the median
 * of RUNS launches. held_back: a third, by a hash of the cell.
 */
#include "probe.h"

#define RUNS	5
#define PASSES	4
#define N_WORDS 15360
#define LINE	64

extern "C" {
__constant__ uint32_t size_table[N_WORDS] = {1};
}

template <int I, int N> static __device__ __forceinline__ void operands(uint32_t *sum)
{
	if constexpr (I + 8 <= N) {
		asm volatile(
			"{ .reg .u32 t; ld.const.u32 t, [size_table+%1]; xor.b32 %0, t, %0;"
			" ld.const.u32 t, [size_table+%2]; xor.b32 %0, t, %0;"
			" ld.const.u32 t, [size_table+%3]; xor.b32 %0, t, %0;"
			" ld.const.u32 t, [size_table+%4]; xor.b32 %0, t, %0;"
			" ld.const.u32 t, [size_table+%5]; xor.b32 %0, t, %0;"
			" ld.const.u32 t, [size_table+%6]; xor.b32 %0, t, %0;"
			" ld.const.u32 t, [size_table+%7]; xor.b32 %0, t, %0;"
			" ld.const.u32 t, [size_table+%8]; xor.b32 %0, t, %0; }"
			: "+r"(*sum)
			: "n"(I * LINE), "n"(I * LINE + LINE), "n"(I * LINE + 2 * LINE),
			  "n"(I * LINE + 3 * LINE), "n"(I * LINE + 4 * LINE),
			  "n"(I * LINE + 5 * LINE), "n"(I * LINE + 6 * LINE),
			  "n"(I * LINE + 7 * LINE)
			: "memory");
		operands<I + 8, N>(sum);
	}
}

template <int N>
static __global__ void walk(bool lookup, long long *begins, long long *ends, uint32_t *sink)
{
	const int warp = threadIdx.x / 32;
	uint32_t sum = threadIdx.x, place = 0;
	long long begin = 0, end;

#pragma unroll 1
	for (int pass = 0; pass <= PASSES; pass++) {
		if (pass == 1) {
			__syncthreads();
			begin = stamp();
		}
		if (lookup)
#pragma unroll 8
			for (int i = 0; i < N; i++)
				place = size_table[place];
		else
			operands<0, N>(&sum);
	}
	asm volatile("" ::"r"(place), "r"(sum) : "memory");
	end = stamp_behind(place ^ sum, &sum);
	if (sum == 0x12345678)
		*sink = sum;
	if (threadIdx.x % 32 == 0) {
		begins[warp] = begin;
		ends[warp] = end;
	}
}

template <int N> static void measure(void)
{
	static const int warps[] = {1, 2, 4, 8, 16, 32};
	static long long *begins = (long long *)gpu_memory(32 * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(32 * sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(sizeof(uint32_t));
	static uint32_t next[N_WORDS];

	for (int i = 0; i < N; i++)
		next[i * LINE / 4] = (i + 1) % N * LINE / 4;
	CHECK(cudaMemcpyToSymbol(size_table, next, sizeof(next)));
	for (int form = 0; form < 2; form++)
		for (int n : warps) {
			double cycles[RUNS];
			char cell[64];

			for (int run = 0; run < RUNS; run++) {
				walk<N><<<1, n * 32>>>(form == 0, begins, ends, sink);
				CHECK_RUN();
				cycles[run] =
					(double)span_of_warps(begins, ends, n) / (N * PASSES);
			}
			snprintf(cell, sizeof(cell), "%s,%d,%d", form ? "operand" : "lookup",
				 N * LINE, n);
			double middle = median(cycles, RUNS);
			printf("%s,%.3f,%.3f,%.3f,%d\n", cell, middle, cycles[0],
			       cycles[RUNS - 1], held_back(cell));
		}
}

int main(void)
{
	warm_up();
	printf("op,bytes,warps,cycles,cycles_min,cycles_max,held_back\n");
	measure<8>();
	measure<16>();
	measure<24>();
	measure<32>();
	measure<40>();
	measure<48>();
	measure<64>();
	measure<96>();
	measure<128>();
	measure<256>();
	measure<384>();
	measure<512>();
	measure<640>();
	measure<768>();
	measure<960>();
	return 0;
}
