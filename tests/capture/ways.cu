/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose ways their parameters, their data or their lanes' exchanges decide, with nothing
 * recorded on them: what a capture must work out to tell every instruction. ways-counted.csv beside its raw
 * capture holds how many warp instructions the GPU counted in each launch, in order. Build:
 * nvcc -O2 -arch=sm_90 -lineinfo; count:
 *
 *   ncu --csv --metrics smsp__inst_executed.sum ./ways
 */
#include <stdint.h>
#include <stdio.h>

#define THREADS 64
#define BLOCKS	2

#define PLACE (blockIdx.x * THREADS + threadIdx.x)

/* The trip count is a parameter. */
__global__ void parameter_trips(unsigned *out, int trips)
{
	unsigned x = threadIdx.x;

#pragma unroll 1
	for (int i = 0; i < trips; i++)
		x = x * 5 + (x >> 3);
	out[PLACE] = x;
}

/* The parameter is divided, and compared with the thread. */
__global__ void divided(unsigned *out, unsigned total, unsigned by)
{
	unsigned x = total / by;

	if (threadIdx.x % by < x)
		for (unsigned i = 0; i < PLACE / by; i++)
			x = x * 3 + (x >> 5 ^ i);
	out[PLACE] = x;
}

/* Each lane's trips stand in memory. */
__global__ void loaded_trips(unsigned *out, const int *trips)
{
	unsigned x = threadIdx.x;

#pragma unroll 1
	for (int i = trips[PLACE]; i > 0; i--)
		x = x * 5 + (x >> 3);
	out[PLACE] = x;
}

/* And come through shared memory, in bytes and pairs. */
__global__ void shared_trips(unsigned *out, const int *trips)
{
	__shared__ uint8_t bytes[THREADS];
	__shared__ int2 pairs[THREADS];
	unsigned x = threadIdx.x;

	bytes[threadIdx.x] = trips[PLACE] & 15;
	pairs[threadIdx.x] = make_int2(trips[PLACE] & 3, trips[PLACE] >> 2 & 3);
	__syncthreads();
#pragma unroll 1
	for (int i = bytes[threadIdx.x ^ 1] + pairs[threadIdx.x ^ 2].y; i > 0; i--)
		x = x * 5 + (x >> 3);
	out[PLACE] = x;
}

/* The most of a warp, by shuffles. */
__global__ void shuffled_trips(unsigned *out, const int *trips)
{
	unsigned x = threadIdx.x;
	int most = trips[PLACE];

	for (int i = 16; i > 0; i /= 2)
		most = max(most, __shfl_xor_sync(~0u, most, i));
	most += __popc(__ballot_sync(~0u, trips[PLACE] & 1));
#pragma unroll 1
	for (; most > 0; most--)
		x = x * 5 + (x >> 3);
	out[PLACE] = x;
}

/* Numbers of floats. */
__global__ void float_trips(unsigned *out, float from, float step)
{
	unsigned x = threadIdx.x;

#pragma unroll 1
	for (float at = from + (float)threadIdx.x; at > 0.0f; at -= step)
		x = x * 5 + (x >> 3);
	out[PLACE] = x;
}

/* A switch of the parameter. */
__global__ void switched(unsigned *out, int way)
{
	unsigned x = threadIdx.x;

	switch (way) {
	case 0:
		x = x * 3 + 1;
		break;
	case 1:
		x = __brev(x) ^ 77;
		break;
	case 2:
		x = x * x * x + 9 - (x >> 2);
		break;
	case 3:
		x = __popc(x) * 17 + (x << 3 ^ x >> 2);
		break;
	case 4:
		x = __clz(x) + 3;
		break;
	case 5:
		x = x * 99 + x / 7 + x / 11;
		break;
	default:
		x = 0;
	}
	out[PLACE] = x;
}

/* Numbers of its own, addressed by lane: thread-local memory. */
__global__ void local_trips(unsigned *out, int n)
{
	int trips[16];
	unsigned x = threadIdx.x;

	for (int i = 0; i < 16; i++)
		trips[i] = (i * n) & 15;
#pragma unroll 1
	for (int i = trips[(threadIdx.x * n) & 15]; i > 0; i--)
		x = x * 5 + (x >> 3);
	out[PLACE] = x;
}

/* A function that is called, and calls itself. */
__device__ __noinline__ unsigned deep(unsigned x, int left)
{
	return left > 0 ? deep(x * 3 + left, left - 1) ^ x : x;
}

__global__ void calls(unsigned *out, int depth)
{
	out[PLACE] = deep(PLACE, depth + (threadIdx.x & 1));
}

/* 64-bit numbers. */
__global__ void long_trips(unsigned *out, uint64_t n, uint64_t by)
{
	unsigned x = threadIdx.x;

#pragma unroll 1
	for (uint64_t i = n; i > 5000000000ull; i -= by + threadIdx.x % 3)
		x = x * 5 + (x >> 3);
	out[PLACE] = x;
}

int main(void)
{
	static int trips[BLOCKS * THREADS];
	unsigned *out;
	int *device;

	for (int i = 0; i < BLOCKS * THREADS; i++)
		trips[i] = (i * 37 + i / 7) % 23;
	cudaMalloc(&out, sizeof(trips));
	cudaMalloc(&device, sizeof(trips));
	cudaMemcpy(device, trips, sizeof(trips), cudaMemcpyHostToDevice);
	parameter_trips<<<BLOCKS, THREADS>>>(out, 13);
	divided<<<BLOCKS, THREADS>>>(out, 100, 7);
	loaded_trips<<<BLOCKS, THREADS>>>(out, device);
	shared_trips<<<BLOCKS, THREADS>>>(out, device);
	shuffled_trips<<<BLOCKS, THREADS>>>(out, device);
	float_trips<<<BLOCKS, THREADS>>>(out, 3.5f, 1.25f);
	switched<<<BLOCKS, THREADS>>>(out, 3);
	local_trips<<<BLOCKS, THREADS>>>(out, 5);
	calls<<<BLOCKS, THREADS>>>(out, 4);
	long_trips<<<BLOCKS, THREADS>>>(out, 5000000100ull, 9);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	puts("PASS");
	return 0;
}
