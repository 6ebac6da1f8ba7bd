/* SPDX-License-Identifier: MIT */
/*
 * Memory accesses back to back: what the queues take.
 *
 *   queue > issue-queue.csv
 *
 * A row: an access, n of them in a row as ptxas schedules them, sub-cores at work and warps of
 * each; own_issue is the longest that one warp needs to issue its n, all_issued and all_done go
 * from the first warp's start to the last issue and to the last result's use. Median of RUNS.
 */
#include "probe.h"

#define RUNS	  7
#define SUB_CORES 4
#define MAX_N	  16

typedef enum {
	LDS32,
	LDS64,
	LDS128,
	LDS_2WAY,
	LDS_4WAY,
	STS32,
	STS128,
	ATOMS,
	ATOMS_NORESULT,
	ATOMS_ONE_WORD,
	ATOMS_CAS,
	LDG32_L1,
	LDG128_L1,
	LDG32_L2,
	LDG32_L2_SECTORS,
	STG32,
	RED_GLOBAL,
	SHFL,
	N_ACCESSES
} Access;

static const char *const names[] = {
	"lds32",     "lds64",	   "lds128",	"lds32-2way",	      "lds32-4way",
	"sts32",     "sts128",	   "atoms-add", "atoms-add-noresult", "atoms-add-oneword",
	"atoms-cas", "ldg32-l1",   "ldg128-l1", "ldg32-l2",	      "ldg32-l2-32sectors",
	"stg32",     "red-global", "shfl"};

/* The i-th access; its result, if it has one. */
template <int ACCESS>
static __device__ __forceinline__ uint32_t access(uint32_t word, const char *far_word, int i,
						  uint32_t value)
{
	uint32_t result = 0;
	const char *address = far_word + i * 8192;

	if (ACCESS == LDS32 || ACCESS == LDS_2WAY || ACCESS == LDS_4WAY)
		asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(result) : "r"(word));
	else if (ACCESS == LDS64)
		asm volatile("{ .reg .u32 y; ld.volatile.shared.v2.u32 {%0, y}, [%1]; }"
			     : "=r"(result)
			     : "r"(word));
	else if (ACCESS == LDS128)
		asm volatile(
			"{ .reg .u32 x, y, z; ld.volatile.shared.v4.u32 {%0, x, y, z}, [%1]; }"
			: "=r"(result)
			: "r"(word));
	else if (ACCESS == STS32)
		asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(word), "r"(value));
	else if (ACCESS == STS128)
		asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(word),
			     "r"(value));
	else if (ACCESS == ATOMS || ACCESS == ATOMS_ONE_WORD)
		asm volatile("atom.shared.add.u32 %0, [%1], %2;"
			     : "=r"(result)
			     : "r"(word), "r"(value));
	else if (ACCESS == ATOMS_NORESULT)
		asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(word), "r"(value));
	else if (ACCESS == ATOMS_CAS)
		asm volatile("atom.shared.cas.b32 %0, [%1], %2, %2;"
			     : "=r"(result)
			     : "r"(word), "r"(value));
	else if (ACCESS == LDG32_L1)
		asm volatile("ld.relaxed.cta.global.u32 %0, [%1];"
			     : "=r"(result)
			     : "l"(address));
	else if (ACCESS == LDG128_L1)
		asm volatile("{ .reg .u32 x, y, z; ld.global.ca.v4.u32 {%0, x, y, z}, [%1]; }"
			     : "=r"(result)
			     : "l"(address));
	else if (ACCESS == LDG32_L2 || ACCESS == LDG32_L2_SECTORS)
		asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
			     : "=r"(result)
			     : "l"(address));
	else if (ACCESS == STG32)
		asm volatile("st.relaxed.cta.global.u32 [%0], %1;" ::"l"(address), "r"(value));
	else if (ACCESS == RED_GLOBAL)
		asm volatile("red.global.add.u32 [%0], %1;" ::"l"(address), "r"(value));
	else
		asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;"
			     : "=r"(result)
			     : "r"(value));
	return result;
}

template <int ACCESS, int N>
static __global__ void __launch_bounds__(1024, 1)
	burst(int sub_cores, int warps, char *far_words, long long *begins, long long *issues,
	      long long *dones)
{
	__shared__ __align__(16) uint32_t words[1024 * 4];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int bytes = ACCESS == LDS128 || ACCESS == STS128 ? 16 : ACCESS == LDS64 ? 8 : 4;
	int place = ACCESS == LDS_2WAY	       ? lane * 2
		    : ACCESS == LDS_4WAY       ? lane * 4
		    : ACCESS == ATOMS_ONE_WORD ? 0
					       : lane * (bytes / 4);
	uint32_t word = (uint32_t)__cvta_generic_to_shared(words) + warp * 512 + place * 4;
	const char *far_word = far_words + warp * 262144 +
			       (ACCESS == LDG32_L2_SECTORS ? lane * 32
				: ACCESS == LDG128_L1	   ? lane * 16
							   : lane * 4);
	long long begin = 0, issue = 0, done = 0;
	uint32_t value = begins ? 1 : 0, sum;

	/* Warps that have nothing to do are gone before the others begin. */
	if (warp % SUB_CORES >= sub_cores || warp / SUB_CORES >= warps)
		return;
#pragma unroll 1
	for (int pass = 0; pass < 3; pass++) {
		int n = sub_cores * warps * 32;

		asm volatile("bar.sync 1, %0;" ::"r"(n) : "memory");

		uint32_t result[N];

		begin = stamp();
#pragma unroll
		for (int i = 0; i < N; i++)
			result[i] = access<ACCESS>(word, far_word, i, value);
		issue = stamp();
		sum = 0;
#pragma unroll
		for (int i = 0; i < N; i++)
			sum ^= result[i];
		/* The last stamp waits for the results: nobody knows that this is never so. */
		if (sum == 0x9e3779b9)
			((volatile uint32_t *)words)[0] = sum;
		done = stamp();
	}
	if (lane == 0) {
		begins[warp] = begin;
		issues[warp] = issue;
		dones[warp] = done;
	}
}

static struct {
	char *far_words;
	long long *begins, *issues, *dones;
} memory;

template <int ACCESS, int N> static void measure(void)
{
	static const int warps[] = {1, 2, 8};

	for (int sub_cores = 1; sub_cores <= SUB_CORES; sub_cores++)
		for (int w = 0; w < 3; w++) {
			double own[RUNS], issued[RUNS], done[RUNS];

			if (sub_cores == 3 || (sub_cores == 2 && w == 1))
				continue;
			for (int run = 0; run < RUNS; run++) {
				long long begin[32], issue[32], end[32], first = INT64_MAX;

				burst<ACCESS, N><<<1, 1024>>>(sub_cores, warps[w],
							      memory.far_words, memory.begins,
							      memory.issues, memory.dones);
				CHECK_RUN();
				from_gpu(begin, memory.begins, sizeof(begin));
				from_gpu(issue, memory.issues, sizeof(issue));
				from_gpu(end, memory.dones, sizeof(end));
				own[run] = issued[run] = done[run] = 0;
				for (int i = 0; i < 32; i++)
					if (i % SUB_CORES < sub_cores &&
					    i / SUB_CORES < warps[w])
						first = begin[i] < first ? begin[i] : first;
				for (int i = 0; i < 32; i++) {
					if (i % SUB_CORES >= sub_cores ||
					    i / SUB_CORES >= warps[w])
						continue;
					own[run] = fmax(own[run], issue[i] - begin[i]);
					issued[run] = fmax(issued[run], issue[i] - first);
					done[run] = fmax(done[run], end[i] - first);
				}
			}

			double middle = median(done, RUNS);

			printf("%s,ptxas (4),%d,%d,%d,%.0f,%.0f,%.0f,%.0f,%.0f\n",
			       names[ACCESS], N, sub_cores, warps[w], median(own, RUNS),
			       median(issued, RUNS), middle, done[0], done[RUNS - 1]);
		}
}

template <int ACCESS> static void measure_access(void)
{
	measure<ACCESS, 1>();
	measure<ACCESS, 2>();
	measure<ACCESS, 4>();
	measure<ACCESS, 6>();
	measure<ACCESS, 8>();
	measure<ACCESS, 12>();
	measure<ACCESS, 16>();
}

template <int ACCESS> static void measure_from(void)
{
	measure_access<ACCESS>();
	if constexpr (ACCESS + 1 < N_ACCESSES)
		measure_from<ACCESS + 1>();
}

int main(void)
{
	warm_up();
	memory.far_words = (char *)gpu_memory(32 * 262144 + 1024 * 16);
	memory.begins = (long long *)gpu_memory(32 * sizeof(long long));
	memory.issues = (long long *)gpu_memory(32 * sizeof(long long));
	memory.dones = (long long *)gpu_memory(32 * sizeof(long long));
	printf("access,stall,n,sub_cores,warps_per_sub_core,own_issue,all_issued,all_done,min_"
	       "done,"
	       "max_done\n");
	measure_from<0>();
	return 0;
}
