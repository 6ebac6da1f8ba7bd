/* SPDX-License-Identifier: MIT */
/*
 * Measures how many cycles of its SM each block of a kernel takes, if compiled with -DMEASURE;
 * without it, a kernel's machine code is the kernel alone, and that is what is captured.
 *
 * A kernel reads the clock where it begins, MEASURE_BEGIN, and where it ends, MEASURE_END, in
 * every warp. A block's cycles go from its first warp's begin to its last warp's end. The program
 * runs the kernel MEASURE_RUNS times; the first run, with cold caches, does not count.
 */
#ifndef MEASURE_H
#define MEASURE_H

#ifdef MEASURE

#define MEASURE_RUNS	   21
#define MEASURE_MAX_BLOCKS 256

typedef struct {
	long long begin, end;
	unsigned int sm;
} MeasureWarp;

static __device__ MeasureWarp measure_warps[MEASURE_MAX_BLOCKS][32];

static __device__ inline long long measure_clock(void)
{
	long long clock;

	asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
	return clock;
}

static __device__ inline void measure_end(long long begin)
{
	long long end = measure_clock();
	unsigned int thread = threadIdx.x + blockDim.x * threadIdx.y;
	MeasureWarp *warp = &measure_warps[blockIdx.x + gridDim.x * blockIdx.y][thread / 32];

	if (thread % 32 == 0) {
		warp->begin = begin;
		warp->end = end;
		asm("mov.u32 %0, %%smid;" : "=r"(warp->sm));
	}
}

#define MEASURE_BEGIN() long long measure_begin = measure_clock()
#define MEASURE_END()	measure_end(measure_begin)

static struct {
	int blocks, threads, shared_bytes;
	int shared_sm; /* runs in which two blocks were on one SM */
	long long cycles[MEASURE_RUNS][MEASURE_MAX_BLOCKS];
} measured;

/* Idle GPUs run at a low clock, and their memory at another ratio to it: keeps the SMs busy until
   the clock is up. */
static __global__ void measure_warm_up(void)
{
	for (long long begin = measure_clock(); measure_clock() - begin < 400000000;)
		;
}

/* Takes the clocks of a run that was just launched. */
static void measure_collect(int run, int blocks, int threads, int shared_bytes)
{
	static MeasureWarp warps[MEASURE_MAX_BLOCKS][32];
	char sm_taken[1024] = {0};
	int shares = 0;

	measured.blocks = blocks;
	measured.threads = threads;
	measured.shared_bytes = shared_bytes;
	if (cudaMemcpyFromSymbol(warps, measure_warps, sizeof(warps)) != cudaSuccess)
		exit(1);
	for (int block = 0; block < blocks; block++) {
		long long begin = warps[block][0].begin, end = warps[block][0].end;

		for (int warp = 1; warp < (threads + 31) / 32; warp++) {
			begin = begin < warps[block][warp].begin ? begin
								 : warps[block][warp].begin;
			end = end > warps[block][warp].end ? end : warps[block][warp].end;
		}
		measured.cycles[run][block] = end - begin;
		shares |= sm_taken[warps[block][0].sm % 1024]++;
	}
	measured.shared_sm += shares != 0;
	if (run == 0)
		measure_warm_up<<<132, 128>>>();
}

static int measure_compare(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return x < y ? -1 : x > y;
}

/* blocks, threads, shared bytes, runs, runs with two blocks on one SM; block 0: median,
   smallest, largest; median of all blocks and runs. */
static void measure_print(void)
{
	static long long first[MEASURE_RUNS], all[MEASURE_RUNS * MEASURE_MAX_BLOCKS];
	int n = 0, runs = MEASURE_RUNS - 1;

	for (int run = 1; run <= runs; run++) {
		first[run - 1] = measured.cycles[run][0];
		for (int block = 0; block < measured.blocks; block++)
			all[n++] = measured.cycles[run][block];
	}
	qsort(first, runs, sizeof(*first), measure_compare);
	qsort(all, n, sizeof(*all), measure_compare);
	printf("measured %d,%d,%d,%d,%d,%lld,%lld,%lld,%lld\n", measured.blocks,
	       measured.threads, measured.shared_bytes, runs, measured.shared_sm,
	       first[runs / 2], first[0], first[runs - 1], all[n / 2]);
}

#else

#define MEASURE_RUNS 1
#define MEASURE_BEGIN()
#define MEASURE_END()
#define measure_collect(run, blocks, threads, shared_bytes)
#define measure_print()

#endif

#endif
