/* SPDX-License-Identifier: MIT */
/*
 * What branches cost, as nvcc compiles them.
 *
 *   branch > issue-branch.csv
 *
 * A row: a form of code, `ops` dependent FFMA in each body, lanes that go the first way; cycles of
 * one of COPIES copies in a row whose conditions were ready before; median, least and most of
 * RUNS launches, and the first pass. `straight-2m`: two bodies without a branch.
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
	return 0;
}
