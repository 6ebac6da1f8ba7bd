/* SPDX-License-Identifier: MIT */
/*
 * What of a line comes with its first load: chains of loads of one thread that may not hit the first cache.
 *
 *   sectors > sectors.csv
 *
 * A row is a line of a new buffer in a pass. Columns: history (fresh: nothing; copied from the host; set; read: set, then read by all SMs; flushed: copied,
 * and then pushed out by other data), order (of the line's four sectors), pass (of two over the buffer), line, at_0 to at_3 (cycles of the
 * loads in that order, each from the one before).
 */
#include "probe.h"

#define N_LINES	   64
#define LINE_BYTES 128
#define BYTES	   ((N_LINES + 1) * LINE_BYTES)
#define OTHERS	   ((size_t)512 << 20)

/* 0, which comes after the value. */
static __device__ __forceinline__ uint32_t nothing(uint32_t value)
{
	uint32_t none;

	asm volatile("{\n\t.reg .u32 bits;\n\tpopc.b32 bits, %1;\n\tshr.u32 %0, bits, 6;\n\t}"
		     : "=r"(none)
		     : "r"(value));
	return none;
}

static __global__ void chase(const char *base, uint32_t order, int *cycles)
{
	uint32_t late;

	/* The page's translation, and this code. */
	asm volatile("ld.global.cg.u32 %0, [%1];"
		     : "=r"(late)
		     : "l"(base + N_LINES * LINE_BYTES)
		     : "memory");
	late = nothing(late);
	for (int pass = 0; pass < 2; pass++) {
		long long before = stamp() + late;

#pragma unroll 1
		for (int step = 0; step < N_LINES * 4; step++) {
			const uint32_t sector = order >> (4 * (step & 3)) & 3;
			uint32_t value;
			long long now;

			asm volatile("ld.global.cg.u32 %0, [%1];"
				     : "=r"(value)
				     : "l"(base + (step >> 2) * LINE_BYTES + sector * 32 + late)
				     : "memory");
			late = nothing(value);
			now = stamp() + late;
			cycles[pass * N_LINES * 4 + step] = now - before;
			before = now;
		}
	}
}

static __global__ void read_all(const uint32_t *data, size_t n, uint32_t *sink)
{
	uint32_t sum = 0;

	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += (size_t)gridDim.x * blockDim.x)
		sum ^= __ldcg(data + i);
	if (sum == 0x9e3779b9)
		*sink = sum;
}

/* Every SM reads all of it. */
static __global__ void read_each(const uint32_t *data, size_t n, uint32_t *sink)
{
	uint32_t sum = 0;

	for (size_t i = threadIdx.x; i < n; i += blockDim.x)
		sum ^= __ldcg(data + i);
	if (sum == 0x9e3779b9)
		*sink = sum;
}

int main(void)
{
	static const char *const histories[] = {"fresh", "copied", "set", "read", "flushed"};
	static const uint32_t orders[] = {0x3210, 0x0123, 0x3120, 0x1302};
	static char zeros[BYTES];
	static int host[2 * N_LINES * 4];
	int *cycles = (int *)gpu_memory(sizeof(host));
	uint32_t *others, *sink = (uint32_t *)gpu_memory(sizeof(*sink));

	warm_up();
	CHECK(cudaMalloc(&others, OTHERS));
	CHECK(cudaMemset(others, 0, OTHERS));
	for (int history = 0; history < 5; history++)
		for (int i = 0; i < 4; i++) {
			char *base;

			CHECK(cudaMalloc(&base, BYTES));
			chase<<<1, 1>>>((char *)others, orders[i], cycles); /* its code */
			if (history == 1 || history == 4)
				CHECK(cudaMemcpy(base, zeros, BYTES, cudaMemcpyHostToDevice));
			if (history == 2 || history == 3)
				CHECK(cudaMemset(base, 0, BYTES));
			if (history == 3)
				read_each<<<sm_count(), 256>>>((uint32_t *)base, BYTES / 4,
							       sink);
			if (history == 4)
				read_all<<<sm_count(), 1024>>>(others, OTHERS / 4, sink);
			CHECK_RUN();
			chase<<<1, 1>>>(base, orders[i], cycles);
			CHECK_RUN();
			from_gpu(host, cycles, sizeof(host));
			for (int pass = 0; pass < 2; pass++)
				for (int line = 0; line < N_LINES; line++) {
					const int *at = host + (pass * N_LINES + line) * 4;

					printf("%s,%u%u%u%u,%d,%d,%d,%d,%d,%d\n",
					       histories[history], orders[i] & 3,
					       orders[i] >> 4 & 3, orders[i] >> 8 & 3,
					       orders[i] >> 12 & 3, pass, line, at[0], at[1],
					       at[2], at[3]);
				}
		}
	return 0;
}
