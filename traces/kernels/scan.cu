/* SPDX-License-Identifier: MIT */
/*
 * Exclusive prefix sums within each block, by a tree up and down in shared memory.
 *
 *   scan [PADDING [BLOCKS [THREADS]]]
 *
 * Each thread has two elements. PADDING 1 leaves a word out after every 32, against the bank
 * conflicts of strides that are powers of two; 0 does not. THREADS is a power of two. Prints each
 * block's last prefix sum, checks all on the CPU, and prints PASS or FAIL.
 */
#include "kernel.h"

__global__ void scan(const int *in, int *out, int padding)
{
	extern __shared__ int words[];
	MEASURE_BEGIN();
	int t = threadIdx.x, n = 2 * blockDim.x, first = blockIdx.x * n, s = 1;

#define PLACE(i) ((i) + (padding ? (i) / 32 : 0))
	words[PLACE(t)] = in[first + t];
	words[PLACE(t + n / 2)] = in[first + t + n / 2];
	for (int pairs = n / 2; pairs > 0; pairs /= 2, s *= 2) {
		__syncthreads();
		if (t < pairs)
			words[PLACE(s * (2 * t + 2) - 1)] += words[PLACE(s * (2 * t + 1) - 1)];
	}
	if (t == 0)
		words[PLACE(n - 1)] = 0;
	for (int pairs = 1; pairs < n; pairs *= 2) {
		s /= 2;
		__syncthreads();
		if (t < pairs) {
			int left = words[PLACE(s * (2 * t + 1) - 1)];

			words[PLACE(s * (2 * t + 1) - 1)] = words[PLACE(s * (2 * t + 2) - 1)];
			words[PLACE(s * (2 * t + 2) - 1)] += left;
		}
	}
	__syncthreads();
	out[first + t] = words[PLACE(t)];
	out[first + t + n / 2] = words[PLACE(t + n / 2)];
	MEASURE_END();
}

int main(int argc, char **argv)
{
	int padding = number_argument(argc, argv, 1, "PADDING", 0, 0, 1);
	int blocks = number_argument(argc, argv, 2, "BLOCKS", 16, 1, 256);
	int threads = number_argument(argc, argv, 3, "THREADS", 256, 1, 1024);
	int n = 2 * threads, good = 1;
	int shared_bytes = (n + (padding ? n / 32 : 0)) * (int)sizeof(int);
	size_t bytes = sizeof(int) * blocks * n;
	int *in = (int *)malloc(bytes), *out = (int *)malloc(bytes), *gpu_out;
	uint32_t random = 5;

	if (threads & (threads - 1)) {
		fprintf(stderr, "%s: THREADS must be a power of two\n", argv[0]);
		return 2;
	}
	for (int i = 0; i < blocks * n; i++)
		in[i] = next_random(&random) % 100;

	int *gpu_in = (int *)to_gpu(in, bytes);

	CHECK(cudaMalloc(&gpu_out, bytes));
	for (int run = 0; run < MEASURE_RUNS; run++) {
		scan<<<blocks, threads, shared_bytes>>>(gpu_in, gpu_out, padding);
		CHECK(cudaGetLastError());
		measure_collect(run, blocks, threads, shared_bytes);
	}
	CHECK(cudaMemcpy(out, gpu_out, bytes, cudaMemcpyDeviceToHost));
	printf("padding %d blocks %d threads %d\n", padding, blocks, threads);
	for (int b = 0; b < blocks; b++) {
		int sum = 0;

		for (int i = b * n; i < (b + 1) * n; i++) {
			good = good && out[i] == sum;
			sum += in[i];
		}
		printf("%d %d\n", b, out[(b + 1) * n - 1]);
	}
	return conclude(good);
}
