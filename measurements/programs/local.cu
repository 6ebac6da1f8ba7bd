/* SPDX-License-Identifier: MIT */
/*
 * What accesses to thread-local memory take of their SM. A lane's words of 4 bytes lie beside those of its warp's other lanes: lanes that
 * name one word of theirs each touch one line of 128 bytes, lanes that name `words` different ones touch as many.
 *
 *   local > issue-local.csv
 *
 * A row: `warps` warps of one block make `accesses` accesses of `width` bytes a lane, then wait for what they bring (rounds). Lane l names
 * value l mod `words` of those of an access. op: ldl, a load; stl, a store; update, a load, an addition and a store of the sum to the same
 * place, one after the other. first: `fresh`, each access names values that the launch has not touched (for ldl: that a store of this launch
 * has written before the first load); `again`, all name the values of the first. cycles: an access (of update: one of three steps), from the first warp's start to the last
 * one's end; median of RUNS launches. held_back: a third, by a hash of the cell.
 */
#include "probe.h"

#define RUNS   5
#define FRAME  8192 /* bytes a thread */
#define ROUNDS 8
enum { LDL, STL, UPDATE, N_OPS };
static const char *const ops[] = {"ldl", "stl", "update"};

static long long *gpu_span;
static int *sink;

template <int WIDTH> static __device__ __forceinline__ uint32_t load(uint32_t from)
{
	uint32_t x;

	if (WIDTH == 1)
		asm volatile("ld.local.u8 %0, [%1];" : "=r"(x) : "r"(from) : "memory");
	else if (WIDTH == 4)
		asm volatile("ld.local.u32 %0, [%1];" : "=r"(x) : "r"(from) : "memory");
	else
		asm volatile("{ .reg .u32 y, z, w; ld.local.v4.u32 {%0, y, z, w}, [%1]; }"
			     : "=r"(x)
			     : "r"(from)
			     : "memory");
	return x;
}

template <int WIDTH> static __device__ __forceinline__ void store(uint32_t to, uint32_t x)
{
	if (WIDTH == 1)
		asm volatile("st.local.u8 [%0], %1;" ::"r"(to), "r"(x) : "memory");
	else if (WIDTH == 4)
		asm volatile("st.local.u32 [%0], %1;" ::"r"(to), "r"(x) : "memory");
	else
		asm volatile("st.local.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(to), "r"(x)
			     : "memory");
}

/* own: the lane's value of an access, in bytes; next: from one access's to the next one's. */
template <int OP, int WIDTH, int ACCESSES>
static __global__ void __launch_bounds__(1024, 1)
	rounds(int words, int next, long long *span, int *sink)
{
	__shared__ long long first, last;
	char frame[FRAME];
	uint32_t at =
		(uint32_t)__cvta_generic_to_local(frame) + threadIdx.x % 32 % words * WIDTH;
	uint32_t sum = 0;
	long long begin, end;

	asm volatile("" ::"l"(frame) : "memory");
	if (OP != STL)
		for (int i = 0; i <= ROUNDS * ACCESSES * next / WIDTH; i++)
			store<WIDTH>(at + i * WIDTH, 0);
	if (threadIdx.x == 0) {
		first = INT64_MAX;
		last = 0;
	}
	__syncthreads();
	begin = stamp();
#pragma unroll 1
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t got[ACCESSES], move = ACCESSES * next;

#pragma unroll
		for (int i = 0; i < ACCESSES; i++) {
			if (OP != STL)
				got[i] = load<WIDTH>(at + i * next);
			if (OP == STL)
				store<WIDTH>(at + i * next, 0);
			if (OP == UPDATE)
				store<WIDTH>(at + i * next, got[i] + got[i]);
		}
#pragma unroll
		for (int i = 0; i < ACCESSES; i++)
			if (OP != STL)
				move += got[i];
		at += move;
	}
	end = stamp_behind(at, &sum);
	atomicMin(&first, begin);
	atomicMax(&last, end);
	__syncthreads();
	if (threadIdx.x == 0)
		*span = last - first;
	if (sum == 1)
		*sink = frame[sum];
}

template <int OP, int WIDTH, int ACCESSES> static void measure(int words, bool fresh, int warps)
{
	const int next = fresh ? words * WIDTH : 0;
	double cycles[RUNS];
	char cell[64];

	if ((ROUNDS * ACCESSES * next / WIDTH + 32) * WIDTH > FRAME)
		return;
	for (int run = -1; run < RUNS; run++) {
		long long spent;

		rounds<OP, WIDTH, ACCESSES><<<1, warps * 32>>>(words, next, gpu_span, sink);
		CHECK_RUN();
		from_gpu(&spent, gpu_span, sizeof(spent));
		if (run >= 0)
			cycles[run] = spent / (double)(ROUNDS * ACCESSES * warps);
	}
	snprintf(cell, sizeof(cell), "%s,%d,%d,%s", ops[OP], WIDTH, words,
		 fresh ? "fresh" : "again");
	printf("%s,%d,%d,%.3f,%d\n", cell, warps, ACCESSES, median(cycles, RUNS),
	       held_back(cell));
}

template <int OP, int WIDTH> static void measure_width(void)
{
	for (int words = 1; words <= 32; words *= 2)
		for (int fresh = 0; fresh < 2; fresh++)
			for (int warps = 1; warps <= 32; warps *= 2) {
				measure<OP, WIDTH, 1>(words, fresh, warps);
				measure<OP, WIDTH, 4>(words, fresh, warps);
				measure<OP, WIDTH, 16>(words, fresh, warps);
			}
}

template <int OP> static void measure_op(void)
{
	measure_width<OP, 1>();
	measure_width<OP, 4>();
	measure_width<OP, 16>();
}

int main(void)
{
	gpu_span = (long long *)gpu_memory(sizeof(long long));
	sink = (int *)gpu_memory(sizeof(int));
	warm_up();
	puts("op,width,words,first,warps,accesses,cycles,held_back");
	measure_op<LDL>();
	measure_op<STL>();
	measure_op<UPDATE>();
	return 0;
}
