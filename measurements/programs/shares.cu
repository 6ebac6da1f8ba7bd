/* SPDX-License-Identifier: MIT */
/*
 * What SMs that load at the same time get of the L2 and of DRAM.
 *
 *   shares > issue-shares.csv 2> issue-shares-sets.csv
 *
 * Columns: part, sms (how many load), set (which), warps (of each), bytes_per_lane, loads (of a warp under way), steps (loads of
 * each warp), value (bytes a cycle and SM, of the SM that takes longest; median of RUNS), least and most of the runs.
 * - `walk`: a warp's next load is one grid behind its last one, in 8 MiB that lie in the L2.
 * - `random`: each load of a warp is a whole number of lines at a random place there.
 * - `cold`: as walk, of memory that was not read since much else was.
 */
#include "probe.h"

#define RUNS	5
#define MAX_SMS 512
#define SMALL	(8u << 20)
#define FLUSH	((size_t)256 << 20)

typedef struct {
	long long begin, end;
} Span;

typedef struct {
	const char *base;
	uint32_t mask; /* of bytes */
	int steps;
} Region;

template <int WORDS, int LOADS, bool RANDOM>
static __global__ void __launch_bounds__(1024, 1)
	stream(Region region, const uint32_t *rank_of, int n_sms, Span *spans, uint32_t *sink)
{
	uint32_t rank = rank_of[sm_id()], n_warps = blockDim.x / 32, warp = threadIdx.x / 32;
	uint32_t gap = n_sms * blockDim.x * WORDS * 4, all = 0;
	uint32_t at = (rank * blockDim.x + threadIdx.x) * WORDS * 4;
	uint32_t own = threadIdx.x % 32 * WORDS * 4;
	uint32_t state = (rank * n_warps + warp) * 2654435769u;

	if (rank == UINT32_MAX)
		return;
	__syncthreads();

	long long begin = stamp();

#pragma unroll 1
	for (int step = 0; step < region.steps; step += LOADS) {
		uint32_t value[LOADS];

#pragma unroll
		for (int i = 0; i < LOADS; i++) {
			if (RANDOM) {
				/* The upper bits of such a sequence are the random ones. */
				state = state * 1664525u + 1013904223u;
				at = (state >> 9 & region.mask & ~(128u * WORDS - 1)) + own;
			}

			const char *address = region.base + at;

			if (WORDS == 1)
				asm volatile("ld.global.cg.u32 %0, [%1];"
					     : "=r"(value[i])
					     : "l"(address)
					     : "memory");
			else
				asm volatile("{ .reg .u32 x, y, z; "
					     "ld.global.cg.v4.u32 {%0, x, y, z}, [%1]; }"
					     : "=r"(value[i])
					     : "l"(address)
					     : "memory");
			if (!RANDOM)
				at = (at + gap) & region.mask;
		}
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			all ^= value[i];
	}
	if (all == 0x9e3779b9)
		*sink = all;

	long long end = stamp();

	if (threadIdx.x % 32 == 0) {
		atomicMin(&spans[sm_id()].begin, begin);
		atomicMax(&spans[sm_id()].end, end);
	}
}

static __global__ void read_all(const uint4 *data, size_t n, uint32_t *sink)
{
	uint32_t sum = 0;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (size_t)gridDim.x * blockDim.x)
		sum ^= data[i].x ^ data[i].y ^ data[i].z ^ data[i].w;
	if (sum == 0x9e3779b9)
		*sink = sum;
}

typedef struct {
	const char *name;
	int n, sm[132]; /* n 0: all */
} Set;

static char *small_memory, *large_memory;
static size_t large_bytes, large_at;
static uint32_t *sink, *ranks;
static Span *spans;

template <int WORDS, int LOADS>
static void measure(const char *part, const Set *set, int warps, int steps)
{
	uint32_t rank[MAX_SMS];
	double rate[RUNS];
	int all = set->n == 0, n = all ? sm_count() : set->n;
	bool cold = strcmp(part, "cold") == 0;

	for (int i = 0; i < MAX_SMS; i++)
		rank[i] = all ? i : UINT32_MAX;
	for (int i = 0; i < set->n; i++)
		rank[set->sm[i]] = i;
	CHECK(cudaMemcpy(ranks, rank, sizeof(rank), cudaMemcpyHostToDevice));
	for (int run = -1; run < RUNS; run++) {
		Span host[MAX_SMS];
		Region region = {small_memory, SMALL - 1, steps};
		double most = 0;

		if (cold) {
			size_t bytes = (size_t)n * warps * 128 * WORDS * steps;

			if (large_at + FLUSH + bytes > large_bytes)
				large_at = 0;
			read_all<<<2 * sm_count(), 1024>>>((uint4 *)(large_memory + large_at),
							   FLUSH / 16, sink);
			large_at += FLUSH;
			region.base = large_memory + large_at;
			region.mask = UINT32_MAX;
			large_at += (bytes + 4095) & ~(size_t)4095;
		}
		for (int i = 0; i < MAX_SMS; i++)
			host[i] = (Span){INT64_MAX, 0};
		CHECK(cudaMemcpy(spans, host, sizeof(host), cudaMemcpyHostToDevice));
		(strcmp(part, "random")
			 ? stream<WORDS, LOADS, false>
			 : stream<WORDS, LOADS, true>)<<<sm_count(), warps * 32>>>(
			region, ranks, n, spans, sink);
		CHECK_RUN();
		from_gpu(host, spans, sizeof(host));
		for (int i = 0; i < MAX_SMS; i++)
			if (host[i].end && host[i].end - host[i].begin > most)
				most = host[i].end - host[i].begin;
		if (run >= 0)
			rate[run] = 128.0 * WORDS * steps * warps / most;
	}
	double middle = median(rate, RUNS);

	printf("%s,%d,%s,%d,%d,%d,%d,%.3f,%.3f,%.3f\n", part, n, set->name, warps, WORDS * 4,
	       LOADS, steps, middle, rate[0], rate[RUNS - 1]);
	fflush(stdout);
}

/* Which SMs share a GPC: measurements/h200/l2/placement.csv. */
static const Set sets[] = {
	{"one", 1, {0}},
	{"tpc", 2, {0, 1}},
	{"gpc-2", 2, {0, 16}},
	{"gpcs-2", 2, {0, 2}},
	{"gpc-4-tpcs-2", 4, {0, 1, 16, 17}},
	{"gpc-4-tpcs-4", 4, {0, 16, 32, 48}},
	{"gpcs-4", 4, {0, 2, 4, 6}},
	{"gpc-8", 8, {2, 18, 34, 50, 64, 78, 92, 106}},
	{"gpc-8-tpcs-4", 8, {2, 3, 18, 19, 34, 35, 50, 51}},
	{"gpcs-8", 8, {0, 2, 4, 6, 8, 10, 12, 14}},
	{"gpc-16", 16, {2, 3, 18, 19, 34, 35, 50, 51, 64, 65, 78, 79, 92, 93, 106, 107}},
	{"gpc-18",
	 18,
	 {12, 13, 28, 29, 44, 45, 60, 61, 74, 75, 88, 89, 102, 103, 116, 117, 120, 121}},
	{"gpcs-16", 16, {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}},
	{"gpcs-32", 32, {0,  1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15,
			 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}},
	{"gpcs-66", 66, {0,   2,   4,	6,   8,	  10,  12,  14,	 16,  18,  20,	22,  24,  26,
			 28,  30,  32,	34,  36,  38,  40,  42,	 44,  46,  48,	50,  52,  54,
			 56,  58,  60,	62,  64,  66,  68,  70,	 72,  74,  76,	78,  80,  82,
			 84,  86,  88,	90,  92,  94,  96,  98,	 100, 102, 104, 106, 108, 110,
			 112, 114, 116, 118, 120, 122, 124, 126, 128, 130}},
	{"all", 0, {0}},
};

#define N_SETS (int)(sizeof(sets) / sizeof(*sets))

/* 6 GiB, or less where the GPU has no more. */
static size_t most_memory(void)
{
	size_t free_bytes, all, most = (size_t)6 << 30;

	CHECK(cudaMemGetInfo(&free_bytes, &all));
	return free_bytes < 2 * most ? free_bytes / 2 & ~(FLUSH - 1) : most;
}

/* Whether the GPU has the SMs. */
static bool is_there(const Set *set)
{
	return set->n == 0 || set->sm[set->n - 1] < sm_count();
}

static void print_set(const Set *set)
{
	fprintf(stderr, "%s,%s", set->name, set->n ? "" : "all");
	for (int i = 0; i < set->n; i++)
		fprintf(stderr, "%s%d", i ? "." : "", set->sm[i]);
	fprintf(stderr, "\n");
}

int main(void)
{
	static const int warps[] = {4, 8, 16, 32};

	warm_up();
	small_memory = (char *)gpu_memory(SMALL);
	large_bytes = most_memory();
	large_memory = (char *)gpu_memory(large_bytes + FLUSH);
	sink = (uint32_t *)gpu_memory(4);
	ranks = (uint32_t *)gpu_memory(MAX_SMS * sizeof(uint32_t));
	spans = (Span *)gpu_memory(MAX_SMS * sizeof(Span));
	printf("part,sms,set,warps,bytes_per_lane,loads,steps,value,least,most\n");
	fprintf(stderr, "set,list\n");
	for (const Set &set : sets)
		if (is_there(&set))
			print_set(&set);
	for (const Set &set : sets)
		for (int w : warps) {
			if (!is_there(&set))
				continue;
			measure<1, 8>("walk", &set, w, 128);
			measure<1, 16>("walk", &set, w, 128);
			measure<4, 4>("walk", &set, w, 128);
			measure<1, 8>("random", &set, w, 128);
			measure<1, 16>("random", &set, w, 128);
			measure<4, 4>("random", &set, w, 128);
		}
	for (int w : warps) {
		static const int some[] = {0, N_SETS - 2, N_SETS - 1};

		for (int k : some) {
			const Set *set = &sets[k];

			if (!is_there(set))
				continue;
			measure<1, 1>("cold", set, w, 128);
			measure<1, 4>("cold", set, w, 128);
			measure<1, 8>("cold", set, w, 128);
			measure<4, 1>("cold", set, w, 128);
			measure<4, 4>("cold", set, w, 128);
			measure<4, 8>("cold", set, w, 64);
		}
	}
	return 0;
}
