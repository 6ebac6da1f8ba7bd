/* SPDX-License-Identifier: MIT */
/*
 * Whose turn it is at a word of global memory that many warps want, and how many atomics an SM has under way.
 *
 *   cas-turns > cas-turns.csv
 *   cas-turns shared > cas-shared.csv
 *
 * A row of the first is an SM of a launch: warps try to swap one word (`cas`: the value is never as expected) or exchange it, each of
 * `lanes` lanes, again and again for CYCLES cycles. `accesses` are those of all warps of the SM; `cycles` go from a warp's begin to its last
 * answer, of the warp for which that is longest.
 * A row of the second is a launch of one block, the second of two, whose warps have N_STEPS such accesses each, one after the other;
 * `shared` bytes of shared memory leave its SM the rest as first cache. `page`: which of two pages, in either half of the L2, has the word.
 */
#include "probe.h"

#define CYCLES	4000000
#define N_STEPS 64
#define MAX_SMS 132
#define PAGE	4096

enum { CAS, EXCHANGE, N_OPERATIONS };

static const char *const names[] = {"cas", "exchange"};

static __device__ __forceinline__ unsigned access(int operation, unsigned *word, unsigned value)
{
	return operation == CAS ? atomicCAS(word, 0x7fffffff, value) : atomicExch(word, value);
}

/* All blocks have begun. */
static __device__ void begin_together(unsigned *begun)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		atomicAdd(begun, 1);
		while (*(volatile unsigned *)begun < gridDim.x)
			;
	}
	__syncthreads();
}

static __global__ void turns(int operation, int lanes, unsigned *word, unsigned *begun,
			     unsigned *n, long long *cycles, unsigned *sms)
{
	unsigned value = 0, tried = 0;
	long long begin, now;

	begin_together(begun);
	begin = now = stamp();
	if ((int)threadIdx.x % 32 < lanes)
		while (now - begin < CYCLES) {
			value = access(operation, word, value & 0xff);
			tried++;
			/* Never so: the next one waits for this one's result. */
			if (value == 0x7fffffff)
				break;
			now = stamp();
		}
	if (threadIdx.x % 32 == 0) {
		atomicAdd(&n[blockIdx.x], tried);
		atomicMax((unsigned long long *)&cycles[blockIdx.x], now - begin);
		sms[blockIdx.x] = sm_id();
	}
}

static __global__ void steps(int operation, int lanes, unsigned *word, long long *ends)
{
	extern __shared__ unsigned room[];
	unsigned value = 0;
	long long begin;

	__syncthreads();
	begin = stamp();
	if ((int)threadIdx.x % 32 < lanes)
#pragma unroll 1
		for (int i = 0; i < N_STEPS; i++)
			value = access(operation, word, value & 0xff);
	if (value == 0x7fffffff)
		room[0] = value;
	if (threadIdx.x % 32 == 0) {
		ends[threadIdx.x / 32 * 2] = begin;
		ends[threadIdx.x / 32 * 2 + 1] = stamp();
	}
}

static char *words;
static unsigned *begun, *n, *sms;
static long long *times;

static void run_turns(int operation, int blocks, int warps, int lanes)
{
	static unsigned tried[MAX_SMS], sm[MAX_SMS];
	static long long cycles[MAX_SMS];

	CHECK(cudaMemset(words, 0, 2 * PAGE));
	CHECK(cudaMemset(begun, 0, sizeof(*begun)));
	CHECK(cudaMemset(n, 0, sizeof(tried)));
	CHECK(cudaMemset(times, 0, sizeof(cycles)));
	turns<<<blocks, warps * 32>>>(operation, lanes, (unsigned *)words, begun, n, times,
				      sms);
	CHECK_RUN();
	from_gpu(tried, n, sizeof(tried));
	from_gpu(sm, sms, sizeof(sm));
	from_gpu(cycles, times, sizeof(cycles));
	for (int i = 0; i < blocks; i++)
		printf("%s,%d,%d,%d,%u,%u,%lld\n", names[operation], blocks, warps, lanes,
		       sm[i], tried[i], cycles[i]);
}

static void run_steps(int operation, int warps, int lanes, int shared, int page)
{
	static long long ends[64];
	long long first = INT64_MAX, last = 0;

	for (int run = 0; run < 2; run++) {
		CHECK(cudaMemset(words, 0, 2 * PAGE));
		steps<<<1, warps * 32, shared>>>(operation, lanes,
						 (unsigned *)(words + page * PAGE), times);
		CHECK_RUN();
	}
	from_gpu(ends, times, sizeof(ends));
	for (int i = 0; i < warps; i++) {
		first = ends[i * 2] < first ? ends[i * 2] : first;
		last = ends[i * 2 + 1] > last ? ends[i * 2 + 1] : last;
	}
	printf("%s,%d,%d,%d,%d,%d,%lld\n", names[operation], warps, lanes, shared, page,
	       N_STEPS, last - first);
}

int main(int argc, char **argv)
{
	static const int blocks[] = {2, 16, 64, 132}, warps[] = {1, 4, 8, 16},
			 lanes[] = {1, 8, 32};
	static const int shares[] = {0, 24576, 49152, 100000};

	CHECK(cudaMalloc(&words, 2 * PAGE));
	CHECK(cudaMalloc(&begun, sizeof(*begun)));
	CHECK(cudaMalloc(&n, MAX_SMS * sizeof(*n)));
	CHECK(cudaMalloc(&sms, MAX_SMS * sizeof(*sms)));
	CHECK(cudaMalloc(&times, MAX_SMS * sizeof(*times)));
	CHECK(cudaFuncSetAttribute(steps, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
	if (argc > 1) {
		puts("operation,warps,lanes,shared,page,steps,cycles");
		for (int operation = 0; operation < N_OPERATIONS; operation++)
			for (int w = 1; w <= 32; w *= 2)
				for (int l = 0; l < 3; l++)
					for (int s = 0; s < 4; s++)
						for (int page = 0; page < 2; page++)
							run_steps(operation, w, lanes[l],
								  shares[s], page);
		return 0;
	}
	puts("operation,blocks,warps,lanes,sm,accesses,cycles");
	for (int operation = 0; operation < N_OPERATIONS; operation++)
		for (int b = 0; b < 4; b++)
			for (int w = 0; w < 4; w++)
				for (int l = 0; l < 3; l += 2)
					run_turns(operation, blocks[b], warps[w], lanes[l]);
	return 0;
}
