/* SPDX-License-Identifier: MIT */
/*
 * How long stores of one SM take that come to the same lines soon one after another: which of them merge before they leave the SM.
 *
 *   merged > issue-merged.csv
 *
 * A row: bytes that a lane stores; bytes from one lane to the next; bytes from a store to the next one to the same lines (0: the same
 * words again); stores to the same lines; their order (`behind`: all to one set of lines, then all to another; `turns`: one to each set
 * in turn); dependent additions of integers between two stores; warps, each with lines of its own; cycles from the start of the first
 * warp to the end of the last, a store: median, least and most of RUNS.
 */
#include "probe.h"

#define RUNS   15
#define ROUNDS 16
#define SETS   2

enum { BEHIND, TURNS };
static const char *const orders[] = {"behind", "turns"};

template <int width> static __device__ __forceinline__ void store(char *at, uint32_t value)
{
	if (width == 1)
		asm volatile("st.global.u8 [%0], %1;" ::"l"(at), "r"(value) : "memory");
	if (width == 4)
		asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
	if (width == 16)
		asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(value)
			     : "memory");
}

template <int width, int repeats, int order, int gap>
static __global__ void merge(char *bytes, int pitch, int step, long long *times, uint32_t *sink)
{
	uint32_t value = threadIdx.x;
	size_t set = (size_t)blockDim.x * pitch;
	char *at = bytes + (size_t)threadIdx.x * pitch;
	long long begin;

	__syncthreads();
	begin = stamp();
#pragma unroll 1
	for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
		for (int i = 0; i < repeats * SETS; i++) {
			int of = order == BEHIND ? i / repeats : i % SETS;
			int j = order == BEHIND ? i % repeats : i / SETS;

			store<width>(at + of * set + j * step, value);
#pragma unroll
			for (int k = 0; k < gap; k++)
				asm volatile("add.u32 %0, %0, %1;" : "+r"(value) : "r"(pitch));
		}
		at += SETS * set;
	}
	times[threadIdx.x] = begin;
	times[blockDim.x + threadIdx.x] = stamp();
	sink[threadIdx.x] = value;
}

template <int width, int repeats, int order, int gap> static void measure(int pitch, int step)
{
	static char *bytes = (char *)gpu_memory((size_t)ROUNDS * SETS * 1024 * 32);
	static long long *times = (long long *)gpu_memory(2 * 1024 * sizeof(long long));
	static uint32_t *sink = (uint32_t *)gpu_memory(1024 * sizeof(uint32_t));
	static long long taken[2 * 1024];
	double reading[RUNS];

	for (int warps = 1; warps <= 32; warps *= warps == 1 ? 4 : 2) {
		int threads = 32 * warps;

		for (int run = -1; run < RUNS; run++) {
			long long first, last;

			merge<width, repeats, order, gap>
				<<<1, threads>>>(bytes, pitch, step, times, sink);
			CHECK_RUN();
			from_gpu(taken, times, 2 * threads * sizeof(long long));
			first = taken[0];
			last = taken[threads];
			for (int i = 0; i < threads; i++) {
				first = taken[i] < first ? taken[i] : first;
				last = taken[threads + i] > last ? taken[threads + i] : last;
			}
			if (run >= 0)
				reading[run] = (double)(last - first) /
					       (ROUNDS * SETS * repeats * warps);
		}

		double middle = median(reading, RUNS);

		printf("%d,%d,%d,%d,%s,%d,%d,%.2f,%.2f,%.2f\n", width, pitch, step, repeats,
		       orders[order], gap, warps, middle, reading[0], reading[RUNS - 1]);
	}
}

template <int width, int repeats, int order> static void measure_gaps(int pitch, int step)
{
	measure<width, repeats, order, 0>(pitch, step);
	measure<width, repeats, order, 2>(pitch, step);
	measure<width, repeats, order, 4>(pitch, step);
	measure<width, repeats, order, 8>(pitch, step);
	measure<width, repeats, order, 16>(pitch, step);
}

template <int width, int repeats> static void measure_orders(int pitch, int step)
{
	measure_gaps<width, repeats, BEHIND>(pitch, step);
	measure_gaps<width, repeats, TURNS>(pitch, step);
}

int main(void)
{
	warm_up();
	printf("width,pitch,step,repeats,order,gap,warps,cycles,min,max\n");
	for (int pitch = 4; pitch <= 32; pitch *= 2) {
		measure_gaps<4, 1, BEHIND>(pitch, 0);
		measure_orders<4, 2>(pitch, 0);
		measure_orders<4, 4>(pitch, 0);
	}
	measure_orders<4, 2>(8, 4);
	measure_orders<4, 4>(16, 4);
	measure_orders<1, 2>(4, 1);
	measure_orders<1, 4>(4, 1);
	measure_orders<1, 4>(8, 1);
	measure_gaps<16, 1, BEHIND>(16, 0);
	measure_orders<16, 2>(16, 0);
	return 0;
}
