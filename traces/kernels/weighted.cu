/* SPDX-License-Identifier: MIT */
/*
 * Weighted histogram of a grey image: each pixel adds its gradient, a float, to the bin of its
 * brightness, by atomic float adds in shared memory.
 *
 *   weighted IMAGE.pgm [BINS [REPLICAS [PADDING [BLOCKS [THREADS]]]]]
 *
 * Thread t votes in copy t mod REPLICAS; copy r begins at word r * (BINS + PADDING). The weights
 * are whole numbers, so that the sums are exact in any order. Prints sums and votes of each bin,
 * checks them on the CPU, and prints PASS or FAIL.
 */
#include "kernel.h"

__global__ void weighted(const uint8_t *pixels, const float *weights, int n_pixels,
			 float *result, int bins, int replicas, int stride)
{
	extern __shared__ float sums[];
	MEASURE_BEGIN();
	int replica = threadIdx.x % replicas;

	for (int i = threadIdx.x; i < replicas * stride; i += blockDim.x)
		sums[i] = 0;
	__syncthreads();

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_pixels;
	     i += gridDim.x * blockDim.x)
		atomicAdd(&sums[replica * stride + pixels[i] * bins / 256], weights[i]);
	__syncthreads();

	for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
		float sum = 0;

		for (int r = 0; r < replicas; r++)
			sum += sums[r * stride + bin];
		atomicAdd(&result[bin], sum);
	}
	MEASURE_END();
}

int main(int argc, char **argv)
{
	int bins = number_argument(argc, argv, 2, "BINS", 256, 1, 256);
	int replicas = number_argument(argc, argv, 3, "REPLICAS", 1, 1, 1024);
	int padding = number_argument(argc, argv, 4, "PADDING", 0, 0, 32);
	int blocks = number_argument(argc, argv, 5, "BLOCKS", 16, 1, 256);
	int threads = number_argument(argc, argv, 6, "THREADS", 256, 1, 1024);
	int stride = bins + padding;
	int shared_bytes = (int)sizeof(float) * replicas * stride;
	int width, height, good = 1;

	if (argc < 2 || shared_bytes > 48 * 1024) {
		fprintf(stderr, "%s: needs an image, and at most 48 KiB of shared memory\n",
			argv[0]);
		return 2;
	}

	uint8_t *pixels = read_pgm(argv[1], &width, &height);
	int n_pixels = width * height;
	float *weights = (float *)malloc(n_pixels * sizeof(float));
	float result[256], expected[256] = {0}, *gpu_result;
	unsigned int votes[256] = {0};

	for (int i = 0; i < n_pixels; i++) {
		int bin = pixels[i] * bins / 256;

		weights[i] = abs(pixels[i] - pixels[i + 1 < n_pixels ? i + 1 : i]);
		expected[bin] += weights[i];
		votes[bin]++;
	}

	uint8_t *gpu_pixels = (uint8_t *)to_gpu(pixels, n_pixels);
	float *gpu_weights = (float *)to_gpu(weights, n_pixels * sizeof(float));

	CHECK(cudaMalloc(&gpu_result, sizeof(result)));
	for (int run = 0; run < MEASURE_RUNS; run++) {
		CHECK(cudaMemset(gpu_result, 0, sizeof(result)));
		weighted<<<blocks, threads, shared_bytes>>>(gpu_pixels, gpu_weights, n_pixels,
							    gpu_result, bins, replicas, stride);
		CHECK(cudaGetLastError());
		measure_collect(run, blocks, threads, shared_bytes);
	}
	CHECK(cudaMemcpy(result, gpu_result, sizeof(result), cudaMemcpyDeviceToHost));

	printf("pixels %d bins %d replicas %d padding %d blocks %d threads %d\n", n_pixels,
	       bins, replicas, padding, blocks, threads);
	for (int bin = 0; bin < bins; bin++) {
		printf("%d %.0f\n", bin, result[bin]);
		good = good && result[bin] == expected[bin];
	}
	print_votes("add", -1, 0, bins, stride, replicas, votes);
	return conclude(good);
}
