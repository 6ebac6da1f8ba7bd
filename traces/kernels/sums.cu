/* SPDX-License-Identifier: MIT */
/*
 * The sum of an array: lanes by shuffles, warps by shared memory, blocks by an atomic or a second step.
 *
 *   sums [LEVEL [ELEMENTS [BLOCKS [THREADS]]]]
 *
 * LEVEL: `warp` an atomic a warp; `block` an atomic a block; `grid` blocks store their sums, and the
 * last one that comes sums them; `two` the same as two kernels; `shared` an atomic a warp, the warp's
 * sum through shared memory instead of shuffles. Elements are small whole numbers, so the sum is
 * exact; it is checked on the CPU.
 */
#include "launch.h"

static __device__ unsigned int warp_sum(unsigned int value)
{
	for (int o = 16; o > 0; o /= 2)
		value += __shfl_xor_sync(0xffffffff, value, o);
	return value;
}

/* In thread 0; all threads of the block come here. */
static __device__ unsigned int block_sum(unsigned int value)
{
	__shared__ unsigned int sums[32];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

	value = warp_sum(value);
	if (lane == 0)
		sums[warp] = value;
	__syncthreads();
	if (warp == 0)
		value = warp_sum(lane < (int)blockDim.x / 32 ? sums[lane] : 0);
	return value;
}

static __device__ unsigned int own_sum(const unsigned int *data, int n)
{
	unsigned int sum = 0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum += data[i];
	return sum;
}

__global__ void sums_warp(const unsigned int *data, int n, unsigned int *total)
{
	LAUNCH_BEGIN();
	unsigned int sum = warp_sum(own_sum(data, n));

	if (threadIdx.x % 32 == 0)
		atomicAdd(total, sum);
	LAUNCH_END();
}

__global__ void sums_shared(const unsigned int *data, int n, unsigned int *total)
{
	__shared__ volatile unsigned int words[1024];
	unsigned int lane = threadIdx.x % 32;

	LAUNCH_BEGIN();
	unsigned int sum = own_sum(data, n);

	for (unsigned int o = 16; o > 0; o /= 2) {
		words[threadIdx.x] = sum;
		__syncwarp();
		if (lane < o)
			sum += words[threadIdx.x + o];
		__syncwarp();
	}
	if (lane == 0)
		atomicAdd(total, sum);
	LAUNCH_END();
}

__global__ void sums_block(const unsigned int *data, int n, unsigned int *total)
{
	LAUNCH_BEGIN();
	unsigned int sum = block_sum(own_sum(data, n));

	if (threadIdx.x == 0)
		atomicAdd(total, sum);
	LAUNCH_END();
}

__global__ void sums_grid(const unsigned int *data, int n, unsigned int *total,
			  unsigned int *partial, unsigned int *counter)
{
	__shared__ bool last;

	LAUNCH_BEGIN();
	unsigned int sum = block_sum(own_sum(data, n));

	if (threadIdx.x == 0) {
		partial[blockIdx.x] = sum;
		__threadfence();
		last = atomicAdd(counter, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last) {
		sum = 0;
		for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
			sum += ((volatile unsigned int *)partial)[i];
		__syncthreads();
		sum = block_sum(sum);
		if (threadIdx.x == 0)
			*total = sum;
	}
	LAUNCH_END();
}

__global__ void sums_partial(const unsigned int *data, int n, unsigned int *partial)
{
	LAUNCH_BEGIN();
	unsigned int sum = block_sum(own_sum(data, n));

	if (threadIdx.x == 0)
		partial[blockIdx.x] = sum;
	LAUNCH_END();
}

int main(int argc, char **argv)
{
	int level = word_argument(argc, argv, 1, "warp block grid two shared");
	int n = number_argument(argc, argv, 2, "ELEMENTS", 65536, 1, 1 << 28);
	int blocks = number_argument(argc, argv, 3, "BLOCKS", 16, 1, 65535);
	int threads = number_argument(argc, argv, 4, "THREADS", 256, 32, 1024);
	static const char *const names[] = {"sums_warp", "sums_block", "sums_grid",
					    "sums_partial", "sums_shared"};
	unsigned int *data = (unsigned int *)malloc(n * sizeof(*data));
	unsigned int random = 2463534242u, expected = 0, result, *total, *partial, *counter;

	threads = threads / 32 * 32;
	for (int i = 0; i < n; i++) {
		data[i] = next_random(&random) % 16;
		expected += data[i];
	}

	unsigned int *gpu_data = (unsigned int *)to_gpu(data, n * sizeof(*data));

	CHECK(cudaMalloc(&total, 4));
	CHECK(cudaMalloc(&counter, 4));
	CHECK(cudaMalloc(&partial, blocks * 4));
	launch_measure(
		names[level],
		[&] {
			CHECK(cudaMemset(total, 0, 4));
			CHECK(cudaMemset(counter, 0, 4));
		},
		[&] {
			if (level == 0)
				sums_warp<<<blocks, threads>>>(gpu_data, n, total);
			else if (level == 1)
				sums_block<<<blocks, threads>>>(gpu_data, n, total);
			else if (level == 2)
				sums_grid<<<blocks, threads>>>(gpu_data, n, total, partial,
							       counter);
			else if (level == 3) {
				sums_partial<<<blocks, threads>>>(gpu_data, n, partial);
				sums_partial<<<1, threads>>>(partial, blocks, total);
			} else
				sums_shared<<<blocks, threads>>>(gpu_data, n, total);
		});
	CHECK(cudaMemcpy(&result, total, 4, cudaMemcpyDeviceToHost));
	if (level == 1)
		print_votes("addg", -1, 0, 1, 0, 1, (const unsigned int *)&blocks);
	return launch_conclude(result == expected);
}
