/* SPDX-License-Identifier: MIT */
/*
 * Fences of the block by many warps.
 *
 *   fence-block > issue-fence-block.csv
 *
 * One block of `warps` warps, of which the first `fencing` make ROUNDS rounds of `before` and a fence of the block, and the
 * others make `beside` again and again meanwhile. No clock is read between. Cycles of a round, from the first fencing warp's
 * start to the last one's end / ROUNDS: median, least and most of RUNS.
 */
#include "probe.h"

#define RUNS	  9
#define ROUNDS	  64
#define MAX_WARPS 32

enum { NONE, STS, LDS, LDS_STS, ATOMS, CAS, N_BEFORE };
static const char *const befores[] = {"none", "sts", "lds", "lds+sts", "red", "cas"};
enum { NOTHING, STORES, TRIES, ADDS, N_BESIDE };
static const char *const besides[] = {"nothing", "sts", "cas", "alu"};

template <int BEFORE> static __device__ __forceinline__ int access(uint32_t word)
{
	int value = 0;

	if (BEFORE == STS)
		asm volatile("st.volatile.shared.u32 [%0], 7;" ::"r"(word) : "memory");
	if (BEFORE == LDS || BEFORE == LDS_STS)
		asm volatile("ld.volatile.shared.u32 %0, [%1];"
			     : "=r"(value)
			     : "r"(word)
			     : "memory");
	if (BEFORE == LDS_STS)
		asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(word), "r"(value + 1)
			     : "memory");
	if (BEFORE == ATOMS)
		asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(word) : "memory");
	if (BEFORE == CAS)
		asm volatile("atom.shared.cas.b32 %0, [%1], 1, 2;"
			     : "=r"(value)
			     : "r"(word)
			     : "memory");
	return value;
}

template <int BEFORE, int BESIDE>
static __global__ void fences(int fencing, long long *begins, long long *ends, int *sink)
{
	__shared__ uint32_t words[1024];
	__shared__ volatile int left;
	uint32_t word = (uint32_t)__cvta_generic_to_shared(words) + threadIdx.x * 4;
	int warp = threadIdx.x / 32, sum = 0;

	words[threadIdx.x] = 0;
	for (int pass = 0; pass < 2; pass++) {
		left = fencing;
		__syncthreads();
		if (warp < fencing) {
			long long begin = stamp();

#pragma unroll 4
			for (int i = 0; i < ROUNDS; i++) {
				int value = access<BEFORE>(word);

				if (BEFORE == CAS && value == 5)
					sum++;
				asm volatile("fence.sc.cta;" ::: "memory");
				sum += value;
			}
			long long end = stamp();

			if (threadIdx.x % 32 == 0) {
				begins[warp] = begin;
				ends[warp] = end;
				atomicSub((int *)&left, 1);
			}
		} else if (BESIDE != NOTHING) {
			for (int n = 0; left > 0 && n < 4000; n++)
#pragma unroll
				for (int i = 0; i < 8; i++) {
					if (BESIDE == STORES)
						access<STS>(word);
					if (BESIDE == TRIES)
						sum += access<CAS>(word);
					if (BESIDE == ADDS)
						asm volatile("add.s32 %0, %0, 3;" : "+r"(sum));
				}
		}
		__syncthreads();
	}
	sink[threadIdx.x] = sum;
}

template <int BEFORE, int BESIDE> static void measure(int warps, int fencing)
{
	static long long *begins = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	static int *sink = (int *)gpu_memory(1024 * sizeof(int));
	double cycles[RUNS];

	for (int run = 0; run < RUNS; run++) {
		long long begin[MAX_WARPS], end[MAX_WARPS], first = INT64_MAX, last = 0;

		fences<BEFORE, BESIDE><<<1, warps * 32>>>(fencing, begins, ends, sink);
		CHECK_RUN();
		from_gpu(begin, begins, sizeof(begin));
		from_gpu(end, ends, sizeof(end));
		for (int i = 0; i < fencing; i++) {
			first = begin[i] < first ? begin[i] : first;
			last = end[i] > last ? end[i] : last;
		}
		cycles[run] = (double)(last - first) / ROUNDS;
	}
	double middle = median(cycles, RUNS);

	printf("%s,%s,%d,%d,%.2f,%.2f,%.2f\n", befores[BEFORE], besides[BESIDE], warps, fencing,
	       middle, cycles[0], cycles[RUNS - 1]);
}

template <int BEFORE> static void measure_before(void)
{
	static const int n_warps[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 28, 32};

	for (int warps : n_warps)
		measure<BEFORE, NOTHING>(warps, warps);
	for (int warps : {2, 8, 16, 32})
		for (int fencing = 1; fencing <= warps / 2; fencing *= 4) {
			measure<BEFORE, STORES>(warps, fencing);
			measure<BEFORE, TRIES>(warps, fencing);
			measure<BEFORE, ADDS>(warps, fencing);
		}
}

int main(void)
{
	warm_up();
	printf("before,beside,warps,fencing,cycles,cycles_min,cycles_max\n");
	measure_before<NONE>();
	measure_before<STS>();
	measure_before<LDS>();
	measure_before<LDS_STS>();
	measure_before<ATOMS>();
	measure_before<CAS>();
	return 0;
}
