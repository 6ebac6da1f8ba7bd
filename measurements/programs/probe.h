/* SPDX-License-Identifier: MIT */
/*
 * What the measuring programs share. Each is one file of CUDA C that writes one CSV file's rows
 * to stdout; this header and, for those about the L2, l2.h are all they include of their own.
 *
 * A stamp is the 64-bit clock of the SM: a 32-bit one may be read some 20 cycles later, by
 * another instruction. Stamps and instructions under test are volatile asm, which keeps their
 * order; sass.sh looks into the machine code for what the assembler might have folded.
 */
#ifndef PROBE_H
#define PROBE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                            \
	do {                                                                                   \
		cudaError_t check_error = (call);                                              \
		if (check_error != cudaSuccess) {                                              \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,          \
				cudaGetErrorString(check_error));                              \
			exit(1);                                                               \
		}                                                                              \
	} while (0)

/* After a launch: the error of the launch or of its run. */
#define CHECK_RUN()                                                                            \
	do {                                                                                   \
		CHECK(cudaGetLastError());                                                     \
		CHECK(cudaDeviceSynchronize());                                                \
	} while (0)

static __device__ __forceinline__ long long stamp(void)
{
	long long clock;

	asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
	return clock;
}

/* The clock when the value is there. */
static __device__ __forceinline__ long long stamp_behind(uint32_t value, uint32_t *sink)
{
	long long clock;

	asm volatile("xor.b32 %1, %2, %1;\n\tmov.u64 %0, %%clock64;"
		     : "=l"(clock), "+r"(*sink)
		     : "r"(value)
		     : "memory");
	return clock;
}

/* Of the whole GPU, in nanoseconds, with a coarse tick. */
static __device__ __forceinline__ unsigned long long global_timer(void)
{
	unsigned long long time;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
	return time;
}

static __device__ __forceinline__ unsigned int sm_id(void)
{
	unsigned int sm;

	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	return sm;
}

static __global__ void warm_up_kernel(long long cycles)
{
	for (long long begin = stamp(); stamp() - begin < cycles;)
		;
}

static inline int device_attribute(enum cudaDeviceAttr attribute)
{
	int n;

	CHECK(cudaDeviceGetAttribute(&n, attribute, 0));
	return n;
}

static inline int sm_count(void)
{
	return device_attribute(cudaDevAttrMultiProcessorCount);
}

/* How many blocks are to this GPU what n are to one of 132 SMs: quarters of those scale, other numbers stay. */
static inline int blocks_for(int n)
{
	return n % 33 ? n : n / 33 * sm_count() / 4;
}

/* Shared memory that a block may ask for. */
static inline int shared_bytes_most(void)
{
	return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

/* Bytes that stay in the L2: these, or half of it where it is smaller; a power of two if `bytes` is one. */
static inline size_t bytes_in_l2(size_t bytes)
{
	const size_t half = (size_t)device_attribute(cudaDevAttrL2CacheSize) / 2;

	while (half > 0 && bytes > half)
		bytes /= 2;
	return bytes;
}

/* An idle GPU runs at a low clock: keeps the SMs busy, all at once, until it is up. */
static inline void warm_up(void)
{
	warm_up_kernel<<<4 * sm_count(), 256>>>(300000000);
	CHECK_RUN();
}

static inline int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts the numbers, so that the first is the least and the last the largest. */
static inline double median(double *numbers, int n)
{
	qsort(numbers, n, sizeof(*numbers), compare_numbers);
	return n % 2 ? numbers[n / 2] : (numbers[n / 2 - 1] + numbers[n / 2]) / 2;
}

/* The next of a sequence of random numbers (xorshift), the same on every machine. */
static __host__ __device__ inline uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Memory of the GPU, filled with zeros. */
static inline void *gpu_memory(size_t bytes)
{
	void *memory;

	CHECK(cudaMalloc(&memory, bytes));
	CHECK(cudaMemset(memory, 0, bytes));
	return memory;
}

static inline void *to_gpu(const void *data, size_t bytes)
{
	void *copy = gpu_memory(bytes);

	CHECK(cudaMemcpy(copy, data, bytes, cudaMemcpyHostToDevice));
	return copy;
}

static inline void from_gpu(void *data, const void *memory, size_t bytes)
{
	CHECK(cudaMemcpy(data, memory, bytes, cudaMemcpyDeviceToHost));
}

/* Cycles from the first of so many warps' begins to the last one's end, by stamps in the GPU's memory. n: 1 to 32. */
static inline long long span_of_warps(const long long *begins, const long long *ends, int n)
{
	long long b[32], e[32];

	from_gpu(b, begins, n * sizeof(*b));
	from_gpu(e, ends, n * sizeof(*e));
	for (int w = 1; w < n; w++) {
		b[0] = b[w] < b[0] ? b[w] : b[0];
		e[0] = e[w] > e[0] ? e[w] : e[0];
	}
	return e[0] - b[0];
}

/* FNV-1a of the cell's words: 1 for a third of them. */
static inline int held_back(const char *cell)
{
	uint32_t hash = 2166136261u;

	for (; *cell; cell++)
		hash = (hash ^ (unsigned char)*cell) * 16777619u;
	return (hash >> 8) % 3 == 0;
}

#endif
