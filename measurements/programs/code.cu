/* SPDX-License-Identifier: MIT */
/*
 * Straight code, the first time it is run and again: what fetching it costs, by how many SMs do.
 *
 *   code > issue-code.csv
 *   code jumps > issue-jumps.csv
 *   code loops > issue-loops.csv
 *   code cold-jumps > issue-cold-jumps.csv
 *
 * A row: a kernel of `bytes` of multiplications and additions without a jump (four chains, so that an instruction can be issued each cycle), run by
 * `warps` warps of each of `blocks` blocks, one an SM, in PASSES passes behind barriers. state: other, a large other kernel has run on all SMs since its
 * last launch; again, it has just run. cycles of each pass: from the block's first warp's start to its last one's end, the median
 * block's and the slowest one's, median of RUNS launches.
 * jumps: `steps` steps, each an addition, a comparison and a taken branch over `over` instructions that never run; launched again and again.
 * cold-jumps: the same with the state: new, a kernel that was never launched has run since its last launch; again.
 * loops: a loop of `body` independent multiplications and additions, PASSES times behind barriers: cycles of a round in each. Besides the
 * body a round has an addition, a comparison and a branch, as the machine code shows.
 */
#include "probe.h"

#define PASSES	3
#define RUNS	5
#define MAX_SMS 512
#define LINE	128 /* of 8 instructions */

template <int BYTES> static __global__ void code(long long *spans, float *sink)
{
	__shared__ long long first, last;
	float a = threadIdx.x, b = 1, c = 2, d = 3, x = clock();

#pragma unroll 1
	for (int pass = 0; pass < PASSES; pass++) {
		if (threadIdx.x == 0) {
			first = INT64_MAX;
			last = 0;
		}
		__syncthreads();
		long long begin = stamp();
#pragma unroll
		for (int line = 0; line < BYTES / LINE; line++)
			asm volatile("fma.rn.f32 %0, %4, %4, %0;\n\t"
				     "fma.rn.f32 %1, %4, %4, %1;\n\t"
				     "fma.rn.f32 %2, %4, %4, %2;\n\t"
				     "fma.rn.f32 %3, %4, %4, %3;\n\t"
				     "fma.rn.f32 %0, %4, %4, %0;\n\t"
				     "fma.rn.f32 %1, %4, %4, %1;\n\t"
				     "fma.rn.f32 %2, %4, %4, %2;\n\t"
				     "fma.rn.f32 %3, %4, %4, %3;"
				     : "+f"(a), "+f"(b), "+f"(c), "+f"(d)
				     : "f"(x));
		long long end = stamp();
		atomicMin(&first, begin);
		atomicMax(&last, end);
		__syncthreads();
		if (threadIdx.x == 0)
			spans[blockIdx.x * PASSES + pass] = last - first;
		__syncthreads();
	}
	if (a + b + c + d == 1)
		*sink = a;
}

static long long *gpu_spans;
static float *sink;

template <int BYTES, int OTHER> static void measure(int blocks, int warps)
{
	for (int again = 0; again < 2; again++) {
		double medians[PASSES][RUNS], most[PASSES][RUNS];

		for (int run = 0; run < RUNS; run++) {
			static long long spans[MAX_SMS * PASSES];

			code<OTHER><<<sm_count(), 128>>>(gpu_spans, sink);
			for (int i = 0; i <= again; i++)
				code<BYTES><<<blocks, warps * 32>>>(gpu_spans, sink);
			CHECK_RUN();
			from_gpu(spans, gpu_spans, blocks * PASSES * sizeof(long long));
			for (int pass = 0; pass < PASSES; pass++) {
				double numbers[MAX_SMS];

				for (int i = 0; i < blocks; i++)
					numbers[i] = (double)spans[i * PASSES + pass];
				medians[pass][run] = median(numbers, blocks);
				most[pass][run] = numbers[blocks - 1];
			}
		}
		printf("%d,%s,%d,%d", BYTES, again ? "again" : "other", blocks, warps);
		for (int pass = 0; pass < PASSES; pass++)
			printf(",%.0f,%.0f", median(medians[pass], RUNS),
			       median(most[pass], RUNS));
		putchar('\n');
	}
}

template <int BYTES, int OTHER> static void all(void)
{
	for (int blocks : {1, 8, blocks_for(66), blocks_for(132)})
		for (int warps : {1, 4, 8, 32})
			measure<BYTES, OTHER>(blocks, warps);
}

template <int STEPS, int OVER> static __global__ void jumps(long long *spans, float *sink)
{
	__shared__ long long first, last;
	float x = threadIdx.x, y = x;

#pragma unroll 1
	for (int pass = 0; pass < PASSES; pass++) {
		if (threadIdx.x == 0) {
			first = INT64_MAX;
			last = 0;
		}
		__syncthreads();
		long long begin = stamp();
#pragma unroll
		for (int i = 0; i < STEPS; i++) {
			asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(1.0f + i));
			if (x == 12345.0f) {
#pragma unroll
				for (int k = 0; k < OVER; k++)
					asm volatile("add.f32 %0, %0, %1;"
						     : "+f"(y)
						     : "f"(1.0f + k));
			}
		}
		long long end = stamp();
		atomicMin(&first, begin);
		atomicMax(&last, end);
		__syncthreads();
		if (threadIdx.x == 0)
			spans[blockIdx.x * PASSES + pass] = last - first;
		__syncthreads();
	}
	if (x + y == 1)
		*sink = x;
}

template <int STEPS, int OVER> static void measure_jumps(void)
{
	for (int blocks : {1, sm_count()})
		for (int warps : {1, 2, 4, 8, 16, 32}) {
			double medians[PASSES][RUNS];

			for (int run = -1; run < RUNS; run++) {
				static long long spans[MAX_SMS * PASSES];

				for (int i = 0; i < 4; i++)
					jumps<STEPS, OVER>
						<<<blocks, warps * 32>>>(gpu_spans, sink);
				CHECK_RUN();
				from_gpu(spans, gpu_spans, blocks * PASSES * sizeof(long long));
				for (int pass = 0; pass < PASSES; pass++) {
					double numbers[MAX_SMS];

					for (int i = 0; i < blocks; i++)
						numbers[i] = (double)spans[i * PASSES + pass];
					medians[pass][run < 0 ? 0 : run] =
						median(numbers, blocks);
				}
			}
			printf("%d,%d,%d,%d", STEPS, OVER, blocks, warps);
			for (int pass = 0; pass < PASSES; pass++)
				printf(",%.0f", median(medians[pass], RUNS));
			putchar('\n');
		}
}

template <int OVER> static void all_jumps(void)
{
	measure_jumps<4, OVER>();
	measure_jumps<16, OVER>();
	measure_jumps<32, OVER>();
	measure_jumps<64, OVER>();
}

/* A kernel that was never launched, of N additions. */
template <int N> static __global__ void fresh(float *sink)
{
	float x = threadIdx.x;

#pragma unroll
	for (int i = 0; i < N; i++)
		asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(1.0f + i));
	if (x == 1.5f)
		*sink = x;
}

static void print_cold(const char *state, int steps, int over, int blocks, int warps)
{
	static long long spans[MAX_SMS * PASSES];

	CHECK_RUN();
	from_gpu(spans, gpu_spans, blocks * PASSES * sizeof(long long));
	printf("%s,%d,%d,%d,%d", state, steps, over, blocks, warps);
	for (int pass = 0; pass < PASSES; pass++) {
		double numbers[MAX_SMS];

		for (int i = 0; i < blocks; i++)
			numbers[i] = (double)spans[i * PASSES + pass];
		printf(",%.0f", median(numbers, blocks));
	}
	putchar('\n');
}

/* N to N + 5: fresh kernels. */
template <int STEPS, int OVER, int N> static void measure_cold_jumps(void)
{
	static void (*const others[])(float *) = {fresh<N>,	fresh<N + 1>, fresh<N + 2>,
						  fresh<N + 3>, fresh<N + 4>, fresh<N + 5>};
	const int shapes[][2] = {{1, 1}, {sm_count(), 1}, {sm_count(), 8}};
	int other = 0;

	for (const int *shape : shapes)
		for (int run = 0; run < 2; run++) {
			others[other++]<<<sm_count(), 32>>>(sink);
			jumps<STEPS, OVER><<<shape[0], shape[1] * 32>>>(gpu_spans, sink);
			print_cold("new", STEPS, OVER, shape[0], shape[1]);
			jumps<STEPS, OVER><<<shape[0], shape[1] * 32>>>(gpu_spans, sink);
			print_cold("again", STEPS, OVER, shape[0], shape[1]);
		}
}

#define ROUNDS 64

template <int BODY> static __global__ void loops(long long *spans, float *sink, int rounds)
{
	__shared__ long long first, last;
	float a = threadIdx.x, b = 1, c = 2, d = 3, x = clock();

#pragma unroll 1
	for (int pass = 0; pass < PASSES; pass++) {
		if (threadIdx.x == 0) {
			first = INT64_MAX;
			last = 0;
		}
		__syncthreads();
		long long begin = stamp();
#pragma unroll 1
		for (int round = 0; round < rounds; round++) {
#pragma unroll
			for (int i = 0; i < BODY / 4; i++)
				asm volatile("fma.rn.f32 %0, %4, %4, %0;\n\t"
					     "fma.rn.f32 %1, %4, %4, %1;\n\t"
					     "fma.rn.f32 %2, %4, %4, %2;\n\t"
					     "fma.rn.f32 %3, %4, %4, %3;"
					     : "+f"(a), "+f"(b), "+f"(c), "+f"(d)
					     : "f"(x));
		}
		long long end = stamp();
		atomicMin(&first, begin);
		atomicMax(&last, end);
		__syncthreads();
		if (threadIdx.x == 0)
			spans[blockIdx.x * PASSES + pass] = last - first;
		__syncthreads();
	}
	if (a + b + c + d == 1)
		*sink = a;
}

/* Of one block: the difference of twice as many rounds. */
template <int BODY> static void measure_loops(void)
{
	for (int warps : {1, 2, 4, 8, 12, 16, 24, 32}) {
		double rounds[PASSES][RUNS];

		for (int run = -1; run < RUNS; run++) {
			long long spans[2][PASSES];

			for (int twice = 0; twice < 2; twice++) {
				for (int i = 0; i < 2; i++)
					loops<BODY><<<1, warps * 32>>>(gpu_spans, sink,
								       ROUNDS << twice);
				CHECK_RUN();
				from_gpu(spans[twice], gpu_spans, PASSES * sizeof(long long));
			}
			for (int pass = 0; pass < PASSES; pass++)
				rounds[pass][run < 0 ? 0 : run] =
					(double)(spans[1][pass] - spans[0][pass]) / ROUNDS;
		}
		printf("%d,%d", BODY, warps);
		for (int pass = 0; pass < PASSES; pass++)
			printf(",%.2f", median(rounds[pass], RUNS));
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	gpu_spans = (long long *)gpu_memory(MAX_SMS * PASSES * sizeof(long long));
	sink = (float *)gpu_memory(sizeof(float));
	warm_up();
	if (argc > 1 && strcmp(argv[1], "jumps") == 0) {
		puts("steps,over,blocks,warps,pass1,pass2,pass3");
		all_jumps<8>();
		all_jumps<12>();
		all_jumps<16>();
		all_jumps<24>();
		all_jumps<48>();
		all_jumps<100>();
		return 0;
	}
	if (argc > 1 && strcmp(argv[1], "cold-jumps") == 0) {
		puts("state,steps,over,blocks,warps,pass1,pass2,pass3");
		measure_cold_jumps<16, 12, 2>();
		measure_cold_jumps<16, 28, 8>();
		measure_cold_jumps<16, 60, 14>();
		measure_cold_jumps<16, 124, 20>();
		measure_cold_jumps<16, 252, 26>();
		measure_cold_jumps<16, 508, 32>();
		measure_cold_jumps<64, 28, 38>();
		measure_cold_jumps<64, 124, 44>();
		return 0;
	}
	if (argc > 1 && strcmp(argv[1], "loops") == 0) {
		puts("body,warps,pass1,pass2,pass3");
		measure_loops<4>();
		measure_loops<8>();
		measure_loops<12>();
		measure_loops<16>();
		measure_loops<20>();
		measure_loops<24>();
		measure_loops<28>();
		measure_loops<32>();
		measure_loops<40>();
		measure_loops<48>();
		measure_loops<56>();
		measure_loops<64>();
		measure_loops<80>();
		measure_loops<96>();
		measure_loops<128>();
		measure_loops<136>();
		measure_loops<144>();
		measure_loops<152>();
		measure_loops<160>();
		measure_loops<176>();
		measure_loops<192>();
		measure_loops<256>();
		measure_loops<320>();
		measure_loops<384>();
		measure_loops<448>();
		measure_loops<512>();
		measure_loops<1024>();
		return 0;
	}
	puts("bytes,state,blocks,warps,pass1,pass1_most,pass2,pass2_most,pass3,pass3_most");
	all<1 << 12, 3 << 17>();
	all<1 << 13, 3 << 17>();
	all<1 << 14, 3 << 17>();
	all<3 << 13, 3 << 17>();
	all<1 << 15, 3 << 17>();
	all<3 << 14, 3 << 17>();
	all<1 << 16, 3 << 17>();
	all<3 << 15, 3 << 17>();
	all<1 << 17, 3 << 17>();
	all<3 << 16, 3 << 17>();
	return 0;
}
