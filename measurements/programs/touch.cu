/* SPDX-License-Identifier: MIT */
/*
 * What a load costs when its line is touched for the first time, and what the first cache holds.
 *
 *   touch > touch.csv
 *
 * Every row is a chain of loads of one thread, cycles a load. Columns: experiment, path (ca may hit the first cache,
 * cg not), bytes (of the region), shared_bytes (that the block takes), prefer (of the SM's memory for shared memory, in
 * per cent; -1: not asked for), launch, sm, pass, at, cycles.
 * - `pages`: a load of the first line of each of 64 pages, page `at`, by the SMs of a list one after the other, two passes
 *   each: launches 0 to 3 by one SM each, launch 4 by three of them in turn, launch 5 after memory was written anew.
 * - `l1`: a random ring through all lines of the region, the third pass.
 * - `l2`: the same past the first cache, passes 0 to 2.
 * - `phases`: what one warp's begin and end cost: `at` 0 to 7 dependent accesses on one line, 8 the fence behind them.
 */
#include "probe.h"

#define LINE_BYTES 128
#define PAGE_BYTES 4096
#define N_PAGES	   64
#define MAX_LIST   3

typedef struct {
	int n;
	unsigned int sm[MAX_LIST];
} List;

/* The listed SMs in turn: a chain of loads, one of each page. */
static __global__ void walk_pages(const char *base, List list, unsigned int *turn,
				  unsigned int *taken, int *cycles)
{
	for (int i = 0; i < list.n; i++) {
		if (list.sm[i] != sm_id() || threadIdx.x > 0 || atomicExch(&taken[i], 1) != 0)
			continue;
		while (atomicAdd(turn, 0) != (unsigned int)i)
			;
		for (int pass = 0; pass < 2; pass++) {
			unsigned int late = 0;
			long long before = stamp();

#pragma unroll 1
			for (int page = 0; page < N_PAGES; page++) {
				unsigned int value;

				asm volatile("ld.global.cg.u32 %0, [%1];"
					     : "=r"(value)
					     : "l"(base + (size_t)page * PAGE_BYTES + late)
					     : "memory");
				late = value >> 31;

				long long now = stamp() + late;

				cycles[(i * 2 + pass) * N_PAGES + page] = now - before;
				before = now;
			}
		}
		__threadfence();
		atomicAdd(turn, 1);
	}
}

static void measure_pages(void)
{
	static const List lists[] = {{1, {0}}, {1, {0}},       {1, {2}},
				     {1, {4}}, {3, {0, 2, 4}}, {3, {0, 2, 4}}};
	const size_t bytes = (size_t)2 << 20;
	char *base = (char *)gpu_memory(bytes);
	unsigned int *turn = (unsigned int *)gpu_memory(sizeof(*turn));
	unsigned int *taken = (unsigned int *)gpu_memory(MAX_LIST * sizeof(*taken));
	int *cycles = (int *)gpu_memory(MAX_LIST * 2 * N_PAGES * sizeof(int));
	static int host[MAX_LIST * 2 * N_PAGES];

	for (int launch = 0; launch < 6; launch++) {
		const List *list = &lists[launch];

		if (launch == 5)
			CHECK(cudaMemset(base, 0, bytes));
		CHECK(cudaMemset(turn, 0, sizeof(*turn)));
		CHECK(cudaMemset(taken, 0, MAX_LIST * sizeof(*taken)));
		walk_pages<<<sm_count(), 1024>>>(base, *list, turn, taken, cycles);
		CHECK_RUN();
		from_gpu(host, cycles, sizeof(host));
		for (int i = 0; i < list->n * 2; i++)
			for (int page = 0; page < N_PAGES; page++)
				printf("pages,cg,%zu,0,-1,%d,%u,%d,%d,%d\n", bytes, launch,
				       list->sm[i / 2], i % 2, page, host[i * N_PAGES + page]);
	}
}

template <bool PAST_L1>
static __global__ void chase(const uint64_t *start, int hops, int passes, long long *cycles)
{
	const uint64_t *word = start;

	for (int pass = 0; pass < passes; pass++) {
		long long begin = stamp();

#pragma unroll 8
		for (int i = 0; i < hops; i++)
			if (PAST_L1)
				asm volatile("ld.global.cg.u64 %0, [%0];"
					     : "+l"(word)::"memory");
			else
				asm volatile("ld.global.ca.u64 %0, [%0];"
					     : "+l"(word)::"memory");
		if (!word)
			return;
		cycles[pass] = stamp() - begin;
	}
}

/* A ring through the region's lines in no order; on the GPU. */
static uint64_t *new_ring(size_t bytes)
{
	size_t n = bytes / LINE_BYTES, words = LINE_BYTES / sizeof(uint64_t);
	uint64_t *base = (uint64_t *)gpu_memory(bytes);
	uint64_t *ring = (uint64_t *)calloc(n, LINE_BYTES);
	size_t *order = (size_t *)malloc(n * sizeof(size_t));
	uint32_t random = 12345;

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n - 1; i > 0; i--) {
		size_t j = next_random(&random) % i, other = order[i];

		order[i] = order[j];
		order[j] = other;
	}
	for (size_t i = 0; i < n; i++)
		ring[order[i] * words] = (uint64_t)(base + order[(i + 1) % n] * words);
	CHECK(cudaMemcpy(base, ring, bytes, cudaMemcpyHostToDevice));
	free(ring);
	free(order);
	return base;
}

static void measure_l1(void)
{
	static const int shared[] = {0,	    1024,   8192,   16384,  32768,  49152,
				     65536, 102400, 135168, 167936, 200704, 232448};
	static const int prefers[] = {-1, 0, 50, 100};
	long long *cycles = (long long *)gpu_memory(3 * sizeof(long long)), host[3];

	CHECK(cudaFuncSetAttribute(chase<false>, cudaFuncAttributeMaxDynamicSharedMemorySize,
				   shared_bytes_most()));
	for (size_t bytes = 16384; bytes <= 270336; bytes += bytes < 131072 ? 16384 : 8192) {
		uint64_t *ring = new_ring(bytes);

		for (int p = 0; p < 4; p++)
			for (int s = 0; s < (p ? 1 : 12); s++) {
				if (shared[s] > shared_bytes_most())
					continue;
				CHECK(cudaFuncSetAttribute(
					chase<false>,
					cudaFuncAttributePreferredSharedMemoryCarveout,
					prefers[p]));
				chase<false><<<1, 1, shared[s]>>>(ring, bytes / LINE_BYTES, 3,
								  cycles);
				CHECK_RUN();
				from_gpu(host, cycles, sizeof(host));
				printf("l1,ca,%zu,%d,%d,0,0,2,0,%.2f\n", bytes, shared[s],
				       prefers[p], (double)host[2] / (bytes / LINE_BYTES));
			}
		CHECK(cudaFree(ring));
	}
}

static void measure_l2(void)
{
	static const int mib[] = {1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 64};
	long long *cycles = (long long *)gpu_memory(3 * sizeof(long long)), host[3];

	for (int m = 0; m < 16; m++) {
		/* The last is more than any L2 holds: twice its size. */
		const size_t l2 = (size_t)device_attribute(cudaDevAttrL2CacheSize);
		size_t bytes = m < 15 ? (size_t)mib[m] << 20 : 2 * l2 / LINE_BYTES * LINE_BYTES;
		uint64_t *ring = new_ring(bytes);

		for (int launch = 0; launch < 2; launch++) {
			chase<true><<<1, 1>>>(ring, bytes / LINE_BYTES, 3, cycles);
			CHECK_RUN();
			from_gpu(host, cycles, sizeof(host));
			for (int pass = 0; pass < 3; pass++)
				printf("l2,cg,%zu,0,-1,%d,0,%d,0,%.2f\n", bytes, launch, pass,
				       (double)host[pass] / (bytes / LINE_BYTES));
		}
		CHECK(cudaFree(ring));
	}
}

enum { LOAD, ATOM, RED };

template <int KIND>
static __global__ void phases(char *words, const uint32_t *table, int *cycles)
{
	uint32_t index = table[threadIdx.x], late = 0;
	long long stamps[10];

	__syncthreads();
	stamps[0] = stamp();
#pragma unroll
	for (int i = 0; i < 8; i++) {
		char *address = words + (size_t)(index + late) * 4;

		if (KIND == LOAD)
			asm volatile("ld.global.cg.u32 %0, [%1];"
				     : "=r"(late)
				     : "l"(address)
				     : "memory");
		else if (KIND == ATOM)
			asm volatile("atom.global.add.u32 %0, [%1], 1;"
				     : "=r"(late)
				     : "l"(address)
				     : "memory");
		else
			asm volatile("red.global.add.u32 [%0], 1;" ::"l"(address) : "memory");
		late >>= 31;
		stamps[i + 1] = stamp() + late;
	}
	__threadfence();
	stamps[9] = stamp();
	if (threadIdx.x == 0)
		for (int i = 0; i < 9; i++)
			cycles[i] = stamps[i + 1] - stamps[i];
}

static void measure_phases(void)
{
	static const char *const names[] = {"phases-ld", "phases-atom", "phases-red"};
	char *words = (char *)gpu_memory((size_t)4 << 20);
	uint32_t *table = (uint32_t *)gpu_memory((size_t)4 << 20);
	int *cycles = (int *)gpu_memory(9 * sizeof(int)), host[9];

	for (int kind = 0; kind < 3; kind++)
		for (int page = 0; page < 2; page++)
			for (int launch = 0; launch < 4; launch++) {
				char *at = words + page * PAGE_BYTES;

				if (launch == 3)
					CHECK(cudaMemset(words, 0, PAGE_BYTES * 2));
				if (kind == LOAD)
					phases<LOAD><<<1, 32>>>(at, table, cycles);
				else if (kind == ATOM)
					phases<ATOM><<<1, 32>>>(at, table, cycles);
				else
					phases<RED><<<1, 32>>>(at, table, cycles);
				CHECK_RUN();
				from_gpu(host, cycles, sizeof(host));
				for (int i = 0; i < 9; i++)
					printf("%s,cg,%d,0,-1,%d,0,0,%d,%d\n", names[kind],
					       page * PAGE_BYTES, launch, i, host[i]);
			}
}

int main(void)
{
	warm_up();
	printf("experiment,path,bytes,shared_bytes,prefer,launch,sm,pass,at,cycles\n");
	measure_pages();
	measure_phases();
	measure_l1();
	measure_l2();
	return 0;
}
