/* SPDX-License-Identifier: MIT */
/*
 * Measures whole launches of kernels that work on global memory, if compiled with -DMEASURE; without
 * it a kernel's machine code is the kernel alone, and that is what is captured.
 *
 * LAUNCH_BEGIN and LAUNCH_END stand where every warp of a kernel begins and ends. An SM's cycles go
 * from its first warp's begin to its last warp's end, behind a device-wide fence; a launch's are
 * the largest of all SMs. A block's go from its first warp's begin to its last one's end.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <math.h>

#include "kernel.h"

#ifdef MEASURE

#define LAUNCH_RUNS	  11 /* the first does not count */
#define LAUNCH_MAX_SMS	  512
#define LAUNCH_MAX_BLOCKS 8192 /* the first of a grid; of the others only the SM is measured */

typedef struct {
	long long begin, end;
} LaunchSpan;

static __device__ LaunchSpan launch_sms[LAUNCH_MAX_SMS], launch_blocks[LAUNCH_MAX_BLOCKS];

static __device__ inline void launch_end(long long begin)
{
	long long end;
	unsigned int sm;

	__threadfence();
	asm volatile("mov.u64 %0, %%clock64;" : "=l"(end)::"memory");
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	atomicMin(&launch_sms[sm].begin, begin);
	atomicMax(&launch_sms[sm].end, end);
	if (blockIdx.x < LAUNCH_MAX_BLOCKS) {
		atomicMin(&launch_blocks[blockIdx.x].begin, begin);
		atomicMax(&launch_blocks[blockIdx.x].end, end);
	}
}

#define LAUNCH_BEGIN() long long launch_begin = measure_clock()
/* Once a warp: by the lane that is the first of those that are here. */
#define LAUNCH_END()                                                                           \
	do {                                                                                   \
		if (__ffs(__activemask()) - 1 == (int)(threadIdx.x % 32))                      \
			launch_end(launch_begin);                                              \
	} while (0)

static int launch_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static LaunchSpan launch_host[LAUNCH_MAX_BLOCKS];

static void launch_clear(void)
{
	for (int i = 0; i < LAUNCH_MAX_BLOCKS; i++) {
		launch_host[i].begin = 0x7fffffffffffffff;
		launch_host[i].end = 0;
	}
	CHECK(cudaMemcpyToSymbol(launch_sms, launch_host, sizeof(LaunchSpan) * LAUNCH_MAX_SMS));
	CHECK(cudaMemcpyToSymbol(launch_blocks, launch_host,
				 sizeof(LaunchSpan) * LAUNCH_MAX_BLOCKS));
}

/* The largest span of any SM; the median block's in *block. */
static double launch_spans(double *block)
{
	static double blocks[LAUNCH_MAX_BLOCKS];
	double most = 0;
	int n = 0;

	CHECK(cudaMemcpyFromSymbol(launch_host, launch_sms,
				   sizeof(LaunchSpan) * LAUNCH_MAX_SMS));
	for (int i = 0; i < LAUNCH_MAX_SMS; i++)
		if (launch_host[i].end && launch_host[i].end - launch_host[i].begin > most)
			most = launch_host[i].end - launch_host[i].begin;
	CHECK(cudaMemcpyFromSymbol(launch_host, launch_blocks,
				   sizeof(LaunchSpan) * LAUNCH_MAX_BLOCKS));
	for (int i = 0; i < LAUNCH_MAX_BLOCKS; i++)
		if (launch_host[i].end)
			blocks[n++] = launch_host[i].end - launch_host[i].begin;
	qsort(blocks, n, sizeof(*blocks), launch_compare);
	*block = n ? blocks[n / 2] : 0;
	return most;
}

/* Runs `prepare` and then `work`, which launches kernels, and prints the row
   kernel,cycles,cycles_min,cycles_max,block_cycles,microseconds: medians. If `work` launches several
   kernels, an SM's cycles go from the first one's begin to the last one's end, and a block's over
   all kernels too. Microseconds are between events around them. */
template <typename Prepare, typename Work>
static void launch_measure(const char *kernel, Prepare prepare, Work work)
{
	double cycles[LAUNCH_RUNS], block[LAUNCH_RUNS], us[LAUNCH_RUNS];
	cudaEvent_t begin, end;

	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&end));
	measure_warm_up<<<132, 128>>>();
	for (int run = 0; run < LAUNCH_RUNS; run++) {
		float ms;

		prepare();
		launch_clear();
		CHECK(cudaDeviceSynchronize());
		CHECK(cudaEventRecord(begin));
		work();
		CHECK(cudaEventRecord(end));
		CHECK(cudaGetLastError());
		CHECK(cudaDeviceSynchronize());
		CHECK(cudaEventElapsedTime(&ms, begin, end));
		us[run] = ms * 1000;
		cycles[run] = launch_spans(&block[run]);
	}
	qsort(cycles + 1, LAUNCH_RUNS - 1, sizeof(double), launch_compare);
	qsort(block + 1, LAUNCH_RUNS - 1, sizeof(double), launch_compare);
	qsort(us + 1, LAUNCH_RUNS - 1, sizeof(double), launch_compare);
	printf("measured %s,%.0f,%.0f,%.0f,%.0f,%.2f\n", kernel, cycles[LAUNCH_RUNS / 2],
	       cycles[1], cycles[LAUNCH_RUNS - 1], block[LAUNCH_RUNS / 2], us[LAUNCH_RUNS / 2]);
}

#else

#define LAUNCH_BEGIN()
#define LAUNCH_END()

template <typename Prepare, typename Work>
static void launch_measure(const char *kernel, Prepare prepare, Work work)
{
	(void)kernel;
	prepare();
	work();
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
}

#endif

/* The program's last word and its exit status. */
static inline int launch_conclude(bool good)
{
	puts(good ? "PASS" : "FAIL");
	return good ? 0 : 1;
}

#endif
