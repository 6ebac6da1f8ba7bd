/* SPDX-License-Identifier: MIT */
/*
 * What branches cost, as nvcc compiles them.
 *
 *   branch > issue-branch.csv
 *
 * A row: a form of code, `ops` dependent FFMA in each body, lanes that go the first way; cycles of
 * one of COPIES copies in a row whose conditions were ready before; median, least and most of
 * RUNS launches, and the first pass. `straight-2m`: two bodies without a branch.
 *
 * Of the shapes below cycles are of all `ops` together, so that their slope is one's: `uniform-taken`,
 * `uniform-not-taken`: so many branches of a whole warp; `uniform-compared`: comparisons, each with
 * its taken branch; `uniform-loop`: rounds of a load from shared memory, an addition, a comparison
 * and a branch; `loop`: the same whose end may differ between lanes, so that
 * nvcc puts a yield into each round.
 */
#include "probe.h"

#define COPIES 8
#define PASSES 4
#define RUNS   5

typedef enum { STRAIGHT, IF_ELSE, IF_THEN, NESTED, SWITCH, EMPTY_TAKEN, EMPTY_NOT_TAKEN } Form;

static const char *const names[] = {"straight-2m",    "if-else", "if-then-m",
				    "nested-if-else", "switch4", "bare-taken",
				    "bare-not-taken"};

/* m FFMA that the compiler can neither fold nor share: each body has its own operand. */
template <int M> static __device__ __forceinline__ void body(float &f, float g)
{
#pragma unroll
	for (int i = 0; i < M; i++)
		asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f) : "f"(g));
}

template <int FORM, int M>
static __device__ __forceinline__ void copy(float &f, const float *g, bool first, bool second)
{
	switch (FORM) {
	case STRAIGHT:
		body<M>(f, g[0]);
		body<M>(f, g[1]);
		break;
	case IF_ELSE:
		if (first)
			body<M>(f, g[0]);
		else
			body<M>(f, g[1]);
		break;
	case IF_THEN:
		if (first)
			body<M>(f, g[0]);
		break;
	case NESTED:
		if (first) {
			if (second)
				body<M>(f, g[0]);
			else
				body<M>(f, g[1]);
		} else {
			if (second)
				body<M>(f, g[2]);
			else
				body<M>(f, g[3]);
		}
		break;
	case SWITCH:
		switch (2 * first + second) {
		case 0:
			body<M>(f, g[0]);
			break;
		case 1:
			body<M>(f, g[1]);
			break;
		case 2:
			body<M>(f, g[2]);
			break;
		default:
			body<M>(f, g[3]);
		}
		break;
	default:
		/* A branch over one instruction that has an effect. */
		asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bra over%=; membar.cta; "
			     "over%=: }" ::"r"((int)first));
	}
	asm volatile("" : "+f"(f));
}

template <int FORM, int M>
static __global__ void copies(unsigned int first_mask, unsigned int second_mask, const float *g,
			      long long *cycles, float *sink)
{
	unsigned int lane = threadIdx.x % 32;
	bool first = first_mask >> lane & 1, second = second_mask >> lane & 1;
	float operand[4] = {g[0], g[1], g[2], g[3]}, f = lane;

#pragma unroll 1
	for (int pass = 0; pass < PASSES; pass++) {
		__syncwarp();

		long long begin = stamp();

#pragma unroll
		for (int i = 0; i < COPIES; i++)
			copy<FORM, M>(f, operand, first, second);

		long long end = stamp();

		if (lane == 0)
			cycles[pass] = end - begin;
	}
	sink[lane] = f;
}

template <int FORM, int M> static void measure(int lanes)
{
	static const float operands[] = {1.5f, 0.5f, 0.25f, 2.5f};
	static float *g = (float *)to_gpu(operands, sizeof(operands));
	static float *sink = (float *)gpu_memory(32 * sizeof(float));
	static long long *cycles = (long long *)gpu_memory(PASSES * sizeof(long long));
	unsigned int mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
	double reading[RUNS * (PASSES - 1)], cold = 0;
	int n = 0;

	for (int run = 0; run < RUNS; run++) {
		long long pass[PASSES];

		copies<FORM, M><<<1, 32>>>(mask, 0xff00ff00, g, cycles, sink);
		CHECK_RUN();
		from_gpu(pass, cycles, sizeof(pass));
		cold = run ? cold : (double)pass[0] / COPIES;
		for (int i = 1; i < PASSES; i++)
			reading[n++] = (double)pass[i] / COPIES;
	}

	double middle = median(reading, n);

	printf("%s,%d,%d,%.2f,%.2f,%.2f,%.2f\n", names[FORM], M, lanes, middle, reading[0],
	       reading[n - 1], cold);
}

typedef enum { TAKEN, COMPARED, NOT_TAKEN, UNIFORM_LOOP, LOOP } Row;

static const char *const row_names[] = {"uniform-taken", "uniform-compared",
					"uniform-not-taken", "uniform-loop", "loop"};

/* A branch over one instruction that has an effect, or out of a row of branches. */
#define TAKE "{ .reg .pred p; setp.ne.u32 p, %0, 0; @p bra over%=; membar.cta; over%=: }"

/* The loop loads what it adds: nvcc puts no yield into one without accesses, and ptxas finds where one of integers
   ends without it. */
template <int ROW, int N>
static __device__ __forceinline__ void row(const uint32_t *guard, float &f, uint32_t one,
					   float last)
{
	if (ROW == TAKEN || ROW == COMPARED) {
#pragma unroll
		for (int i = 0; i < N; i++)
			asm volatile(TAKE ::"r"(guard[0]), "r"(ROW == COMPARED ? i : 0)
				     : "memory");
	} else if (ROW == NOT_TAKEN) {
#pragma unroll
		for (int i = 0; i < N; i++)
			if (guard[i])
				asm volatile("membar.gl; exit;" ::: "memory");
	} else {
#pragma unroll 1
		do
			asm volatile("{ .reg .f32 x; ld.volatile.shared.f32 x, [%1]; add.f32 "
				     "%0, %0, x; }"
				     : "+f"(f)
				     : "r"(one)
				     : "memory");
		while (f < last);
	}
}

/* guards: 6 that hold if branches are taken; numbers: a lane's begin and end, 32 each. */
template <int ROW, int N>
static __global__ void rows(const uint32_t *guards, const float *numbers, long long *cycles,
			    uint32_t *sink)
{
	unsigned int lane = threadIdx.x % 32, from = ROW == LOOP ? lane : 0;
	uint32_t guard[6];
	__shared__ uint32_t ones[32];
	uint32_t one = (uint32_t)__cvta_generic_to_shared(ones + from);
	float last = numbers[32 + from], f = 0;

	ones[lane] = 1;
	for (int i = 0; i < 6; i++)
		guard[i] = guards[i];
#pragma unroll 1
	for (int pass = 0; pass < PASSES; pass++) {
		f = numbers[from];
		uint32_t x = 0;
		__syncwarp();

		long long begin = stamp_behind(__float_as_uint(f), &x);

		row<ROW, N>(guard, f, one, last);

		long long end = stamp_behind(__float_as_uint(f), &x);

		if (lane == 0)
			cycles[pass] = end - begin;
		sink[lane] = x;
	}
}

template <int ROW, int N> static void measure_row(void)
{
	static uint32_t *sink = (uint32_t *)gpu_memory(32 * sizeof(uint32_t));
	static long long *cycles = (long long *)gpu_memory(PASSES * sizeof(long long));
	uint32_t guard[6];
	float number[64];
	double reading[RUNS * (PASSES - 1)], cold = 0;
	int n = 0;

	for (int i = 0; i < 6; i++)
		guard[i] = ROW == TAKEN || ROW == COMPARED ? ~0u : 0;
	for (int i = 0; i < 64; i++)
		number[i] = i < 32 ? 0 : N;

	void *guards = to_gpu(guard, sizeof(guard)), *numbers = to_gpu(number, sizeof(number));

	for (int run = 0; run < RUNS; run++) {
		long long pass[PASSES];

		rows<ROW, N><<<1, 32>>>((uint32_t *)guards, (float *)numbers, cycles, sink);
		CHECK_RUN();
		from_gpu(pass, cycles, sizeof(pass));
		cold = run ? cold : (double)pass[0];
		for (int i = 1; i < PASSES; i++)
			reading[n++] = (double)pass[i];
	}
	CHECK(cudaFree(guards));
	CHECK(cudaFree(numbers));

	double middle = median(reading, n);

	printf("%s,%d,%d,%.2f,%.2f,%.2f,%.2f\n", row_names[ROW], N, ROW == NOT_TAKEN ? 0 : 32,
	       middle, reading[0], reading[n - 1], cold);
}

template <int M> static void measure_forms(void)
{
	static const int lanes[] = {0, 1, 2, 4, 8, 16, 24, 31, 32};

	measure<STRAIGHT, M>(0);
	for (int i = 0; i < 9; i++)
		measure<IF_ELSE, M>(lanes[i]);
	for (int i = 0; i < 9; i++)
		measure<IF_THEN, M>(lanes[i]);
	measure<NESTED, M>(16);
	measure<SWITCH, M>(16);
}

int main(void)
{
	warm_up();
	printf("shape,ops,lanes_taking,cycles_per_copy,min,max,first_pass\n");
	measure_forms<8>();
	measure_forms<12>();
	measure_forms<16>();
	measure_forms<24>();
	measure_forms<32>();
	measure<EMPTY_TAKEN, 0>(32);
	measure<EMPTY_NOT_TAKEN, 0>(0);
	measure_row<TAKEN, 2>();
	measure_row<TAKEN, 4>();
	measure_row<TAKEN, 8>();
	measure_row<TAKEN, 16>();
	measure_row<COMPARED, 2>();
	measure_row<COMPARED, 4>();
	measure_row<COMPARED, 8>();
	measure_row<COMPARED, 16>();
	measure_row<NOT_TAKEN, 1>();
	measure_row<NOT_TAKEN, 2>();
	measure_row<NOT_TAKEN, 3>();
	measure_row<NOT_TAKEN, 4>();
	measure_row<UNIFORM_LOOP, 8>();
	measure_row<UNIFORM_LOOP, 16>();
	measure_row<UNIFORM_LOOP, 32>();
	measure_row<LOOP, 8>();
	measure_row<LOOP, 16>();
	measure_row<LOOP, 32>();
	return 0;
}
