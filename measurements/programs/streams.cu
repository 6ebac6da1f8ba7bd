/* SPDX-License-Identifier: MIT */
/*
 * What an SM takes in from the L2 where all warps walk through memory, in the columns of global-loads.csv.
 *
 *   streams > streams.csv
 *
 * A warp's next load is one grid behind its last one, addresses go up by a constant, and nothing is done with what comes
 * but an exclusive or. `bandwidth`: bytes a cycle and SM, of the SM that takes longest; the median of RUNS.
 */
#include "probe.h"

#define RUNS	7
#define MAX_SMS 512

typedef struct {
	long long begin, end;
} Span;

template <int WORDS, int LOADS>
static __global__ void stream(const char *base, uint32_t bytes, int steps, Span *spans,
			      uint32_t *sink)
{
	uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) * WORDS * 4;
	uint32_t gap = gridDim.x * blockDim.x * WORDS * 4, all = 0;

	__syncthreads();

	long long begin = stamp();

#pragma unroll 1
	for (int step = 0; step < steps; step++) {
		uint32_t value[LOADS];

#pragma unroll
		for (int i = 0; i < LOADS; i++) {
			const char *address = base + at;

			if (WORDS == 1)
				asm volatile("ld.global.cg.u32 %0, [%1];"
					     : "=r"(value[i])
					     : "l"(address)
					     : "memory");
			else if (WORDS == 2)
				asm volatile(
					"{ .reg .u32 x; ld.global.cg.v2.u32 {%0, x}, [%1]; }"
					: "=r"(value[i])
					: "l"(address)
					: "memory");
			else
				asm volatile("{ .reg .u32 x, y, z; "
					     "ld.global.cg.v4.u32 {%0, x, y, z}, [%1]; }"
					     : "=r"(value[i])
					     : "l"(address)
					     : "memory");
			at = (at + gap) & (bytes - 1);
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

template <int WORDS, int LOADS>
static void measure(const char *base, uint32_t bytes, int blocks, int threads)
{
	static Span *spans = (Span *)gpu_memory(MAX_SMS * sizeof(Span));
	static uint32_t *sink = (uint32_t *)gpu_memory(sizeof(uint32_t));
	static Span host[MAX_SMS];
	double rate[RUNS];
	int steps = 64 / LOADS;

	for (int run = -1; run < RUNS; run++) {
		double most = 0;

		for (int i = 0; i < MAX_SMS; i++)
			host[i] = (Span){INT64_MAX, 0};
		CHECK(cudaMemcpy(spans, host, sizeof(host), cudaMemcpyHostToDevice));
		stream<WORDS, LOADS><<<blocks, threads>>>(base, bytes, steps, spans, sink);
		CHECK_RUN();
		from_gpu(host, spans, sizeof(host));
		for (int i = 0; i < MAX_SMS; i++)
			if (host[i].end && host[i].end - host[i].begin > most)
				most = host[i].end - host[i].begin;
		if (run >= 0)
			rate[run] = 64.0 * WORDS * 4 * threads *
				    (blocks > sm_count() ? (double)blocks / sm_count() : 1) /
				    most;
	}
	printf("bandwidth,cg,%u,%d,%d,%d,%d,%.3f\n", bytes, blocks, threads, WORDS * 4, LOADS,
	       median(rate, RUNS));
}

int main(void)
{
	static const int threads[] = {32, 128, 256, 512, 1024};
	const char *base = (const char *)gpu_memory((size_t)1 << 30);

	warm_up();
	printf("kind,path,footprint_bytes,blocks,threads,bytes_per_lane,loads_in_flight,"
	       "value\n");
	for (int big = 0; big < 2; big++)
		for (int many = 0; many < 2; many++)
			for (int t = 0; t < 5; t++) {
				uint32_t bytes = big ? 1u << 30 : bytes_in_l2(8u << 20);
				int blocks = many ? sm_count() : 1;

				measure<1, 1>(base, bytes, blocks, threads[t]);
				measure<1, 4>(base, bytes, blocks, threads[t]);
				measure<1, 8>(base, bytes, blocks, threads[t]);
				measure<2, 4>(base, bytes, blocks, threads[t]);
				measure<4, 1>(base, bytes, blocks, threads[t]);
				measure<4, 4>(base, bytes, blocks, threads[t]);
				measure<4, 8>(base, bytes, blocks, threads[t]);
			}
	return 0;
}
