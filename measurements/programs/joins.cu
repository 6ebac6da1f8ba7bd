/* SPDX-License-Identifier: MIT */
/*
 * Lanes that leave a loop one after the other, and wait for the others behind it.
 *
 *   joins > issue-joins.csv
 *
 * A row: `warps` warps of one block go MOST rounds of a loop of `body` dependent multiplications and additions; lanes leave it in `exits`
 * groups, one a round, the first of them exits - 1 rounds before the last. All that TIMES times; cycles of one time, the median, least and
 * most of RUNS launches, by warp 0.
 */
#include "probe.h"

#define MOST  40
#define TIMES 64
#define RUNS  7

template <int BODY> static __global__ void leave(int exits, long long *cycles, float *sink)
{
	const int rounds = MOST - (int)(threadIdx.x % 32) % exits;
	float a = threadIdx.x, x = clock();

	__syncthreads();
	long long begin = stamp();
#pragma unroll 1
	for (int time = 0; time < TIMES; time++) {
#pragma unroll 1
		for (int round = 0; round < rounds; round++)
#pragma unroll
			for (int i = 0; i < BODY; i++)
				asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(a) : "f"(x));
		__syncwarp();
	}
	long long end = stamp();
	if (threadIdx.x == 0)
		*cycles = end - begin;
	if (a == 1)
		*sink = a;
}

template <int BODY> static void measure(void)
{
	static long long *cycles = (long long *)gpu_memory(sizeof(long long));
	static float *sink = (float *)gpu_memory(sizeof(float));

	for (int warps : {1, 4, 8, 16, 32})
		for (int exits : {1, 2, 3, 4, 8, 16, 32}) {
			double times[RUNS];

			for (int run = -1; run < RUNS; run++) {
				long long span;

				leave<BODY><<<1, warps * 32>>>(exits, cycles, sink);
				CHECK_RUN();
				from_gpu(&span, cycles, sizeof(span));
				times[run < 0 ? 0 : run] = (double)span / TIMES;
			}
			const double middle = median(times, RUNS);

			printf("%d,%d,%d,%.2f,%.2f,%.2f\n", BODY, warps, exits, middle,
			       times[0], times[RUNS - 1]);
		}
}

int main(void)
{
	warm_up();
	puts("body,warps,exits,cycles,min,max");
	measure<1>();
	measure<4>();
	measure<16>();
	return 0;
}
