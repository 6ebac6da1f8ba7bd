/* SPDX-License-Identifier: MIT */
/*
 * What a barrier costs behind the last arrival.
 *
 *   barrier > issue-barrier.csv
 *
 * A row: a block of `warps` warps of which one comes `late_by` cycles behind the others (0: all go
 * at once), then so many barriers in a row and one load from shared memory. Cycles from the last
 * arrival's stamp to the stamps of warp 0, of the last and of the first leaver behind the load
 * (they hold the load's issue and the stamp), and of the late warp's own. Median of RUNS.
 */
#include "probe.h"

#define RUNS 9

template <int BARRIERS>
static __global__ void arrive(int late_warp, int late_by, long long *arrivals,
			      long long *leaves, int *sink)
{
	__shared__ int words[1024];
	int warp = threadIdx.x / 32;

	words[threadIdx.x] = threadIdx.x;
	for (int pass = 0; pass < 3; pass++) {
		__syncthreads();
		if (warp == late_warp && late_by > 0)
			for (long long begin = stamp(); stamp() - begin < late_by;)
				;

		long long arrival = stamp();

#pragma unroll
		for (int i = 0; i < BARRIERS; i++)
			asm volatile("bar.sync 0;" ::: "memory");

		int value = ((volatile int *)words)[threadIdx.x];
		long long leave = stamp();

		sink[threadIdx.x] = value;
		if (threadIdx.x % 32 == 0) {
			arrivals[warp] = arrival;
			leaves[warp] = leave;
		}
	}
}

template <int BARRIERS> static void measure(int warps, int late_warp, int late_by)
{
	static long long *arrivals = (long long *)gpu_memory(32 * sizeof(long long));
	static long long *leaves = (long long *)gpu_memory(32 * sizeof(long long));
	static int *sink = (int *)gpu_memory(1024 * sizeof(int));
	double zero[RUNS], last[RUNS], first[RUNS], own[RUNS];

	for (int run = 0; run < RUNS; run++) {
		long long arrival[32], leave[32], latest = 0, sooner = INT64_MAX, later = 0;

		arrive<BARRIERS><<<1, warps * 32>>>(late_warp, late_by, arrivals, leaves, sink);
		CHECK_RUN();
		from_gpu(arrival, arrivals, sizeof(arrival));
		from_gpu(leave, leaves, sizeof(leave));
		for (int i = 0; i < warps; i++) {
			latest = arrival[i] > latest ? arrival[i] : latest;
			later = leave[i] > later ? leave[i] : later;
			sooner = leave[i] < sooner ? leave[i] : sooner;
		}
		zero[run] = leave[0] - latest;
		last[run] = later - latest;
		first[run] = sooner - latest;
		own[run] = leave[late_warp] - arrival[late_warp];
	}

	double middle = median(last, RUNS);

	printf("%d,%d,%d,%d,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", warps, late_warp, late_by,
	       BARRIERS, median(zero, RUNS), middle, median(own, RUNS), median(first, RUNS),
	       last[0], last[RUNS - 1]);
}

int main(void)
{
	static const int warps[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 32};

	warm_up();
	printf("warps,late_warp,late_by,barriers,warp0_after_last_arrival,"
	       "last_leaver_after_last_arrival,late_warp_own,first_leaver,min_last,max_last\n");
	for (int i = 0; i < 10; i++) {
		for (int late_by = 0; late_by <= 1000; late_by += late_by ? 900 : 100)
			measure<1>(warps[i], warps[i] - 1, late_by);
		if (warps[i] > 1)
			measure<1>(warps[i], 0, 1000);
	}
	for (int i = 0; i < 10; i++)
		measure<2>(warps[i], warps[i] - 1, 0);
	for (int i = 0; i < 10; i++)
		measure<4>(warps[i], warps[i] - 1, 0);
	for (int i = 0; i < 10; i++)
		measure<8>(warps[i], warps[i] - 1, 0);
	return 0;
}
