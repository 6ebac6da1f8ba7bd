/* SPDX-License-Identifier: MIT */
/*
 * Three ways to vote in a histogram of a grey image in shared memory:
 *
 *   aggregation IMAGE.pgm [MODE [BINS [BLOCKS [THREADS]]]]
 *
 * MODE is `block`: one copy for the block; `warp`: a copy for each warp; `aggregated`: the lanes
 * of a warp that vote for one bin find each other, and one of them votes for all. Prints the
 * histogram, checks it on the CPU, and prints PASS or FAIL.
 */
#include "kernel.h"

#define COMMON_BEGIN                                                                           \
	extern __shared__ unsigned int votes[];                                                \
	MEASURE_BEGIN();                                                                       \
	for (int i = threadIdx.x; i < copies * bins; i += blockDim.x)                          \
		votes[i] = 0;                                                                  \
	__syncthreads()

/* Adds the block's copies to the result. */
static __device__ void add_copies(const unsigned int *votes, unsigned int *result, int bins,
				  int copies)
{
	for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
		unsigned int sum = 0;

		for (int copy = 0; copy < copies; copy++)
			sum += votes[copy * bins + bin];
		atomicAdd(&result[bin], sum);
	}
}

__global__ void per_block(const uint8_t *pixels, int n_pixels, unsigned int *result, int bins,
			  int copies)
{
	COMMON_BEGIN;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_pixels;
	     i += gridDim.x * blockDim.x)
		atomicAdd(&votes[pixels[i] * bins / 256], 1);
	__syncthreads();
	add_copies(votes, result, bins, copies);
	MEASURE_END();
}

__global__ void per_warp(const uint8_t *pixels, int n_pixels, unsigned int *result, int bins,
			 int copies)
{
	COMMON_BEGIN;
	unsigned int *own = votes + threadIdx.x / 32 * bins;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_pixels;
	     i += gridDim.x * blockDim.x)
		atomicAdd(&own[pixels[i] * bins / 256], 1);
	__syncthreads();
	add_copies(votes, result, bins, copies);
	MEASURE_END();
}

__global__ void aggregated(const uint8_t *pixels, int n_pixels, unsigned int *result, int bins,
			   int copies)
{
	COMMON_BEGIN;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_pixels;
	     i += gridDim.x * blockDim.x) {
		int bin = pixels[i] * bins / 256;
		unsigned int peers = __match_any_sync(__activemask(), bin);

		if (threadIdx.x % 32 == __ffs(peers) - 1)
			atomicAdd(&votes[bin], __popc(peers));
	}
	__syncthreads();
	add_copies(votes, result, bins, copies);
	MEASURE_END();
}

/* Votes that the program asks for: one a pixel or, aggregated, one for each bin of a warp. */
static void count_votes(const uint8_t *pixels, int n_pixels, int bins, int is_aggregated,
			unsigned int *votes)
{
	for (int i = 0; i < n_pixels; i++) {
		int bin = pixels[i] * bins / 256, is_first = 1;

		for (int k = i / 32 * 32; is_aggregated && k < i; k++)
			is_first = is_first && pixels[k] * bins / 256 != bin;
		votes[bin] += is_first;
	}
}

int main(int argc, char **argv)
{
	int mode = word_argument(argc, argv, 2, "block warp aggregated");
	int bins = number_argument(argc, argv, 3, "BINS", 256, 1, 256);
	int blocks = number_argument(argc, argv, 4, "BLOCKS", 16, 1, 256);
	int threads = number_argument(argc, argv, 5, "THREADS", 256, 32, 1024) / 32 * 32;
	int copies = mode == 1 ? threads / 32 : 1;
	int shared_bytes = (int)sizeof(unsigned int) * copies * bins;
	int width, height, good = 1;

	if (argc < 2) {
		fprintf(stderr, "%s: needs an image\n", argv[0]);
		return 2;
	}

	uint8_t *pixels = read_pgm(argv[1], &width, &height);
	int n_pixels = width * height;
	uint8_t *gpu_pixels = (uint8_t *)to_gpu(pixels, n_pixels);
	unsigned int result[256], expected[256] = {0}, votes[256] = {0}, *gpu_result;

	CHECK(cudaMalloc(&gpu_result, sizeof(result)));
	for (int run = 0; run < MEASURE_RUNS; run++) {
		CHECK(cudaMemset(gpu_result, 0, sizeof(result)));
		if (mode == 0)
			per_block<<<blocks, threads, shared_bytes>>>(gpu_pixels, n_pixels,
								     gpu_result, bins, copies);
		else if (mode == 1)
			per_warp<<<blocks, threads, shared_bytes>>>(gpu_pixels, n_pixels,
								    gpu_result, bins, copies);
		else
			aggregated<<<blocks, threads, shared_bytes>>>(gpu_pixels, n_pixels,
								      gpu_result, bins, copies);
		CHECK(cudaGetLastError());
		measure_collect(run, blocks, threads, shared_bytes);
	}
	CHECK(cudaMemcpy(result, gpu_result, sizeof(result), cudaMemcpyDeviceToHost));

	count_votes(pixels, n_pixels, bins, 0, expected);
	count_votes(pixels, n_pixels, bins, mode == 2, votes);
	printf("pixels %d mode %s bins %d blocks %d threads %d\n", n_pixels,
	       argc > 2 ? argv[2] : "block", bins, blocks, threads);
	for (int bin = 0; bin < bins; bin++) {
		printf("%d %u\n", bin, result[bin]);
		good = good && result[bin] == expected[bin];
	}
	print_votes("add", -1, 0, bins, bins, copies, votes);
	return conclude(good);
}
