/* SPDX-License-Identifier: MIT */
/*
 * Which warp of a sub-core goes first.
 *
 *   scheduler > issue-scheduler.csv
 *
 * A row: a kind of code, `lead` FFMA before the first stamp, so many warps of sub-core 0, run and
 * warp; stamps after each eight instructions, counted from the earliest of all. A warp of another
 * sub-core frees the barrier for all at once.
 */
#include "probe.h"

#define RUNS	  3
#define STAMPS	  9
#define SUB_CORES 4

enum { INDEPENDENT_FFMA, CHAIN_FFMA, INDEPENDENT_LOP3, TWO_CHAINS_FFMA };

static const char *const names[] = {"independent-ffma", "chain-ffma", "independent-lop3",
				    "two-chains-ffma"};

template <int KIND, int LEAD>
static __global__ void order(int warps, float g, uint32_t b, long long *stamps, float *sink)
{
	int warp = threadIdx.x / 32;
	float f[8];
	uint32_t a[8];
	long long at[STAMPS];

	for (int i = 0; i < 8; i++) {
		f[i] = g + i + threadIdx.x;
		a[i] = b + i + threadIdx.x;
	}
	/* Warps that have nothing to do are gone before the others begin. */
	if (warp != 1 && (warp % SUB_CORES || warp / SUB_CORES >= warps))
		return;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		int n = warps * 32 + 32;

		/* All wait here, and a warp of sub-core 1 comes last. */
		if (warp == 1)
			for (long long begin = stamp(); stamp() - begin < 2000;)
				;
		asm volatile("bar.sync 1, %0;" ::"r"(n) : "memory");
		if (warp == 1)
			continue;
#pragma unroll
		for (int i = 0; i < LEAD; i++)
			asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[i % 8]) : "f"(g));
		at[0] = stamp();
#pragma unroll
		for (int s = 1; s < STAMPS; s++) {
#pragma unroll
			for (int i = 0; i < 8; i++) {
				int chain = KIND == CHAIN_FFMA	      ? 0
					    : KIND == TWO_CHAINS_FFMA ? i % 2
								      : i;

				if (KIND == INDEPENDENT_LOP3)
					asm volatile("xor.b32 %0, %0, %1;"
						     : "+r"(a[i])
						     : "r"(b));
				else
					asm volatile("fma.rn.f32 %0, %0, %1, %1;"
						     : "+f"(f[chain])
						     : "f"(g));
			}
			at[s] = stamp();
		}
	}

	/* What a warp does behind its last stamp would take issue slots of the others. */
	asm volatile("bar.sync 2, %0;" ::"r"(warps * 32 + 32) : "memory");

	float sum = 0;

	for (int i = 0; i < 8; i++)
		sum += f[i] + a[i];
	sink[threadIdx.x] = sum;
	if (threadIdx.x % 32 == 0 && warp % SUB_CORES == 0)
		for (int s = 0; s < STAMPS; s++)
			stamps[warp / SUB_CORES * STAMPS + s] = at[s];
}

template <int KIND, int LEAD> static void measure(void)
{
	static const int counts[] = {1, 2, 3, 4, 6, 8};
	static long long *stamps = (long long *)gpu_memory(8 * STAMPS * sizeof(long long));
	static float *sink = (float *)gpu_memory(1024 * sizeof(float));

	for (int i = 0; i < 6; i++)
		for (int run = 0; run < RUNS; run++) {
			long long at[8][STAMPS], first = INT64_MAX;

			order<KIND, LEAD><<<1, 1024>>>(counts[i], 1.5f, 3, stamps, sink);
			CHECK_RUN();
			from_gpu(at, stamps, sizeof(at));
			for (int warp = 0; warp < counts[i]; warp++)
				first = at[warp][0] < first ? at[warp][0] : first;
			for (int warp = 0; warp < counts[i]; warp++) {
				printf("%s,%d,%d,%d,%d", names[KIND], LEAD, counts[i], run,
				       warp);
				for (int s = 0; s < STAMPS; s++)
					printf(",%lld", at[warp][s] - first);
				putchar('\n');
			}
		}
}

int main(void)
{
	warm_up();
	printf("kind,lead,warps,run,warp,t0,t8,t16,t24,t32,t40,t48,t56,t64\n");
	measure<INDEPENDENT_FFMA, 64>();
	measure<CHAIN_FFMA, 64>();
	measure<INDEPENDENT_LOP3, 64>();
	measure<TWO_CHAINS_FFMA, 64>();
	measure<INDEPENDENT_FFMA, 0>();
	measure<CHAIN_FFMA, 0>();
	measure<INDEPENDENT_LOP3, 0>();
	return 0;
}
