/* SPDX-License-Identifier: MIT */
/*
 * What instructions cost whose guard no lane fulfils.
 *
 *   guarded > issue-guarded.csv
 *
 * A row: an instruction, whether the guard holds (for all lanes, or for none), sub-cores at work and
 * warps of each; `span` from the first warp's start to the last one's end of COUNT in a row that do not
 * wait for each other (those of `imad` do); cycles an instruction of a sub-core and of the SM. Median of RUNS. The rows
 * `lds-chain` wait for each other: a load, and an addition of what it brought to its address.
 */
#include "probe.h"

#define COUNT	  128
#define RUNS	  7
#define SUB_CORES 4
#define MAX_WARPS 32

typedef enum { LDS, STS, LDG, STG, IMAD, LDS_CHAIN, N_KINDS } Kind;

static const char *const names[] = {"lds", "sts", "ldg", "stg", "imad", "lds-chain"};

#define FOUR(X)	   X X X X
#define SIXTEEN(X) FOUR(FOUR(X))
/* %0 and %1 are chained, %2 decides on the guard, %3 is an address in shared memory, %4 in global. */
#define GUARDED(PTX)                                                                           \
	asm volatile("{ .reg .pred p; .reg .u32 x; setp.ne.u32 p, %2, 0;" SIXTEEN(PTX) "}"     \
		     : "+r"(a), "+r"(b)                                                        \
		     : "r"(guard), "r"(word), "l"(far_word)                                    \
		     : "memory")

template <int KIND>
static __global__ void __launch_bounds__(1024, 1)
	rate(const uint32_t *guards, int sub_cores, int warps, uint32_t *far_words,
	     long long *begins, long long *ends, uint32_t *sink)
{
	__shared__ uint32_t words[1024];
	uint32_t word = (uint32_t)__cvta_generic_to_shared(words + threadIdx.x);
	uint32_t *far_word = far_words + threadIdx.x, guard = guards[threadIdx.x], a = guard,
		 b = 0;
	int warp = threadIdx.x / 32;
	long long begin = 0, end = 0;

	words[threadIdx.x] = 0;
	__syncthreads();
	if (warp % SUB_CORES >= sub_cores || warp / SUB_CORES >= warps)
		return;
	if (KIND == LDS_CHAIN)
		b = word;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		asm volatile("bar.sync 1, %0;" ::"r"(sub_cores * warps * 32) : "memory");
		begin = stamp();
#pragma unroll
		for (int i = 0; i < COUNT / 16; i++) {
			if (KIND == LDS)
				GUARDED("@p ld.volatile.shared.u32 x, [%3];");
			else if (KIND == STS)
				GUARDED("@p st.volatile.shared.u32 [%3], %1;");
			else if (KIND == LDG)
				GUARDED("@p ld.volatile.global.u32 x, [%4];");
			else if (KIND == STG)
				GUARDED("@p st.relaxed.cta.global.u32 [%4], %1;");
			else if (KIND == IMAD)
				GUARDED("@p mad.lo.u32 %0, %0, %2, %3;");
			else
				GUARDED("@p ld.volatile.shared.u32 %0, [%1];"
					"add.u32 %1, %1, %0;");
		}
		end = stamp();
	}
	asm volatile("bar.sync 1, %0;" ::"r"(sub_cores * warps * 32) : "memory");
	sink[threadIdx.x] = a + b;
	if (threadIdx.x % 32 == 0) {
		begins[warp] = begin;
		ends[warp] = end;
	}
}

template <int KIND> static void measure(uint32_t guard, int sub_cores, int warps)
{
	static uint32_t *far_words = (uint32_t *)gpu_memory(4096);
	static uint32_t *guards = (uint32_t *)gpu_memory(4096);
	static uint32_t *sink = (uint32_t *)gpu_memory(4096);
	static long long *begins = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	double span[RUNS];

	CHECK(cudaMemset(guards, guard ? 1 : 0, 4096));
	for (int run = -1; run < RUNS; run++) {
		long long begin[MAX_WARPS], end[MAX_WARPS], first = INT64_MAX, last = 0;

		CHECK(cudaMemset(ends, 0, sizeof(end)));
		rate<KIND>
			<<<1, 1024>>>(guards, sub_cores, warps, far_words, begins, ends, sink);
		CHECK_RUN();
		from_gpu(begin, begins, sizeof(begin));
		from_gpu(end, ends, sizeof(end));
		for (int warp = 0; warp < MAX_WARPS; warp++) {
			if (!end[warp])
				continue;
			first = begin[warp] < first ? begin[warp] : first;
			last = end[warp] > last ? end[warp] : last;
		}
		if (run >= 0)
			span[run] = last - first;
	}

	double middle = median(span, RUNS);

	printf("%s,%s,%d,%d,%.0f,%.0f,%.0f,%.3f,%.3f\n", names[KIND], guard ? "all" : "none",
	       sub_cores, warps, middle, span[0], span[RUNS - 1], middle / (COUNT * warps),
	       middle / (COUNT * warps * sub_cores));
}

template <int KIND> static void measure_all(void)
{
	static const int warps[] = {1, 2, 4, 8};

	for (uint32_t guard = 0; guard < 2; guard++)
		for (int sub_cores = 1; sub_cores <= SUB_CORES; sub_cores *= 4)
			for (int i = 0; i < 4; i++)
				measure<KIND>(guard, sub_cores, warps[i]);
	if constexpr (KIND + 1 < N_KINDS)
		measure_all<KIND + 1>();
}

int main(void)
{
	warm_up();
	printf("instruction,lanes,sub_cores,warps_per_sub_core,span,min,max,"
	       "cycles_per_op_per_sub_core,cycles_per_op_per_sm\n");
	measure_all<0>();
	return 0;
}
