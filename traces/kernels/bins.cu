/* SPDX-License-Identifier: MIT */
/*
 * A histogram of an array in global memory, by whose copy of the bins is voted into.
 *
 *   bins [METHOD [ELEMENTS [BINS [BLOCKS [THREADS]]]]]
 *
 * METHOD: `global` nobody's; `block` a block's in shared memory, added to global memory last; `warp` a
 * warp's; `aggregated` global memory's, lanes of a warp that name one bin vote as one. Elements are
 * random; the result is checked on the CPU.
 */
#include "launch.h"

#define MAX_BINS 4096

__global__ void bins_global(const uint32_t *data, int n, int bins, unsigned int *result)
{
	LAUNCH_BEGIN();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&result[data[i] % bins], 1);
	LAUNCH_END();
}

__global__ void bins_block(const uint32_t *data, int n, int bins, unsigned int *result)
{
	extern __shared__ unsigned int copy[];

	LAUNCH_BEGIN();
	for (int b = threadIdx.x; b < bins; b += blockDim.x)
		copy[b] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&copy[data[i] % bins], 1);
	__syncthreads();
	for (int b = threadIdx.x; b < bins; b += blockDim.x)
		if (copy[b] > 0)
			atomicAdd(&result[b], copy[b]);
	LAUNCH_END();
}

__global__ void bins_warp(const uint32_t *data, int n, int bins, unsigned int *result)
{
	extern __shared__ unsigned int copies[];
	int warps = blockDim.x / 32;
	unsigned int *own = copies + threadIdx.x / 32 * bins;

	LAUNCH_BEGIN();
	for (int b = threadIdx.x % 32; b < bins; b += 32)
		own[b] = 0;
	__syncwarp();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&own[data[i] % bins], 1);
	__syncthreads();
	for (int b = threadIdx.x; b < bins; b += blockDim.x) {
		unsigned int sum = 0;

		for (int warp = 0; warp < warps; warp++)
			sum += copies[warp * bins + b];
		if (sum > 0)
			atomicAdd(&result[b], sum);
	}
	LAUNCH_END();
}

__global__ void bins_aggregated(const uint32_t *data, int n, int bins, unsigned int *result)
{
	LAUNCH_BEGIN();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += gridDim.x * blockDim.x) {
		int bin = data[i] % bins;
		unsigned int same = __match_any_sync(__activemask(), bin);

		if (__ffs(same) - 1 == (int)(threadIdx.x % 32))
			atomicAdd(&result[bin], __popc(same));
	}
	LAUNCH_END();
}

int main(int argc, char **argv)
{
	int method = word_argument(argc, argv, 1, "global block warp aggregated");
	int n = number_argument(argc, argv, 2, "ELEMENTS", 65536, 1, 1 << 28);
	int bins = number_argument(argc, argv, 3, "BINS", 256, 1, MAX_BINS);
	int blocks = number_argument(argc, argv, 4, "BLOCKS", 16, 1, 65535);
	int threads = number_argument(argc, argv, 5, "THREADS", 256, 32, 1024);
	static const char *const names[] = {"bins_global", "bins_block", "bins_warp",
					    "bins_aggregated"};
	uint32_t *data = (uint32_t *)malloc(n * sizeof(*data)), random = 2463534242u;
	unsigned int result[MAX_BINS], expected[MAX_BINS] = {0}, *gpu_result;
	int shared_bytes = bins * 4 * (method == 1 ? 1 : method == 2 ? threads / 32 : 0);
	bool good = true;

	for (int i = 0; i < n; i++) {
		data[i] = next_random(&random);
		expected[data[i] % bins]++;
	}

	uint32_t *gpu_data = (uint32_t *)to_gpu(data, n * sizeof(*data));

	CHECK(cudaMalloc(&gpu_result, sizeof(result)));
	CHECK(cudaFuncSetAttribute(bins_block, cudaFuncAttributeMaxDynamicSharedMemorySize,
				   96 * 1024));
	CHECK(cudaFuncSetAttribute(bins_warp, cudaFuncAttributeMaxDynamicSharedMemorySize,
				   96 * 1024));
	launch_measure(
		names[method], [&] { CHECK(cudaMemset(gpu_result, 0, sizeof(result))); },
		[&] {
			if (method == 0)
				bins_global<<<blocks, threads>>>(gpu_data, n, bins, gpu_result);
			else if (method == 1)
				bins_block<<<blocks, threads, shared_bytes>>>(gpu_data, n, bins,
									      gpu_result);
			else if (method == 2)
				bins_warp<<<blocks, threads, shared_bytes>>>(gpu_data, n, bins,
									     gpu_result);
			else
				bins_aggregated<<<blocks, threads>>>(gpu_data, n, bins,
								     gpu_result);
		});
	CHECK(cudaMemcpy(result, gpu_result, sizeof(result), cudaMemcpyDeviceToHost));
	for (int b = 0; b < bins; b++)
		good = good && result[b] == expected[b];
	if (method == 0)
		print_votes("addg", -1, 0, bins, 0, 1, expected);
	for (int block = 0; method == 1 && block < blocks; block++) {
		unsigned int votes[MAX_BINS] = {0};

		for (long long i = (long long)block * threads; i < n; i += blocks * threads)
			for (int t = 0; t < threads && i + t < n; t++)
				votes[data[i + t] % bins]++;
		print_votes("add", block, 0, bins, 0, 1, votes);
	}
	return launch_conclude(good);
}
