/* SPDX-License-Identifier: MIT */
/*
 * Atomics on shared memory by several warps, for Nsight Compute's counters of instructions, wavefronts and
 * bank conflicts: how the retries of 64-bit and float adds pass the banks when warps meet.
 *
 *   shared-loops > rows
 *
 * A row is a launch, in order: type of the add, warps, words that the targets are drawn from, spacing of
 * the words in 4-byte words, adds a lane. Lane i of warp w adds to the words that a generator of random numbers names
 * (seed 1, warp by warp, lane by lane, add by add); the words are held in registers.
 */
#include "probe.h"

#define ADDS 8

template <typename T> static __global__ void adds(const int *targets, T *out, int n_words)
{
	__shared__ T words[1024];
	int mine[ADDS];

	for (int i = threadIdx.x; i < n_words; i += blockDim.x)
		words[i] = 0;
#pragma unroll
	for (int i = 0; i < ADDS; i++)
		mine[i] = targets[threadIdx.x * ADDS + i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < ADDS; i++)
		atomicAdd(&words[mine[i]], (T)1);
	__syncthreads();
	for (int i = threadIdx.x; i < n_words; i += blockDim.x)
		out[i] = words[i];
}

template <typename T> static void measure(const char *type, int warps, int n_words, T *out)
{
	static int *targets = (int *)gpu_memory(1024 * ADDS * sizeof(int));
	static int host[1024 * ADDS];
	uint32_t state = 1;

	for (int i = 0; i < warps * 32 * ADDS; i++)
		host[i] = next_random(&state) % n_words;
	CHECK(cudaMemcpy(targets, host, sizeof(host), cudaMemcpyHostToDevice));
	adds<T><<<1, warps * 32>>>(targets, out, n_words);
	CHECK_RUN();
	printf("%s,%d,%d,%d\n", type, warps, n_words, ADDS);
}

int main(void)
{
	static const int words[] = {1, 16, 64, 256, 1024};
	void *out = gpu_memory(8192);

	printf("type,warps,words,adds\n");
	for (int warps = 1; warps <= 32; warps *= 2)
		for (int i = 0; i < 5; i++) {
			measure("u64", warps, words[i], (unsigned long long *)out);
			measure("f64", warps, words[i], (double *)out);
			measure("f32", warps, words[i], (float *)out);
			measure("u32", warps, words[i], (unsigned int *)out);
		}
	return 0;
}
