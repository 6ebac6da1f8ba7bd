/* SPDX-License-Identifier: MIT */
/*
 * Histogram of a grey image by atomic votes in shared memory, as written for Fermi: each block
 * keeps `replicas` copies of the bins in shared memory, each thread votes in one of them, and
 * the block adds its copies to the result at the end.
 *
 *   histogram IMAGE.pgm [BINS [REPLICAS [MAPPING [PADDING [BLOCKS [THREADS]]]]]]
 *
 * MAPPING says which copy thread t votes in: `cyclic` t mod replicas, `block` the copies in
 * order to equal runs of threads. Copy r begins at word r * (BINS + PADDING). Prints the
 * histogram, checks it on the CPU, and prints PASS or FAIL.
 */
#include "kernel.h"

__global__ void histogram(const uint8_t *pixels, int n_pixels, unsigned int *result, int bins,
			  int replicas, int cyclic, int stride)
{
	extern __shared__ unsigned int votes[];
	MEASURE_BEGIN();
	int replica = cyclic ? threadIdx.x % replicas : threadIdx.x / (blockDim.x / replicas);

	for (int i = threadIdx.x; i < replicas * stride; i += blockDim.x)
		votes[i] = 0;
	__syncthreads();

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_pixels;
	     i += gridDim.x * blockDim.x)
		atomicAdd(&votes[replica * stride + pixels[i] * bins / 256], 1);
	__syncthreads();

	for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
		unsigned int sum = 0;

		for (int r = 0; r < replicas; r++)
			sum += votes[r * stride + bin];
		atomicAdd(&result[bin], sum);
	}
	MEASURE_END();
}

int main(int argc, char **argv)
{
	int bins = number_argument(argc, argv, 2, "BINS", 256, 1, 256);
	int replicas = number_argument(argc, argv, 3, "REPLICAS", 1, 1, 1024);
	int cyclic = word_argument(argc, argv, 4, "cyclic block") == 0;
	int padding = number_argument(argc, argv, 5, "PADDING", 0, 0, 32);
	int blocks = number_argument(argc, argv, 6, "BLOCKS", 16, 1, 65535);
	int threads = number_argument(argc, argv, 7, "THREADS", 256, 1, 1024);
	int stride = bins + padding;
	int shared_bytes = (int)sizeof(unsigned int) * replicas * stride;
	int width, height, good = 1;

	if (argc < 2 || threads % replicas || shared_bytes > 48 * 1024) {
		fprintf(stderr,
			"%s: needs an image, REPLICAS that divide THREADS, and at most "
			"48 KiB of shared memory\n",
			argv[0]);
		return 2;
	}

	uint8_t *pixels = read_pgm(argv[1], &width, &height);
	int n_pixels = width * height;
	uint8_t *gpu_pixels = (uint8_t *)to_gpu(pixels, n_pixels);
	unsigned int result[256], expected[256] = {0}, *gpu_result;

	CHECK(cudaMalloc(&gpu_result, sizeof(result)));
	for (int run = 0; run < MEASURE_RUNS; run++) {
		CHECK(cudaMemset(gpu_result, 0, sizeof(result)));
		histogram<<<blocks, threads, shared_bytes>>>(gpu_pixels, n_pixels, gpu_result,
							     bins, replicas, cyclic, stride);
		CHECK(cudaGetLastError());
		measure_collect(run, blocks, threads, shared_bytes);
	}
	CHECK(cudaMemcpy(result, gpu_result, sizeof(result), cudaMemcpyDeviceToHost));

	for (int i = 0; i < n_pixels; i++)
		expected[pixels[i] * bins / 256]++;
	printf("pixels %d bins %d replicas %d mapping %s padding %d blocks %d threads %d\n",
	       n_pixels, bins, replicas, cyclic ? "cyclic" : "block", padding, blocks, threads);
	for (int bin = 0; bin < bins; bin++)
		good = good && result[bin] == expected[bin];
	print_votes("add", -1, 0, bins, stride, replicas, result);
	return conclude(good);
}
