/* SPDX-License-Identifier: MIT */
/*
 * What the first accesses of a program to memory cost that no kernel has used: constants of the module, its variables, thread-local and
 * global memory.
 *
 *   first-touch KIND STRIDE BLOCKS THREADS: rows of one process; first-touch.sh FIRST-TOUCH > first-touch.csv
 *
 * Each warp makes STEPS accesses, `stride` bytes apart, and waits for each by a branch: kind `operand`, constants of the module that an instruction
 * reads; `lookup`, constants at an address in a register; `variable`, a variable of the module; `local-load`, thread-local memory
 * that was not stored to; `local`, a store to it and a load of the same word; `local-store`, the store alone; `global-load`, `global`,
 * `global-store`, the same in memory of cudaMalloc that nothing has used. With `copied` the host has copied the constants or the variable.
 * A row: way: `alone`, or `counted`, under Nsight Compute, which empties the TLBs; kind, stride, copied, blocks, threads, launch, step, and
 * cycles of the step: the least, the median and the most of all warps.
 */
#include "probe.h"

#define STEPS	 12
#define LAUNCHES 3
#define N_WORDS	 15360

extern "C" {
__constant__ uint32_t first_table[N_WORDS] = {1};
__device__ uint32_t first_variable[N_WORDS] = {1};
}

enum {
	OPERAND,
	LOOKUP,
	VARIABLE,
	LOCAL_LOAD,
	LOCAL,
	LOCAL_STORE,
	GLOBAL_LOAD,
	GLOBAL,
	GLOBAL_STORE,
	N_KINDS
};
static const char *const kinds[] = {"operand",	   "lookup", "variable",
				    "local-load",  "local",  "local-store",
				    "global-load", "global", "global-store"};

/* The clock when the value is there. No such value comes. */
static __device__ __forceinline__ long long stamp_when(uint32_t value)
{
	if (value == 0x7fffffff)
		asm volatile("trap;");
	return stamp();
}

template <int I, int STRIDE>
static __device__ __forceinline__ void operands(uint32_t *sum, long long *at)
{
	if constexpr (I < STEPS) {
		asm volatile(
			"{ .reg .u32 t; ld.const.u32 t, [first_table+%1]; xor.b32 %0, t, %0; }"
			: "+r"(*sum)
			: "n"(I * STRIDE)
			: "memory");
		at[I + 1] = stamp_when(*sum);
		operands<I + 1, STRIDE>(sum, at);
	}
}

template <int KIND>
static __device__ __forceinline__ uint32_t access(uint32_t *memory, uint32_t local, uint32_t x)
{
	uint32_t got = x;

	if (KIND == LOCAL || KIND == LOCAL_STORE)
		asm volatile("st.local.u32 [%0], %1;" ::"r"(local), "r"(x) : "memory");
	if (KIND == LOCAL || KIND == LOCAL_LOAD)
		asm volatile("ld.local.u32 %0, [%1];" : "=r"(got) : "r"(local) : "memory");
	if (KIND == GLOBAL || KIND == GLOBAL_STORE)
		asm volatile("st.global.u32 [%0], %1;" ::"l"(memory), "r"(x) : "memory");
	if (KIND == GLOBAL || KIND == GLOBAL_LOAD || KIND == VARIABLE)
		asm volatile("ld.global.u32 %0, [%1];" : "=r"(got) : "l"(memory) : "memory");
	return got;
}

/* STRIDE: of lines of a warp's words for local memory, else bytes. */
template <int KIND, int STRIDE> static __global__ void touch(uint32_t *memory, long long *out)
{
	const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32,
		       lane = threadIdx.x % 32;
	uint32_t frame[STEPS * STRIDE / 128 + 1];
	uint32_t sum = lane;
	long long at[STEPS + 1];

	asm volatile("" ::"l"(frame) : "memory");
	at[0] = stamp_when(sum);
	if constexpr (KIND == OPERAND) {
		operands<0, STRIDE>(&sum, at);
	} else {
#pragma unroll
		for (int i = 0; i < STEPS; i++) {
			uint32_t x;

			if (KIND == LOOKUP)
				x = first_table[(i * STRIDE / 4 + (sum >> 20)) % N_WORDS];
			else if (KIND == VARIABLE)
				x = access<KIND>(first_variable + i * STRIDE / 4 + lane, 0,
						 sum);
			else
				x = access<KIND>(memory + (size_t)warp * STEPS * STRIDE / 4 +
							 i * STRIDE / 4 + lane,
						 (uint32_t)__cvta_generic_to_local(frame) +
							 i * STRIDE / 32,
						 sum & 1023);
			at[i + 1] = stamp_when(x);
			sum ^= x;
		}
	}
	if (sum == 0x12345678)
		out[0] = 0;
	if (lane == 0)
		for (int i = 0; i < STEPS; i++)
			out[warp * STEPS + i] = at[i + 1] - at[i];
}

template <int KIND, int STRIDE> static void measure(bool copied, int blocks, int threads)
{
	const int n_warps = blocks * threads / 32;
	static uint32_t words[N_WORDS];
	long long *cycles = (long long *)malloc(n_warps * STEPS * sizeof(long long));
	double *sorted = (double *)malloc(n_warps * sizeof(double));
	uint32_t *memory = NULL;
	long long *out;

	words[0] = 1;
	CHECK(cudaMalloc(&out, n_warps * STEPS * sizeof(long long)));
	if (KIND >= GLOBAL_LOAD)
		CHECK(cudaMalloc(&memory, (size_t)n_warps * STEPS * STRIDE));
	if (copied && KIND == VARIABLE)
		CHECK(cudaMemcpyToSymbol(first_variable, words, sizeof(words)));
	else if (copied)
		CHECK(cudaMemcpyToSymbol(first_table, words, sizeof(words)));
	for (int launch = 0; launch < LAUNCHES; launch++) {
		touch<KIND, STRIDE><<<blocks, threads>>>(memory, out);
		CHECK_RUN();
		from_gpu(cycles, out, n_warps * STEPS * sizeof(long long));
		for (int step = 0; step < STEPS; step++) {
			for (int w = 0; w < n_warps; w++)
				sorted[w] = cycles[w * STEPS + step];
			double middle = median(sorted, n_warps);
			printf("%s,%d,%d,%d,%d,%d,%d,%.0f,%.0f,%.0f\n", kinds[KIND], STRIDE,
			       copied, blocks, threads, launch, step, sorted[0], middle,
			       sorted[n_warps - 1]);
		}
	}
}

template <int KIND> static void by_stride(int stride, bool copied, int blocks, int threads)
{
	if (stride == 64)
		measure<KIND, 64>(copied, blocks, threads);
	else if (stride == 128)
		measure<KIND, 128>(copied, blocks, threads);
	else
		measure<KIND, 256>(copied, blocks, threads);
}

typedef void (*Measure)(int stride, bool copied, int blocks, int threads);

static const Measure measures[N_KINDS] = {
	by_stride<OPERAND>,	by_stride<LOOKUP>, by_stride<VARIABLE>,
	by_stride<LOCAL_LOAD>,	by_stride<LOCAL>,  by_stride<LOCAL_STORE>,
	by_stride<GLOBAL_LOAD>, by_stride<GLOBAL>, by_stride<GLOBAL_STORE>};

int main(int argc, char **argv)
{
	const bool copied = argc > 5 && strcmp(argv[5], "copied") == 0;

	for (int kind = 0; argc > 4 && kind < N_KINDS; kind++)
		if (strcmp(argv[1], kinds[kind]) == 0) {
			measures[kind](atoi(argv[2]), copied, atoi(argv[3]), atoi(argv[4]));
			return 0;
		}
	fprintf(stderr, "usage: first-touch KIND 64|128|256 BLOCKS THREADS [copied]\n");
	return 2;
}
