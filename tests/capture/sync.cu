/* SPDX-License-Identifier: MIT */
/*
 * Locks in global memory and within each other, exchanges between lanes, named barriers, fences: each
 * kernel's result is checked on the CPU, its raw capture is a sample of the tests. Build:
 * nvcc -O2 -arch=sm_90 -lineinfo.
 */
#include <stdio.h>
#include <string.h>

#define THREADS 64
#define LOCKS	4

static __device__ bool take(int *lock)
{
	return atomicCAS(lock, 0, 1) == 0;
}

static __device__ void give(int *lock)
{
	__threadfence();
	atomicExch(lock, 0);
}

/* One lock in global memory for all threads that share a sum. */
__global__ void global_lock(int *locks, volatile int *sums)
{
	int k = threadIdx.x % LOCKS;

	for (bool done = false; !done;)
		if (take(&locks[k])) {
			sums[k] += threadIdx.x;
			give(&locks[k]);
			done = true;
		}
}

/* Two locks, the second taken while the first is held, by one thread of each warp. */
__global__ void nested_locks(int *locks, volatile int *sums)
{
	__shared__ int outer, inner;
	int t = threadIdx.x;

	if (t == 0)
		outer = inner = 0;
	__syncthreads();
	if (t % 32 == 0) {
		while (!take(&outer))
			;
		sums[0] += t;
		while (!take(&inner))
			;
		sums[1] += 3;
		give(&inner);
		give(&outer);
	}
}

/* A lock of the grid that one thread of a block takes. */
__global__ void one_a_block(int *locks, volatile int *sums)
{
	__shared__ int part;
	int t = threadIdx.x;

	if (t == 0)
		part = 0;
	__syncthreads();
	atomicAdd(&part, t);
	__syncthreads();
	if (t == 0) {
		while (!take(locks))
			;
		sums[0] += part;
		give(locks);
	}
}

/* Lanes with equal numbers find each other: 1, 2, 8 and 32 numbers. */
__global__ void matches(int *locks, volatile int *sums)
{
	int t = threadIdx.x;

	for (int n = 1; n <= 32; n *= n == 2 ? 4 : n == 8 ? 4 : 2) {
		unsigned equal = __match_any_sync(~0u, t % n);

		if (__ffs(equal) - 1 == t % 32)
			atomicAdd((int *)&sums[t % LOCKS], __popc(equal));
	}
}

/* Half of the block brings, the other half takes. */
__global__ void named_barriers(int *locks, volatile int *sums)
{
	__shared__ volatile int box[THREADS / 2];
	int t = threadIdx.x, half = THREADS / 2;

	if (t < half) {
		box[t] = t;
		asm volatile("bar.arrive 1, %0;" ::"n"(THREADS) : "memory");
	} else {
		asm volatile("bar.sync 1, %0;" ::"n"(THREADS) : "memory");
		asm volatile("bar.sync 2, %0;" ::"n"(THREADS / 2) : "memory");
		atomicAdd((int *)&sums[t % LOCKS], box[t - half]);
	}
	__syncthreads();
}

/* Votes, shuffles and fences of each kind. */
__global__ void exchanges(int *locks, volatile int *sums)
{
	int t = threadIdx.x, x = __shfl_down_sync(~0u, t, 1) + __shfl_sync(~0u, t, 3);

	x += __any_sync(~0u, t & 1) + __all_sync(~0u, t & 1);
	x += __reduce_add_sync(~0u, t);
	__threadfence_block();
	atomicAdd((int *)&sums[t % LOCKS], x);
	__threadfence();
	atomicAdd((int *)&sums[t % LOCKS], 1);
	__threadfence_system();
}

typedef void (*Kernel)(int *, volatile int *);

int main(void)
{
	static const struct {
		const char *name;
		Kernel kernel;
		int blocks;
	} kernels[] = {{"global_lock", global_lock, 2},	      {"nested_locks", nested_locks, 1},
		       {"one_a_block", one_a_block, 4},	      {"matches", matches, 1},
		       {"named_barriers", named_barriers, 1}, {"exchanges", exchanges, 1}};
	int expected[6][LOCKS + 2], sums[LOCKS + 2], *locks, *device, good = 1;

	memset(expected, 0, sizeof(expected));
	for (int t = 0; t < THREADS; t++) {
		int warp = t / 32 * 32, x = (t % 32 < 31 ? t + 1 : t) + warp + 3 + 1 + 0;

		for (int i = 0; i < 32; i++)
			x += warp + i;
		expected[0][t % LOCKS] += 2 * t;
		expected[1][0] += t % 32 == 0 ? t : 0;
		expected[1][1] += t % 32 == 0 ? 3 : 0;
		expected[2][0] += 4 * t;
		for (int n = 1; n <= 32; n *= n == 2 ? 4 : n == 8 ? 4 : 2)
			if (t % 32 < n)
				expected[3][t % LOCKS] += 32 / n;
		if (t >= THREADS / 2)
			expected[4][t % LOCKS] += t - THREADS / 2;
		expected[5][t % LOCKS] += x + 1;
	}
	cudaMalloc(&locks, sizeof(sums));
	cudaMalloc(&device, sizeof(sums));
	for (int i = 0; i < 6; i++) {
		cudaMemset(locks, 0, sizeof(sums));
		cudaMemset(device, 0, sizeof(sums));
		kernels[i].kernel<<<kernels[i].blocks, THREADS>>>(locks, device);
		if (cudaMemcpy(sums, device, sizeof(sums), cudaMemcpyDeviceToHost) !=
			    cudaSuccess ||
		    memcmp(sums, expected[i], sizeof(sums)) != 0) {
			printf("%s: wrong\n", kernels[i].name);
			good = 0;
		}
	}
	puts(good ? "PASS" : "FAIL");
	return !good;
}
