/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums of an array in three kernels: scans of the blocks, a scan of their sums by one block,
 * addition of the sums before to each block.
 *
 *   prefix [METHOD [BLOCKS [THREADS]]]
 *
 * METHOD: `hillis` (Hillis and Steele), `blelloch`, `warp` (shuffles). BLOCKS is up to THREADS, an
 * element a thread. The result is checked on the CPU.
 */
#include "launch.h"

enum { HILLIS, BLELLOCH, WARP };

static __device__ unsigned int scan_hillis(unsigned int value)
{
	__shared__ unsigned int x[1024];
	int id = threadIdx.x, n = blockDim.x;

	x[id] = value;
	__syncthreads();
	for (int s = 1; s < n; s *= 2) {
		unsigned int t = id >= s ? x[id - s] : 0;

		__syncthreads();
		x[id] += t;
		__syncthreads();
	}
	return x[id];
}

static __device__ unsigned int scan_blelloch(unsigned int value)
{
	__shared__ unsigned int x[1024];
	int id = threadIdx.x, n = blockDim.x;

	x[id] = value;
	__syncthreads();
	for (int s = 1; s < n; s *= 2) {
		int i = (id + 1) * 2 * s - 1;

		if (i < n)
			x[i] += x[i - s];
		__syncthreads();
	}
	for (int s = n / 4; s >= 1; s /= 2) {
		int i = (id + 1) * 2 * s - 1;

		if (i + s < n)
			x[i + s] += x[i];
		__syncthreads();
	}
	return x[id];
}

static __device__ unsigned int scan_lanes(unsigned int value)
{
	int lane = threadIdx.x % 32;

	for (int o = 1; o < 32; o *= 2) {
		unsigned int other = __shfl_up_sync(0xffffffff, value, o);

		value += lane >= o ? other : 0;
	}
	return value;
}

static __device__ unsigned int scan_warp(unsigned int value)
{
	__shared__ unsigned int sums[32];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

	value = scan_lanes(value);
	if (lane == 31)
		sums[warp] = value;
	__syncthreads();
	if (warp == 0)
		sums[lane] = scan_lanes(lane < (int)blockDim.x / 32 ? sums[lane] : 0);
	__syncthreads();
	return warp ? value + sums[warp - 1] : value;
}

template <int METHOD>
__global__ void prefix_blocks(unsigned int *data, int n, unsigned int *sums)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	LAUNCH_BEGIN();
	unsigned int value = i < n ? data[i] : 0;

	value = METHOD == HILLIS     ? scan_hillis(value)
		: METHOD == BLELLOCH ? scan_blelloch(value)
				     : scan_warp(value);
	if (i < n)
		data[i] = value;
	if (threadIdx.x == blockDim.x - 1)
		sums[blockIdx.x] = value;
	LAUNCH_END();
}

__global__ void prefix_add(unsigned int *data, int n, const unsigned int *sums)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	LAUNCH_BEGIN();
	if (blockIdx.x > 0 && i < n)
		data[i] += sums[blockIdx.x - 1];
	LAUNCH_END();
}

template <int METHOD>
static void run(int blocks, int threads, unsigned int *data, unsigned int *sums,
		unsigned int *rest)
{
	prefix_blocks<METHOD><<<blocks, threads>>>(data, blocks * threads, sums);
	prefix_blocks<METHOD><<<1, threads>>>(sums, blocks, rest);
	prefix_add<<<blocks, threads>>>(data, blocks * threads, sums);
}

int main(int argc, char **argv)
{
	int method = word_argument(argc, argv, 1, "hillis blelloch warp");
	int blocks = number_argument(argc, argv, 2, "BLOCKS", 16, 1, 1024);
	int threads = number_argument(argc, argv, 3, "THREADS", 256, 32, 1024);
	static const char *const names[] = {"prefix_hillis", "prefix_blelloch", "prefix_warp"};
	int n = blocks * threads;
	unsigned int *data = (unsigned int *)malloc(n * 4),
		     *result = (unsigned int *)malloc(n * 4);
	unsigned int random = 2463534242u, sum = 0, *gpu_data, *sums, *rest;
	bool good = true;

	if (blocks > threads || (threads & (threads - 1))) {
		fprintf(stderr, "%s: THREADS must be a power of two, BLOCKS up to it\n",
			argv[0]);
		return 2;
	}
	for (int i = 0; i < n; i++)
		data[i] = next_random(&random) % 1000;
	CHECK(cudaMalloc(&gpu_data, n * 4));
	CHECK(cudaMalloc(&sums, blocks * 4));
	CHECK(cudaMalloc(&rest, 4));
	launch_measure(
		names[method],
		[&] { CHECK(cudaMemcpy(gpu_data, data, n * 4, cudaMemcpyHostToDevice)); },
		[&] {
			if (method == HILLIS)
				run<HILLIS>(blocks, threads, gpu_data, sums, rest);
			else if (method == BLELLOCH)
				run<BLELLOCH>(blocks, threads, gpu_data, sums, rest);
			else
				run<WARP>(blocks, threads, gpu_data, sums, rest);
		});
	CHECK(cudaMemcpy(result, gpu_data, n * 4, cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++) {
		sum += data[i];
		good = good && result[i] == sum;
	}
	return launch_conclude(good);
}
