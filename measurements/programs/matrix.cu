/* SPDX-License-Identifier: MIT */
/*
 * What matrix products of a warp (mma.sync) take of their warp and of the SM.
 *
 *   matrix > issue-matrix.csv
 *
 * A row: each of `warps` warps of one block has `chains` sums, to each of which it adds products, one after the other. shape: rows, columns
 * and products of an element; factors, sums: their types. cycles: a product and SM, from the first warp's start to the last one's end; the
 * median of RUNS launches. held_back: a third, by a hash of the cell.
 */
#include "probe.h"

#define RUNS   5
#define ROUNDS 64

/* An operation has registers for its sum and its two factors, and an instruction. */
#define SUM_4	  "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define SUM_2	  "+r"(d[0]), "+r"(d[1])
#define FACTORS_6 "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define FACTORS_3 "r"(a[0]), "r"(a[1]), "r"(b[0])

typedef uint32_t Words[4];

#define OPERATION(type, code, sum, factors)                                                    \
	struct type {                                                                          \
		Words d;                                                                       \
		__device__ __forceinline__ void add(const Words &a, const Words &b)            \
		{                                                                              \
			asm volatile("mma.sync.aligned." code ";" : sum : factors);            \
		}                                                                              \
		__device__ __forceinline__ uint32_t end(void) const                            \
		{                                                                              \
			return d[0] ^ d[1];                                                    \
		}                                                                              \
	};

OPERATION(F16K8F32,
	  "m16n8k8.row.col.f32.f16.f16.f32"
	  " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3}",
	  SUM_4, FACTORS_3)
OPERATION(F16K16F32,
	  "m16n8k16.row.col.f32.f16.f16.f32"
	  " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}",
	  SUM_4, FACTORS_6)
OPERATION(F16K8F16,
	  "m16n8k8.row.col.f16.f16.f16.f16"
	  " {%0,%1}, {%2,%3}, {%4}, {%0,%1}",
	  SUM_2, FACTORS_3)
OPERATION(F16K16F16,
	  "m16n8k16.row.col.f16.f16.f16.f16"
	  " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1}",
	  SUM_2, FACTORS_6)
OPERATION(Bf16K16F32,
	  "m16n8k16.row.col.f32.bf16.bf16.f32"
	  " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}",
	  SUM_4, FACTORS_6)
OPERATION(Tf32K4F32,
	  "m16n8k4.row.col.f32.tf32.tf32.f32"
	  " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3}",
	  SUM_4, FACTORS_3)
OPERATION(Tf32K8F32,
	  "m16n8k8.row.col.f32.tf32.tf32.f32"
	  " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}",
	  SUM_4, FACTORS_6)
OPERATION(S8K16S32,
	  "m16n8k16.row.col.s32.s8.s8.s32"
	  " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3}",
	  SUM_4, FACTORS_3)
OPERATION(S8K32S32,
	  "m16n8k32.row.col.s32.s8.s8.s32"
	  " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}",
	  SUM_4, FACTORS_6)
OPERATION(E4m3K32F32,
	  "m16n8k32.row.col.f32.e4m3.e4m3.f32"
	  " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}",
	  SUM_4, FACTORS_6)

/* Of 64 bits: the factors are pairs of words. */
struct F64K4F64 {
	double d[2];
	__device__ __forceinline__ void add(const Words &a, const Words &b)
	{
		asm volatile("{ .reg .f64 x, y; mov.b64 x, {%2, %3}; mov.b64 y, {%4, %5};"
			     " mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {x}, "
			     "{y}, {%0, %1}; }"
			     : "+d"(d[0]), "+d"(d[1])
			     : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
	}
	__device__ __forceinline__ uint32_t end(void) const
	{
		return (uint32_t)__double_as_longlong(d[0] + d[1]);
	}
};

template <class Op, int CHAINS>
static __global__ void __launch_bounds__(1024, 1)
	products(const uint32_t *zeros, long long *begins, long long *ends, uint32_t *sink)
{
	Words a = {zeros[0], zeros[1], zeros[2], zeros[3]},
	      b = {zeros[4], zeros[5], zeros[6], zeros[7]};
	uint32_t all = 0;
	long long begin = 0, end;
	Op sum[CHAINS] = {};

#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncthreads();
		begin = stamp();
#pragma unroll 8
		for (int round = 0; round < ROUNDS; round++)
#pragma unroll
			for (int i = 0; i < CHAINS; i++)
				sum[i].add(a, b);
	}
#pragma unroll
	for (int i = 0; i < CHAINS; i++)
		all ^= sum[i].end();
	if (all == 0x7fffffff)
		asm volatile("trap;");
	end = stamp();
	if (all == 0x12345678)
		*sink = all;
	if (threadIdx.x % 32 == 0) {
		begins[threadIdx.x / 32] = begin;
		ends[threadIdx.x / 32] = end;
	}
}

static uint32_t *zeros, *sink;
static long long *begins, *ends;

template <class Op, int CHAINS> static void measure(const char *op)
{
	static const int n_warps[] = {1, 2, 4, 8, 16};

	for (int warps : n_warps) {
		double cycles[RUNS], middle;
		char cell[64];

		for (int run = 0; run < RUNS; run++) {
			products<Op, CHAINS><<<1, warps * 32>>>(zeros, begins, ends, sink);
			CHECK_RUN();
			cycles[run] = (double)span_of_warps(begins, ends, warps) /
				      (ROUNDS * CHAINS * warps);
		}
		snprintf(cell, sizeof(cell), "%s,%d,%d", op, warps, CHAINS);
		middle = median(cycles, RUNS);
		printf("%s,%.3f,%.3f,%.3f,%d\n", cell, middle, cycles[0], cycles[RUNS - 1],
		       held_back(cell));
	}
}

template <class Op> static void measure_all(const char *op)
{
	measure<Op, 1>(op);
	measure<Op, 2>(op);
	measure<Op, 4>(op);
}

int main(void)
{
	begins = (long long *)gpu_memory(32 * sizeof(long long));
	ends = (long long *)gpu_memory(32 * sizeof(long long));
	zeros = (uint32_t *)gpu_memory(8 * sizeof(uint32_t));
	sink = (uint32_t *)gpu_memory(sizeof(uint32_t));
	warm_up();
	printf("shape,factors,sums,warps,chains,cycles,cycles_min,cycles_max,held_back\n");
	measure_all<F16K8F32>("m16n8k8,f16,f32");
	measure_all<F16K16F32>("m16n8k16,f16,f32");
	measure_all<F16K8F16>("m16n8k8,f16,f16");
	measure_all<F16K16F16>("m16n8k16,f16,f16");
	measure_all<Bf16K16F32>("m16n8k16,bf16,f32");
	measure_all<Tf32K4F32>("m16n8k4,tf32,f32");
	measure_all<Tf32K8F32>("m16n8k8,tf32,f32");
	measure_all<S8K16S32>("m16n8k16,s8,s32");
	measure_all<S8K32S32>("m16n8k32,s8,s32");
	measure_all<E4m3K32F32>("m16n8k32,e4m3,f32");
	measure_all<F64K4F64>("m8n8k4,f64,f64");
	return 0;
}
