/* SPDX-License-Identifier: MIT */
/*
 * What a load or store of global memory takes of its SM, by the lines that the lanes of a warp name and where in them they lie.
 *
 *   access-lines > issue-access-lines.csv
 *   access-lines beside > issue-lines-beside.csv
 *   access-lines both > issue-lines-both.csv
 *   access-lines rings > issue-l1-rings.csv
 *
 * A row: `warps` warps of each of `blocks` blocks, one an SM, make `loads` accesses of `width` bytes a lane, wait for what they bring, and go
 * on (rounds). Lanes name `lines` lines of 128 bytes by layout, with 32 / lines lanes a line:
 *   packed   neighbours share a line, one value behind the other from its begin
 *   shifted  neighbours share a line, each lane at the place that it would have in a row: so no two lines' lanes have a place in common
 *   sectors  neighbours share a line, each lane in another sector of it
 *   one      neighbours share a line and a value
 *   turns    lane l is of line l mod lines, one value behind the other
 * from: l1, the same lines each round, loaded before; l2, lines that no SM has loaded since the launch began, and that lie in the L2.
 * cycles: an access and SM, from the first warp's start to the last one's end: the median block's of the median of RUNS
 * launches; cycles_most: its slowest block's. With `both` each access is a load and a store of the same places. With `beside` each load is followed by `shared` loads of `ways` passes from shared memory, of
 * which a round waits for, too. held_back: a third, by a hash of the cell.
 * rings: one lane goes round `n` lines that are `stride` bytes apart: cycles a load, of the second time round.
 */
#include "probe.h"

#define LINE	 128
#define RUNS	 5
#define MAX_SMS	 512
#define REGION	 (24 << 20)
#define SM_SHIFT (2 * LINE)

enum { LOADS_ONLY, STORES_ONLY, BOTH };
static const char *const ops[] = {"ld", "st", "both"};
enum { PACKED, SHIFTED, SECTORS, ONE, TURNS, N_LAYOUTS };
static const char *const layouts[] = {"packed", "shifted", "sectors", "one", "turns"};

static long long *gpu_spans;
static char *region;
static int *sink;

template <typename T> static __device__ __forceinline__ int load(const char *from);

template <> __device__ __forceinline__ int load<uint32_t>(const char *from)
{
	int x;

	asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
	return x;
}

template <> __device__ __forceinline__ int load<uint2>(const char *from)
{
	int x;

	asm volatile("{ .reg .u32 y; ld.global.ca.v2.u32 {%0, y}, [%1]; }"
		     : "=r"(x)
		     : "l"(from)
		     : "memory");
	return x;
}

template <> __device__ __forceinline__ int load<uint4>(const char *from)
{
	int x;

	asm volatile("{ .reg .u32 y, z, w; ld.global.ca.v4.u32 {%0, y, z, w}, [%1]; }"
		     : "=r"(x)
		     : "l"(from)
		     : "memory");
	return x;
}

template <typename T> static __device__ __forceinline__ void store(char *to, int x);

template <> __device__ __forceinline__ void store<uint32_t>(char *to, int x)
{
	asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(x) : "memory");
}

template <> __device__ __forceinline__ void store<uint2>(char *to, int x)
{
	asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(to), "r"(x) : "memory");
}

template <> __device__ __forceinline__ void store<uint4>(char *to, int x)
{
	asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(to), "r"(x) : "memory");
}

/* `next` bytes from one of a round's accesses to the next, `step` from round to round; the first pass loads what is to hit. */
template <typename T, int LOADS, int SHARED, int OP>
static __global__ void __launch_bounds__(1024, 1)
	rounds(char *data, const int *places, int rounds, int next, int step, int warp_step,
	       int ways, long long *spans, int *sink)
{
	__shared__ int words[1024];
	__shared__ long long first, last;
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	uint32_t word = (uint32_t)__cvta_generic_to_shared(words) + lane * 4 * ways % 4096;
	char *at[LOADS];
	int sum = 0;
	long long begin = 0, end = 0;

	for (int i = threadIdx.x; i < 1024; i += blockDim.x)
		words[i] = 0;
#pragma unroll
	for (int i = 0; i < LOADS; i++)
		at[i] = data + blockIdx.x * SM_SHIFT + warp * warp_step + i * next +
			places[lane];
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		if (threadIdx.x == 0) {
			first = INT64_MAX;
			last = 0;
		}
		__syncthreads();
		begin = stamp();
#pragma unroll 1
		for (int round = 0; round < rounds; round++) {
			int got[LOADS], shared[LOADS * SHARED + 1], move = step;

#pragma unroll
			for (int i = 0; i < LOADS; i++) {
				if (OP != STORES_ONLY)
					got[i] = load<T>(at[i]);
				if (OP !=
				    LOADS_ONLY) /* 0: loads add what they find to addresses */
					store<T>(at[i], 0);
#pragma unroll
				for (int k = 0; k < SHARED; k++)
					asm volatile("ld.volatile.shared.u32 %0, [%1];"
						     : "=r"(shared[i * SHARED + k])
						     : "r"(word)
						     : "memory");
			}
#pragma unroll
			for (int i = 0; i < LOADS; i++) {
				if (OP != STORES_ONLY)
					move += got[i];
#pragma unroll
				for (int k = 0; k < SHARED; k++)
					move += shared[i * SHARED + k];
			}
#pragma unroll
			for (int i = 0; i < LOADS; i++)
				at[i] += move;
		}
		end = stamp();
		atomicMin(&first, begin);
		atomicMax(&last, end);
		__syncthreads();
		sum += (int)(last - first);
	}
	if (threadIdx.x == 0)
		spans[blockIdx.x] = last - first;
	for (int i = 0; i < LOADS; i++)
		sum += (int)(intptr_t)at[i];
	if (sum == 1)
		*sink = sum;
}

/* Where in its line a lane's value lies, and in which line. False: they do not fit. */
static int place(int layout, int lines, int width, int lane)
{
	const int each = 32 / lines;

	switch (layout) {
	case SHIFTED:
		return lane / each * LINE + lane * width % LINE;
	case SECTORS:
		return lane / each * LINE + lane % each * 32 % LINE + lane % each / 4 * width;
	case ONE:
		return lane / each * LINE;
	case TURNS:
		return lane % lines * LINE + lane / lines * width;
	default:
		return lane / each * LINE + lane % each * width;
	}
}

static bool fits(int layout, int lines, int width)
{
	const int each = 32 / lines;

	if (layout == SHIFTED)
		return lines > 1;
	if (layout == SECTORS)
		return each > 1 && (each + 3) / 4 * width <= 32;
	if (layout == ONE)
		return each > 1;
	if (layout == TURNS)
		return each > 1 && lines > 1 && each * width <= LINE;
	return each * width <= LINE;
}

template <typename T, int LOADS, int SHARED, int OP>
static void measure(bool hits, int blocks, int warps, int lines, int layout, int ways)
{
	static int *places = (int *)gpu_memory(32 * sizeof(int));
	const int n_rounds = warps * lines >= 256 ? 8 : 32, bytes = lines * LINE;
	int host[32];
	double medians[RUNS], most[RUNS];
	char cell[64];

	for (int lane = 0; lane < 32; lane++)
		host[lane] = place(layout, lines, sizeof(T), lane);
	CHECK(cudaMemcpy(places, host, sizeof(host), cudaMemcpyHostToDevice));
	CHECK(cudaFuncSetAttribute(rounds<T, LOADS, SHARED, OP>,
				   cudaFuncAttributePreferredSharedMemoryCarveout, 0));
	for (int run = -1; run < RUNS; run++) {
		static long long spans[MAX_SMS];
		double numbers[MAX_SMS];

		rounds<T, LOADS, SHARED, OP><<<blocks, warps * 32>>>(
			region, places, n_rounds, hits ? 0 : warps * bytes,
			hits ? 0 : LOADS * warps * bytes, bytes, ways, gpu_spans, sink);
		CHECK_RUN();
		from_gpu(spans, gpu_spans, blocks * sizeof(long long));
		for (int i = 0; i < blocks; i++)
			numbers[i] = spans[i] / (double)(n_rounds * LOADS * warps);
		if (run >= 0) {
			medians[run] = median(numbers, blocks);
			most[run] = numbers[blocks - 1];
		}
	}
	snprintf(cell, sizeof(cell), "%s,%d,%d,%s,%s", ops[OP], (int)sizeof(T), lines,
		 layouts[layout], hits ? "l1" : "l2");
	printf("%s,%d,%d,%d,%d,%d,%.3f,%.3f,%d\n", cell, blocks, warps, LOADS, SHARED * LOADS,
	       ways, median(medians, RUNS), median(most, RUNS), held_back(cell));
}

template <typename T> static void measure_lines(int lines, int layout)
{
	if (!fits(layout, lines, sizeof(T)))
		return;
	for (int hits = 0; hits < 2; hits++) {
		for (int warps = 1; warps <= 32; warps *= 2) {
			measure<T, 1, 0, LOADS_ONLY>(hits, 1, warps, lines, layout, 1);
			measure<T, 4, 0, LOADS_ONLY>(hits, 1, warps, lines, layout, 1);
			if (warps == 4)
				measure<T, 2, 0, LOADS_ONLY>(hits, 1, warps, lines, layout, 1);
			if (warps == 1 || warps == 8 || warps == 32)
				measure<T, 4, 0, STORES_ONLY>(hits, 1, warps, lines, layout, 1);
		}
		measure<T, 4, 0, LOADS_ONLY>(hits, sm_count(), 4, lines, layout, 1);
		measure<T, 4, 0, LOADS_ONLY>(hits, sm_count(), 32, lines, layout, 1);
		measure<T, 4, 0, STORES_ONLY>(hits, sm_count(), 8, lines, layout, 1);
	}
}

static void all_lines(void)
{
	for (int lines = 1; lines <= 32; lines *= 2)
		for (int layout = 0; layout < N_LAYOUTS; layout++) {
			measure_lines<uint32_t>(lines, layout);
			measure_lines<uint2>(lines, layout);
			measure_lines<uint4>(lines, layout);
		}
}

template <typename T> static void measure_beside(int lines)
{
	if (!fits(PACKED, lines, sizeof(T)))
		return;
	for (int hits = 0; hits < 2; hits++)
		for (int warps : {1, 4, 8, 16, 32})
			for (int ways : {1, 4, 8}) {
				measure<T, 1, 1, LOADS_ONLY>(hits, 1, warps, lines, PACKED,
							     ways);
				measure<T, 1, 4, LOADS_ONLY>(hits, 1, warps, lines, PACKED,
							     ways);
				measure<T, 4, 1, LOADS_ONLY>(hits, 1, warps, lines, PACKED,
							     ways);
				if (warps == 8 || warps == 32)
					measure<T, 4, 1, STORES_ONLY>(hits, 1, warps, lines,
								      PACKED, ways);
			}
}

static void all_beside(void)
{
	for (int lines = 1; lines <= 32; lines *= 2) {
		measure_beside<uint32_t>(lines);
		measure_beside<uint4>(lines);
	}
}

template <typename T> static void measure_both(int lines, int layout)
{
	if (!fits(layout, lines, sizeof(T)))
		return;
	for (int hits = 0; hits < 2; hits++)
		for (int warps : {1, 4, 8, 32}) {
			measure<T, 1, 0, BOTH>(hits, 1, warps, lines, layout, 1);
			measure<T, 4, 0, BOTH>(hits, 1, warps, lines, layout, 1);
		}
}

static void all_both(void)
{
	for (int lines = 1; lines <= 32; lines *= 2)
		for (int layout : {PACKED, SHIFTED}) {
			measure_both<uint32_t>(lines, layout);
			measure_both<uint2>(lines, layout);
			measure_both<uint4>(lines, layout);
		}
}

/* Each word says how many bytes on the next line of the ring is. */
static __global__ void link(char *data, int n, int stride)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		*(int *)(data + (size_t)i * stride) =
			i + 1 < n ? stride : -(int)((size_t)(n - 1) * stride);
}

static __global__ void go_round(const char *data, int n, long long *cycles, int *sink)
{
	long long begin = 0, end = 0;

#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		begin = stamp();
#pragma unroll 1
		for (int i = 0; i < n; i++)
			data += load<uint32_t>(data);
		asm volatile("" ::"l"(data) : "memory");
		end = stamp();
	}
	*cycles = end - begin;
	if (data == nullptr)
		*sink = 1;
}

static void all_rings(void)
{
	CHECK(cudaFuncSetAttribute(go_round, cudaFuncAttributePreferredSharedMemoryCarveout,
				   0));
	printf("stride,n,cycles\n");
	for (int stride : {128, 256, 384, 512, 640, 1024, 1152, 2048, 2176, 4096, 4224, 8192,
			   12288, 16384, 16512, 20480, 32768})
		for (int n = 16; n <= 2048; n = n & n - 1 ? (n & n - 1) * 2 : n * 3 / 2) {
			double cycles[RUNS];

			if ((size_t)n * stride > REGION)
				continue;
			for (int run = 0; run < RUNS; run++) {
				long long spent;

				link<<<1, 256>>>(region, n, stride);
				go_round<<<1, 1>>>(region, n, gpu_spans, sink);
				CHECK_RUN();
				from_gpu(&spent, gpu_spans, sizeof(spent));
				cycles[run] = spent / (double)n;
			}
			printf("%d,%d,%.2f\n", stride, n, median(cycles, RUNS));
		}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	gpu_spans = (long long *)gpu_memory(MAX_SMS * sizeof(long long));
	region = (char *)gpu_memory(REGION + MAX_SMS * SM_SHIFT);
	sink = (int *)gpu_memory(sizeof(int));
	warm_up();
	if (strcmp(what, "rings") == 0) {
		all_rings();
		return 0;
	}
	puts("op,width,lines,layout,from,blocks,warps,loads,shared,ways,cycles,cycles_most,"
	     "held_back");
	if (strcmp(what, "beside") == 0)
		all_beside();
	else if (strcmp(what, "both") == 0)
		all_both();
	else
		all_lines();
	return 0;
}
