/* SPDX-License-Identifier: MIT */
/*
 * How often a sub-core reads the SM's own registers, as every kernel does where it begins, and what else goes the same way.
 *
 *   system > issue-system.csv
 *
 * A row: what a function reads that each warp calls CALLS times (not inlined: ptxas reads a register once where it sees that it has
 * it): none three moves, tid and lane three S2R of a lane's own, block three that a warp has in common (index of the block), sm two of
 * them (numbers of the SM and the warp), cluster two of the block's
 * and its number in its cluster (before compute capability 9.0 three of the block's), ldc three constants at an address in a register, shfl three shuffles, lds three
 * words of shared memory without conflicts, or two of them one behind the other, each with three instructions that use what is
 * read; clock: three CS2R and as many uses, without a call; sub-cores at work, warps of each; cycles from the first warp's start to
 * the last one's end, median, least and most of RUNS; cycles a call and sub-core.
 */
#include "probe.h"

#define CALLS	  64
#define RUNS	  7
#define SUB_CORES 4

__constant__ unsigned int constants[32];

/* What is read must be used, or ptxas leaves it out. */
#define USE3                                                                                   \
	asm volatile("xor.b32 %0, %0, %1;" : "+r"(a) : "r"(x));                                \
	asm volatile("add.u32 %0, %0, %1;" : "+r"(a) : "r"(y));                                \
	asm volatile("xor.b32 %0, %0, %1;" : "+r"(a) : "r"(z));

#define MOVES                                                                                  \
	asm volatile("mov.u32 %0, 3;\n\tmov.u32 %1, 5;\n\tmov.u32 %2, 9;"                      \
		     : "=r"(x), "=r"(y), "=r"(z));                                             \
	USE3
#define REGISTERS(A, B, C)                                                                     \
	asm volatile("mov.u32 %0, %%" A ";\n\tmov.u32 %1, %%" B ";\n\tmov.u32 %2, %%" C ";"    \
		     : "=r"(x), "=r"(y), "=r"(z));                                             \
	USE3
#define TIDS   REGISTERS("tid.x", "tid.y", "tid.z")
#define LANES  REGISTERS("laneid", "lanemask_lt", "lanemask_eq")
#define BLOCKS REGISTERS("ctaid.x", "ctaid.y", "ctaid.z")
#define SMS                                                                                    \
	asm volatile("mov.u32 %0, %%smid;\n\tmov.u32 %1, %%warpid;\n\tmov.u32 %2, 9;"          \
		     : "=r"(x), "=r"(y), "=r"(z));                                             \
	USE3
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define CLUSTERS BLOCKS
#else
#define CLUSTERS REGISTERS("ctaid.x", "cluster_ctarank", "ctaid.y")
#endif
#define LOADS(SPACE, BASE)                                                                     \
	asm volatile("ld." SPACE ".u32 %0, [%3];\n\tld." SPACE ".u32 %1, [%3 + 4];\n\t"        \
		     "ld." SPACE ".u32 %2, [%3 + 8];"                                          \
		     : "=r"(x), "=r"(y), "=r"(z)                                               \
		     : "r"(BASE)                                                               \
		     : "memory");                                                              \
	USE3
#define SHUFFLES                                                                               \
	asm volatile("shfl.sync.bfly.b32 %0, %3, 1, 0x1f, 0xffffffff;\n\t"                     \
		     "shfl.sync.bfly.b32 %1, %3, 2, 0x1f, 0xffffffff;\n\t"                     \
		     "shfl.sync.bfly.b32 %2, %3, 4, 0x1f, 0xffffffff;"                         \
		     : "=r"(x), "=r"(y), "=r"(z)                                               \
		     : "r"(a));                                                                \
	USE3

#define READ(NAME, ONE, OTHER)                                                                 \
	__noinline__ static __device__ unsigned int read_##NAME(                               \
		unsigned int a, unsigned int constant, unsigned int shared)                    \
	{                                                                                      \
		unsigned int x, y, z;                                                          \
                                                                                               \
		ONE OTHER return a;                                                            \
	}

/* The name, what it reads first and then. */
#define READS(ROW)                                                                             \
	ROW(none, MOVES, )                                                                     \
	ROW(tid, TIDS, )                                                                       \
	ROW(lane, LANES, )                                                                     \
	ROW(block, BLOCKS, )                                                                   \
	ROW(cluster, CLUSTERS, )                                                               \
	ROW(sm, SMS, )                                                                         \
	ROW(ldc, LOADS("const", constant), )                                                   \
	ROW(shfl, SHUFFLES, )                                                                  \
	ROW(lds, LOADS("volatile.shared", shared), )                                           \
	ROW(none_none, MOVES, MOVES)                                                           \
	ROW(tid_lane, TIDS, LANES)                                                             \
	ROW(tid_block, TIDS, BLOCKS)                                                           \
	ROW(block_ldc, BLOCKS, LOADS("const", constant))                                       \
	ROW(block_lds, BLOCKS, LOADS("volatile.shared", shared))                               \
	ROW(tid_ldc, TIDS, LOADS("const", constant))                                           \
	ROW(tid_shfl, TIDS, SHUFFLES)                                                          \
	ROW(tid_lds, TIDS, LOADS("volatile.shared", shared))                                   \
	ROW(ldc_shfl, LOADS("const", constant), SHUFFLES)                                      \
	ROW(ldc_lds, LOADS("const", constant), LOADS("volatile.shared", shared))               \
	ROW(shfl_lds, SHUFFLES, LOADS("volatile.shared", shared))

READS(READ)

#define KIND(NAME, ONE, OTHER) KIND_##NAME,
typedef enum { READS(KIND) KIND_clock } Kind;

template <Kind WHAT>
static __global__ void __launch_bounds__(1024, 1)
	reads(int sub_cores, int warps, unsigned int constant, long long *begins,
	      long long *ends, unsigned int *sink)
{
	__shared__ unsigned int words[64];
	unsigned int shared = (unsigned int)__cvta_generic_to_shared(words + threadIdx.x % 32);
	int warp = threadIdx.x / 32;
	long long begin = 0, end = 0;
	unsigned int sum = threadIdx.x;

	if (warp % SUB_CORES >= sub_cores || warp / SUB_CORES >= warps)
		return;

	int n = sub_cores * warps * 32;

	words[threadIdx.x % 64] = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		asm volatile("bar.sync 1, %0;" ::"r"(n) : "memory");
		begin = stamp();
#define CALL(NAME, ONE, OTHER)                                                                 \
	if (WHAT == KIND_##NAME) {                                                             \
		_Pragma("unroll 1") for (int i = 0; i < CALLS; i++) sum =                      \
			read_##NAME(sum, constant, shared);                                    \
	}
		READS(CALL)
		if (WHAT == KIND_clock) {
#pragma unroll
			for (int i = 0; i < 3 * CALLS; i++)
				sum ^= (unsigned int)stamp();
		}
		asm volatile("xor.b32 %0, %0, 1;" : "+r"(sum)::"memory");
		end = stamp();
	}
	asm volatile("bar.sync 1, %0;" ::"r"(n) : "memory");
	if (threadIdx.x % 32 == 0) {
		begins[warp] = begin;
		ends[warp] = end;
	}
	sink[threadIdx.x] = sum;
}

typedef struct {
	double middle, least, most;
} Span;

template <Kind WHAT> static Span measure(int sub_cores, int warps, unsigned int constant)
{
	static long long *begins = (long long *)gpu_memory(32 * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(32 * sizeof(long long));
	static unsigned int *sink = (unsigned int *)gpu_memory(1024 * sizeof(unsigned int));
	double spans[RUNS];

	for (int run = 0; run < RUNS; run++) {
		long long begin[32], end[32], first = INT64_MAX, last = 0;

		CHECK(cudaMemset(ends, 0, sizeof(end)));
		reads<WHAT><<<1, 1024>>>(sub_cores, warps, constant, begins, ends, sink);
		CHECK_RUN();
		from_gpu(begin, begins, sizeof(begin));
		from_gpu(end, ends, sizeof(end));
		for (int i = 0; i < 32; i++) {
			if (!end[i])
				continue;
			first = begin[i] < first ? begin[i] : first;
			last = end[i] > last ? end[i] : last;
		}
		spans[run] = (double)(last - first);
	}
	Span span = {median(spans, RUNS), spans[0], spans[RUNS - 1]};

	return span;
}

static void print(const char *name, int sub_cores, int warps, Span span)
{
	printf("%s,%d,%d,%.0f,%.0f,%.0f,%.2f\n", name, sub_cores, warps, span.middle,
	       span.least, span.most, span.middle / (CALLS * warps));
}

static __global__ void find_constants(unsigned int *address)
{
	uint64_t generic = (uint64_t)constants, own;

	asm("cvta.to.const.u64 %0, %1;" : "=l"(own) : "l"(generic));
	*address = (unsigned int)own;
}

int main(void)
{
	unsigned int *gpu = (unsigned int *)gpu_memory(4), constant;

	find_constants<<<1, 1>>>(gpu);
	CHECK_RUN();
	from_gpu(&constant, gpu, 4);
	warm_up();
	printf("reads,sub_cores,warps_per_sub_core,span,min,max,cycles_per_call_per_sub_"
	       "core\n");
	for (int sub_cores = 1; sub_cores <= SUB_CORES; sub_cores *= 2)
		for (int warps = 1; warps <= 8; warps++) {
#define PRINT(NAME, ONE, OTHER)                                                                \
	print(#NAME, sub_cores, warps, measure<KIND_##NAME>(sub_cores, warps, constant));
			READS(PRINT)
			PRINT(clock, , )
		}
	return 0;
}
