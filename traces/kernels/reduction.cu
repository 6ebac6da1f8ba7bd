/* SPDX-License-Identifier: MIT */
/*
 * Sum of integers by a tree in shared memory, one element a thread.
 *
 *   reduction [ADDRESSING [BLOCKS [THREADS]]]
 *
 * ADDRESSING `interleaved`: thread t adds the words 2st and 2st + s, s = 1, 2, 4, ...: lanes are
 * 2s words apart, and meet in the banks. `sequential`: thread t adds the words t and t + s, s =
 * THREADS/2, ..., 2, 1: no conflicts. THREADS is a power of two. Prints each block's sum, checks
 * it on the CPU, and prints PASS or FAIL.
 */
#include "kernel.h"

__global__ void interleaved(const int *in, int *sums)
{
	extern __shared__ int words[];
	MEASURE_BEGIN();

	words[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	for (unsigned int s = 1; s < blockDim.x; s *= 2) {
		unsigned int i = 2 * s * threadIdx.x;

		if (i < blockDim.x)
			words[i] += words[i + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		sums[blockIdx.x] = words[0];
	MEASURE_END();
}

__global__ void sequential(const int *in, int *sums)
{
	extern __shared__ int words[];
	MEASURE_BEGIN();

	words[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
		if (threadIdx.x < s)
			words[threadIdx.x] += words[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		sums[blockIdx.x] = words[0];
	MEASURE_END();
}

int main(int argc, char **argv)
{
	int is_sequential = word_argument(argc, argv, 1, "interleaved sequential");
	int blocks = number_argument(argc, argv, 2, "BLOCKS", 16, 1, 256);
	int threads = number_argument(argc, argv, 3, "THREADS", 512, 1, 1024);
	int n = blocks * threads, shared_bytes = threads * (int)sizeof(int), good = 1;
	int *in = (int *)malloc(n * sizeof(int)), *sums = (int *)malloc(blocks * sizeof(int));
	int *gpu_sums;
	uint32_t random = 7;

	if (threads & (threads - 1)) {
		fprintf(stderr, "%s: THREADS must be a power of two\n", argv[0]);
		return 2;
	}
	for (int i = 0; i < n; i++)
		in[i] = next_random(&random) % 1000;

	int *gpu_in = (int *)to_gpu(in, n * sizeof(int));

	CHECK(cudaMalloc(&gpu_sums, blocks * sizeof(int)));
	for (int run = 0; run < MEASURE_RUNS; run++) {
		if (is_sequential)
			sequential<<<blocks, threads, shared_bytes>>>(gpu_in, gpu_sums);
		else
			interleaved<<<blocks, threads, shared_bytes>>>(gpu_in, gpu_sums);
		CHECK(cudaGetLastError());
		measure_collect(run, blocks, threads, shared_bytes);
	}
	CHECK(cudaMemcpy(sums, gpu_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost));
	printf("addressing %s blocks %d threads %d\n",
	       is_sequential ? "sequential" : "interleaved", blocks, threads);
	for (int b = 0; b < blocks; b++) {
		int sum = 0;

		for (int t = 0; t < threads; t++)
			sum += in[b * threads + t];
		printf("%d %d\n", b, sums[b]);
		good = good && sums[b] == sum;
	}
	return conclude(good);
}
