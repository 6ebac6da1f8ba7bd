/* SPDX-License-Identifier: MIT */
/*
 * Locks in global memory that many SMs want, and what surrounds them in a kernel: fences of many warps, loads and
 * reductions of many lines, the first cache behind a fence.
 *
 *   lock-grid grid > issue-lock-grid.csv
 *   lock-grid fences > issue-fence-turns.csv
 *   lock-grid lines > issue-lines.csv
 *   lock-grid cache > issue-fence-cache.csv
 *
 * grid: `blocks` blocks of `warps` warps, each block on its own SM while there are as many; lanes 0 .. lanes - 1 of each go
 * `entries` times through the section of word lane mod `words` of the line of their warp's group, which is the warp's number in
 * the grid mod `groups`. Sections as in locks.cu: nothing, a fence, fence and addition and fence. Cycles of the slowest block
 * from its first warp's begin to its last one's end, median, least and most of RUNS; tries in vain are counted in launches of
 * their own.
 * fences: `warps` warps of each block make ROUNDS fences of the device, `before` ahead of each, and read no clock between:
 * cycles of a block / ROUNDS.
 * lines: each warp's accesses name `lines` lines of its own, which the first cache holds: cycles of a block for an access of
 * each of its warps.
 * cache: cycles of a load whose line the first cache had before `between`.
 */
#include "probe.h"

#define RUNS	  3
#define LINE	  32 /* words */
#define MAX_WARPS 32
#define ROUNDS	  32

static __device__ __forceinline__ bool opaque(bool value)
{
	int number = value;

	asm volatile("" : "+r"(number));
	return number;
}

/* Of one block's warps. */
typedef struct {
	long long begin, end;
} Span;

static double slowest(const Span *spans, int blocks, int warps)
{
	double most = 0;

	for (int b = 0; b < blocks; b++) {
		long long first = INT64_MAX, last = 0;

		for (int w = 0; w < warps; w++) {
			const Span *span = &spans[b * MAX_WARPS + w];

			first = span->begin < first ? span->begin : first;
			last = span->end > last ? span->end : last;
		}
		most = last - first > most ? last - first : most;
	}
	return most;
}

#define MAX_BLOCKS 512
static Span *gpu_spans(void)
{
	static Span *spans = (Span *)gpu_memory(MAX_BLOCKS * MAX_WARPS * sizeof(Span));

	return spans;
}

static Span host_spans[MAX_BLOCKS * MAX_WARPS];

static double measured(int blocks, int warps)
{
	CHECK_RUN();
	from_gpu(host_spans, gpu_spans(), sizeof(host_spans));
	return slowest(host_spans, blocks, warps);
}

static __device__ void write_span(Span *spans, long long begin, long long end)
{
	if (threadIdx.x % 32 == 0)
		spans[blockIdx.x * MAX_WARPS + threadIdx.x / 32] = {begin, end};
}

/* --- grid --- */

enum { BARE, FENCED, UPDATE, N_SECTIONS };
static const char *const sections[] = {"bare", "fence", "update"};

template <int SECTION, bool COUNTED>
static __global__ void go_through(int lanes, int words, int groups, int entries, int *locks,
				  volatile int *values, Span *spans, unsigned long long *failed)
{
	int lane = threadIdx.x % 32;
	int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
	int at = warp % groups * LINE + lane % words;
	int *lock = locks + at;
	volatile int *value = values + at;
	unsigned long long tries = 0;

	__syncthreads();
	long long begin = stamp();

	for (int i = 0; i < entries; i++) {
		if (lane < lanes) {
			for (bool done = false; !done;) {
				if (atomicCAS(lock, 0, 1) == 0) {
					if (SECTION == UPDATE) {
						__threadfence();
						*value = *value + 1;
					}
					if (SECTION != BARE)
						__threadfence();
					atomicExch(lock, 0);
					done = opaque(true);
				} else if (COUNTED) {
					tries++;
				}
			}
		}
		__syncwarp();
	}
	write_span(spans, begin, stamp());
	if (COUNTED)
		atomicAdd(failed, tries);
}

typedef struct {
	int section, blocks, warps, lanes, words, groups, entries;
} Shape;

template <int SECTION> static void measure_grid(const Shape *s)
{
	static int *locks = (int *)gpu_memory(1 << 20), *values = (int *)gpu_memory(1 << 20);
	static unsigned long long *failed = (unsigned long long *)gpu_memory(8);
	double cycles[RUNS];
	unsigned long long n = 0;

	for (int run = 0; run < RUNS + 1; run++) {
		go_through<SECTION, false><<<s->blocks, s->warps * 32>>>(
			s->lanes, s->words, s->groups, s->entries, locks, values, gpu_spans(),
			failed);
		cycles[run > 0 ? run - 1 : 0] = measured(s->blocks, s->warps);
	}
	double middle = median(cycles, RUNS);
	CHECK(cudaMemset(failed, 0, 8));
	go_through<SECTION, true><<<s->blocks, s->warps * 32>>>(
		s->lanes, s->words, s->groups, s->entries, locks, values, gpu_spans(), failed);
	double counted = measured(s->blocks, s->warps);
	from_gpu(&n, failed, 8);
	printf("%s,%d,%d,%d,%d,%d,%d,%.0f,%.0f,%.0f,%llu,%.0f\n", sections[SECTION], s->blocks,
	       s->warps, s->lanes, s->words, s->groups, s->entries, middle, cycles[0],
	       cycles[RUNS - 1], n, counted);
	fflush(stdout);
}

static void measure_sections(Shape s)
{
	measure_grid<BARE>(&s);
	measure_grid<FENCED>(&s);
	measure_grid<UPDATE>(&s);
}

static void all_grid(void)
{
	static const int n_blocks[] = {1, 2, 5, 16, 49, 132}, n_warps[] = {1, 4, 16, 32};

	printf("section,blocks,warps,lanes,words,groups,entries,cycles,cycles_min,cycles_max,"
	       "failed_lane_tries,counted_cycles\n");
	for (int n : n_blocks)
		for (int w : n_warps) {
			const int b = blocks_for(n);
			int few = b * w <= 8 ? 32 : b * w <= 64 ? 8 : b * w <= 512 ? 4 : 2;

			measure_sections({0, b, w, 1, 1, 1, few});
			measure_sections({0, b, w, 32, 32, 1, few});
			measure_sections({0, b, w, 32, 8, 1, few});
			measure_sections({0, b, w, 32, 32, 16, few * 2});
			if (b * w >= 64)
				measure_sections({0, b, w, 32, 32, 64, few * 2});
			if (b * w >= 256)
				measure_sections({0, b, w, 32, 32, 256, few * 4});
		}
}

/* --- fences --- */

enum { NONE, LDG, STG, LDS_STS, ATOMS, BLOCK, N_BEFORE };
static const char *const befores[] = {"none", "ldg", "stg-lane", "lds+sts", "atoms", "block"};

template <int BEFORE> static __global__ void fences(int *words, Span *spans, int *sink)
{
	__shared__ volatile int near[1024];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = 0;
	volatile int *own = words + (blockIdx.x * 32 + warp) * LINE;

	near[threadIdx.x] = 0;
	sum += *(int *)(words + (blockIdx.x * 32 + warp) * LINE + lane);
	__syncthreads();
	long long begin = stamp();

#pragma unroll 1
	for (int i = 0; i < ROUNDS; i++) {
		int value = 0;

		if (BEFORE == LDG) {
			asm volatile("ld.global.ca.u32 %0, [%1];"
				     : "=r"(value)
				     : "l"((int *)own + lane)
				     : "memory");
			sum += value;
		}
		if (BEFORE == STG && lane == 0)
			*own = i;
		if (BEFORE == LDS_STS)
			near[threadIdx.x] += 1;
		if (BEFORE == ATOMS)
			sum += atomicCAS((int *)&near[threadIdx.x], 0, 1);
		if (BEFORE == BLOCK)
			__threadfence_block();
		__threadfence();
	}
	write_span(spans, begin, stamp());
	sink[threadIdx.x] = sum;
}

template <int BEFORE> static void measure_fences(int blocks, int warps)
{
	static int *words = (int *)gpu_memory(16 << 20), *sink = (int *)gpu_memory(4096);
	double cycles[RUNS];

	for (int run = 0; run < RUNS + 1; run++) {
		fences<BEFORE><<<blocks, warps * 32>>>(words, gpu_spans(), sink);
		cycles[run > 0 ? run - 1 : 0] = measured(blocks, warps);
	}
	double middle = median(cycles, RUNS);
	printf("%s,%d,%d,%.1f,%.1f,%.1f\n", befores[BEFORE], blocks, warps, middle / ROUNDS,
	       cycles[0] / ROUNDS, cycles[RUNS - 1] / ROUNDS);
}

static void all_fences(void)
{
	printf("before,blocks,warps,cycles,cycles_min,cycles_max\n");
	for (int b : {1, 5, blocks_for(66), blocks_for(132)})
		for (int w : {1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32}) {
			measure_fences<NONE>(b, w);
			measure_fences<LDG>(b, w);
			measure_fences<STG>(b, w);
			measure_fences<LDS_STS>(b, w);
			measure_fences<ATOMS>(b, w);
			measure_fences<BLOCK>(b, w);
		}
}

/* --- lines --- */

enum { L_CA, L_CG, L_RED, L_CA_RED, L_CHAIN, L_STG, N_LINE_OPS };
static const char *const line_ops[] = {"ld-ca", "ld-cg", "red-f32", "ld-red", "ld-chain", "st"};
#define STEPS 128

template <int OP>
static __global__ void lines(float *from, float *to, int n_lines, Span *spans, float *sink)
{
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	int own = (blockIdx.x * 32 + warp) * 32 * LINE;
	int each = 32 / n_lines;
	int at = own + lane / each * LINE + lane % each;
	float *a = from + at, *b = to + at, sum = 0;
	int move = each; /* words on, at a step */

	for (int i = 0; i < 32; i++) { /* the first cache gets it all */
		float value;

		asm volatile("ld.global.ca.f32 %0, [%1];"
			     : "=f"(value)
			     : "l"(from + own + i * LINE + lane)
			     : "memory");
		sum += value;
	}
	if (sum == 1)
		*sink = sum;
	__syncthreads();
	long long begin = stamp();

	for (int i = 0; i < STEPS; i += 8) {
		float value[8];
#pragma unroll
		for (int j = 0; j < 8; j++) {
			int word = (i + j) * move % 32 & ~(each - 1);
			float *p = a + word, *q = b + word;

			if (OP == L_CA || OP == L_CA_RED)
				asm volatile("ld.global.ca.f32 %0, [%1];"
					     : "=f"(value[j])
					     : "l"(p)
					     : "memory");
			if (OP == L_CHAIN) {
				asm volatile("ld.global.ca.f32 %0, [%1];"
					     : "=f"(value[j])
					     : "l"(a)
					     : "memory");
				a += __float_as_int(value[j]);
			}
			if (OP == L_CG)
				asm volatile("ld.global.cg.f32 %0, [%1];"
					     : "=f"(value[j])
					     : "l"(p)
					     : "memory");
			if (OP == L_RED)
				asm volatile("red.global.add.f32 [%0], %1;" ::"l"(q), "f"(1.0f)
					     : "memory");
			if (OP == L_CA_RED)
				asm volatile("red.global.add.f32 [%0], %1;" ::"l"(q),
					     "f"(value[j])
					     : "memory");
			if (OP == L_STG)
				asm volatile("st.global.f32 [%0], %1;" ::"l"(q), "f"(1.0f)
					     : "memory");
		}
		if (OP == L_CA || OP == L_CG || OP == L_CHAIN)
			for (int j = 0; j < 8; j++)
				sum += value[j];
	}
	if (sum == 1)
		*sink = sum;
	write_span(spans, begin, stamp());
}

template <int OP> static void measure_lines(int blocks, int warps, int n_lines)
{
	static float *from = (float *)gpu_memory(8 * 32 * 32 * LINE * 4),
		     *to = (float *)gpu_memory(8 * 32 * 32 * LINE * 4),
		     *sink = (float *)gpu_memory(4);
	double cycles[RUNS];

	CHECK(cudaFuncSetAttribute(lines<OP>, cudaFuncAttributePreferredSharedMemoryCarveout,
				   0));
	for (int run = 0; run < RUNS + 1; run++) {
		lines<OP><<<blocks, warps * 32>>>(from, to, n_lines, gpu_spans(), sink);
		cycles[run > 0 ? run - 1 : 0] = measured(blocks, warps);
	}
	double middle = median(cycles, RUNS);
	printf("%s,%d,%d,%d,%.2f,%.2f,%.2f\n", line_ops[OP], blocks, warps, n_lines,
	       middle / STEPS, cycles[0] / STEPS, cycles[RUNS - 1] / STEPS);
}

static void all_lines(void)
{
	printf("op,blocks,warps,lines,cycles,cycles_min,cycles_max\n");
	for (int b : {1, 5})
		for (int w : {1, 2, 4, 8, 16, 32})
			for (int n = 1; n <= 32; n *= 2) {
				measure_lines<L_CA>(b, w, n);
				measure_lines<L_CG>(b, w, n);
				measure_lines<L_RED>(b, w, n);
				measure_lines<L_CA_RED>(b, w, n);
				measure_lines<L_CHAIN>(b, w, n);
				measure_lines<L_STG>(b, w, n);
			}
}

/* --- cache --- */

enum { C_NOTHING, C_OWN, C_OTHER, C_BLOCK, C_OTHER_SM, N_BETWEEN };
static const char *const betweens[] = {"nothing", "own-fence", "other-warp's-fence",
				       "fence-of-block", "other-sm's-fence"};

static __global__ void cache(int *words, int between, long long *cycles, int *sink)
{
	int warp = threadIdx.x / 32, value, sum = 0;
	int *own = words + threadIdx.x % 32;

	if (blockIdx.x == 1 && between != C_OTHER_SM)
		return;
	for (int i = 0; i < 16; i++) {
		if (warp == 0 && blockIdx.x == 0)
			asm volatile("ld.global.ca.u32 %0, [%1];"
				     : "=r"(value)
				     : "l"(own)
				     : "memory");
		sum += value;
		for (long long begin = stamp(); stamp() - begin < 2000 + (sum & 1);)
			;
		__syncthreads();
		if (between == C_BLOCK && warp == 0)
			__threadfence_block();
		if ((between == C_OWN && warp == 0) || (between == C_OTHER && warp == 1) ||
		    (between == C_OTHER_SM && blockIdx.x == 1))
			__threadfence();
		__syncthreads();
		for (long long begin = stamp(); stamp() - begin < 2000;)
			;
		if (warp == 0 && blockIdx.x == 0) {
			long long begin = stamp();

			asm volatile("ld.global.ca.u32 %0, [%1];"
				     : "=r"(value)
				     : "l"(own)
				     : "memory");
			sum += value;
			asm volatile("" ::"r"(sum) : "memory");
			if (sum == 12345)
				*sink = sum;
			cycles[i] = stamp() - begin;
		}
	}
	*sink = sum;
}

static void all_cache(void)
{
	int *words = (int *)gpu_memory(4096), *sink = (int *)gpu_memory(4);
	long long *cycles = (long long *)gpu_memory(16 * sizeof(long long)), host[16];

	printf("between,cycles,cycles_min,cycles_max\n");
	for (int between = 0; between < N_BETWEEN; between++) {
		double all[14];

		cache<<<2, 64>>>(words, between, cycles, sink);
		CHECK_RUN();
		from_gpu(host, cycles, sizeof(host));
		for (int i = 0; i < 14; i++)
			all[i] = host[i + 2];
		double middle = median(all, 14);
		printf("%s,%.0f,%.0f,%.0f\n", betweens[between], middle, all[0], all[13]);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	warm_up();
	if (strcmp(what, "grid") == 0)
		all_grid();
	else if (strcmp(what, "fences") == 0)
		all_fences();
	else if (strcmp(what, "lines") == 0)
		all_lines();
	else if (strcmp(what, "cache") == 0)
		all_cache();
	else
		fprintf(stderr, "usage: lock-grid grid|fences|lines|cache\n");
	return 0;
}
