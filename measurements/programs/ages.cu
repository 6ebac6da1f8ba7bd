/* SPDX-License-Identifier: MIT */
/*
 * In which order an SM runs the blocks that it has.
 *
 *   ages > issue-ages.csv
 *
 * Each lane of a launch does `steps` FFMA, one on the result of the other, behind a stamp and in front of one. A row is a block of the SM of
 * block 0: steps; blocks and threads of the launch; `order`, the number of the block among those of that SM by its first stamp; slots of its
 * first and last warp; and cycles after the SM's first stamp at which the first and the last warp began and ended. Of RUNS launches the last.
 */
#include "probe.h"

#define RUNS 3

typedef struct {
	long long begin, end; /* clock of the SM */
	unsigned int sm, slot, block;
} Warp;

typedef struct {
	unsigned int block, first_slot, last_slot;
	long long first_begin, last_begin, first_end, last_end;
} Block;

static __device__ unsigned int warp_slot(void)
{
	unsigned int slot;

	asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
	return slot;
}

template <int STEPS> static __global__ void chain(Warp *warps, float *sink, float g)
{
	const unsigned int number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
	const long long begin = stamp();
	float value = threadIdx.x;

#pragma unroll
	for (int i = 0; i < STEPS; i++)
		value = fmaf(value, 1.0001f, g);
	if (value == 12345)
		*sink = value;
	if (threadIdx.x % 32 == 0)
		warps[number] = Warp{begin, stamp(), sm_id(), warp_slot(), blockIdx.x};
}

static int compare(const void *a, const void *b)
{
	const Block *x = (const Block *)a, *y = (const Block *)b;

	return x->first_begin < y->first_begin ? -1 : x->first_begin > y->first_begin;
}

/* The blocks of block 0's SM; n warps, so many a block. */
static int collect(const Warp *warps, int n, int block_warps, Block *blocks)
{
	int n_blocks = 0;

	for (int b = 0; b < n / block_warps; b++) {
		const Warp *first = &warps[b * block_warps];
		Block block = {first->block, first->slot, first->slot, first->begin,
			       first->begin, first->end,  first->end};

		if (first->sm != warps[0].sm)
			continue;
		for (const Warp *w = first; w < first + block_warps; w++) {
			block.first_slot = min(block.first_slot, w->slot);
			block.last_slot = max(block.last_slot, w->slot);
			block.first_begin = min(block.first_begin, w->begin);
			block.last_begin = max(block.last_begin, w->begin);
			block.first_end = min(block.first_end, w->end);
			block.last_end = max(block.last_end, w->end);
		}
		blocks[n_blocks++] = block;
	}
	qsort(blocks, n_blocks, sizeof *blocks, compare);
	return n_blocks;
}

template <int STEPS> static void measure(int grid, int threads)
{
	const int n = grid * threads / 32;
	Warp *warps, *here = (Warp *)malloc(n * sizeof *here);
	Block *blocks = (Block *)malloc(grid * sizeof *blocks);
	float *sink;
	int n_blocks;

	CHECK(cudaMalloc(&warps, n * sizeof *warps));
	CHECK(cudaMalloc(&sink, sizeof *sink));
	for (int run = 0; run < RUNS; run++) {
		chain<STEPS><<<grid, threads>>>(warps, sink, 0.5f);
		CHECK_RUN();
	}
	CHECK(cudaMemcpy(here, warps, n * sizeof *warps, cudaMemcpyDeviceToHost));
	n_blocks = collect(here, n, threads / 32, blocks);
	for (int i = 0; i < n_blocks; i++) {
		const long long zero = blocks[0].first_begin;
		const Block *b = &blocks[i];

		printf("%d,%d,%d,%d,%u,%u,%lld,%lld,%lld,%lld\n", STEPS, grid, threads, i,
		       b->first_slot, b->last_slot, b->first_begin - zero, b->last_begin - zero,
		       b->first_end - zero, b->last_end - zero);
	}
	CHECK(cudaFree(warps));
	CHECK(cudaFree(sink));
	free(here);
	free(blocks);
}

int main(void)
{
	static const int threads[] = {128, 256, 512, 1024};

	warm_up();
	printf("steps,blocks,threads,order,first_slot,last_slot,first_begin,last_begin,first_"
	       "end,last_end\n");
	for (int rounds = 1; rounds <= 2; rounds++)
		for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
			const int grid = rounds * sm_count() * (2048 / threads[t]);

			measure<64>(grid, threads[t]);
			measure<256>(grid, threads[t]);
		}
	return 0;
}
