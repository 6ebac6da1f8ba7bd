/* SPDX-License-Identifier: MIT */
/*
 * What fences cost.
 *
 *   fence > issue-fence.csv
 *
 * A row: a kind of fence, `count` accesses of each thread before it, warps of the one block; time
 * of the first fence (least and most of all warps, median of RUNS) and of each of four more.
 */
#include "probe.h"

#define RUNS 7

enum { FENCE_BLOCK, FENCE_DEVICE, FENCE_ACQ_REL_BLOCK, FENCE_ACQ_REL_DEVICE, WARP_SYNC };
enum { BEFORE_NONE, BEFORE_STS, BEFORE_STG, BEFORE_LDG, BEFORE_RED_SHARED };

static const char *const fence_names[] = {"threadfence_block", "threadfence",
					  "fence.acq_rel.cta", "fence.acq_rel.gpu",
					  "bar.warp.sync"};
static const char *const before_names[] = {"none", "sts", "stg", "ldg", "red-shared"};

template <int KIND> static __device__ void fence(void)
{
	if (KIND == FENCE_BLOCK)
		__threadfence_block();
	else if (KIND == FENCE_DEVICE)
		__threadfence();
	else if (KIND == FENCE_ACQ_REL_BLOCK)
		asm volatile("fence.acq_rel.cta;" ::: "memory");
	else if (KIND == FENCE_ACQ_REL_DEVICE)
		asm volatile("fence.acq_rel.gpu;" ::: "memory");
	else
		asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

template <int BEFORE, int COUNT>
static __device__ uint32_t access(uint32_t word, uint32_t *far_words)
{
	uint32_t sum = 0;

#pragma unroll
	for (int i = 0; i < COUNT; i++) {
		uint32_t value = 0;

		if (BEFORE == BEFORE_STS)
			asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(word + i * 4096),
				     "r"(i)
				     : "memory");
		else if (BEFORE == BEFORE_STG)
			far_words[threadIdx.x + i * 1024] = i;
		else if (BEFORE == BEFORE_LDG)
			asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
				     : "=r"(value)
				     : "l"(far_words + threadIdx.x + i * 1024)
				     : "memory");
		else if (BEFORE == BEFORE_RED_SHARED)
			asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(word + i * 4096)
				     : "memory");
		sum += value;
	}
	return sum;
}

template <int KIND, int BEFORE, int COUNT>
static __global__ void fences(uint32_t *far_words, long long *first, long long *more,
			      uint32_t *sink)
{
	__shared__ uint32_t words[1024 * 8];
	uint32_t word = (uint32_t)__cvta_generic_to_shared(words) + threadIdx.x * 4;

	uint32_t all = 0;

#pragma unroll 1
	for (int pass = 0; pass < 3; pass++) {
		__threadfence();
		__syncthreads();

		uint32_t sum = access < BEFORE, COUNT ? COUNT : 1 > (word, far_words);
		long long begin = stamp();

		fence<KIND>();

		long long middle = stamp();

		for (int i = 0; i < 4; i++)
			fence<KIND>();

		long long end = stamp();

		all += sum;
		if (threadIdx.x % 32 == 0 && pass == 2) {
			first[threadIdx.x / 32] = middle - begin;
			more[threadIdx.x / 32] = end - middle;
		}
	}
	sink[threadIdx.x] = all;
}

template <int KIND, int BEFORE, int COUNT> static void measure(void)
{
	static const int warps[] = {1, 2, 4, 8, 32};
	static uint32_t *far_words = (uint32_t *)gpu_memory(8 * 1024 * sizeof(uint32_t));
	static uint32_t *sink = (uint32_t *)gpu_memory(1024 * sizeof(uint32_t));
	static long long *firsts = (long long *)gpu_memory(32 * sizeof(long long));
	static long long *mores = (long long *)gpu_memory(32 * sizeof(long long));

	for (int w = 0; w < 5; w++) {
		double least[RUNS], most[RUNS], each[RUNS];

		for (int run = 0; run < RUNS; run++) {
			long long first[32], more[32];

			fences<KIND, BEFORE, COUNT>
				<<<1, warps[w] * 32>>>(far_words, firsts, mores, sink);
			CHECK_RUN();
			from_gpu(first, firsts, sizeof(first));
			from_gpu(more, mores, sizeof(more));
			least[run] = most[run] = first[0];
			for (int i = 1; i < warps[w]; i++) {
				least[run] = first[i] < least[run] ? first[i] : least[run];
				most[run] = first[i] > most[run] ? first[i] : most[run];
			}
			each[run] = more[0] / 4.0;
		}
		printf("%s,%s,%d,%d,%.0f,%.0f,%.2f\n", fence_names[KIND], before_names[BEFORE],
		       COUNT, warps[w], median(least, RUNS), median(most, RUNS),
		       median(each, RUNS));
	}
}

template <int KIND> static void measure_kind(void)
{
	measure<KIND, BEFORE_NONE, 0>();
	measure<KIND, BEFORE_STS, 1>();
	measure<KIND, BEFORE_STS, 4>();
	measure<KIND, BEFORE_STS, 8>();
	measure<KIND, BEFORE_STG, 1>();
	measure<KIND, BEFORE_STG, 4>();
	measure<KIND, BEFORE_STG, 8>();
	measure<KIND, BEFORE_LDG, 1>();
	measure<KIND, BEFORE_LDG, 4>();
	measure<KIND, BEFORE_RED_SHARED, 1>();
}

int main(void)
{
	warm_up();
	printf("fence,before,count,warps,first_min,first_max,each_of_next4\n");
	measure_kind<FENCE_BLOCK>();
	measure_kind<FENCE_DEVICE>();
	measure_kind<FENCE_ACQ_REL_BLOCK>();
	measure_kind<FENCE_ACQ_REL_DEVICE>();
	measure_kind<WARP_SYNC>();
	return 0;
}
