/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose ways stand in tables: jumps of a switch, and functions that are called by their address. As ways.cu: the counts of
 * the GPU are in pointers-counted.csv. Build: nvcc -O2 -arch=sm_90 -lineinfo; count:
 *
 *   ncu --csv --metrics smsp__inst_executed.sum ./pointers
 */
#include <stdint.h>
#include <stdio.h>
#include <new>

#define THREADS 64
#define BLOCKS	2

#define PLACE (blockIdx.x * THREADS + threadIdx.x)

/* A switch whose cases share their code, in another order than the table's. */
static __device__ __forceinline__ unsigned choose(unsigned x, int way)
{
	switch (way) {
	case 0:
		x = x / 7 + x * 99 + x / 11;
		break;
	case 1:
	case 4:
	case 6:
		x = __popc(x) * 17 + (x << 3 ^ x >> 2);
		break;
	case 2:
		x = x * 3 + 1;
		break;
	case 3:
	case 7:
		for (unsigned i = x & 3; i < 9; i++)
			x = x * 5 + (x >> 3);
		break;
	case 5:
		x = __brev(x) ^ 77;
		break;
	case 8:
		x = __clz(x) + 3;
		break;
	default:
		x = 0;
	}
	return x;
}

__global__ void switched_by_parameter(unsigned *out, int way)
{
	out[PLACE] = choose(threadIdx.x, way);
}

/* Each lane its own way. */
__global__ void switched_by_lane(unsigned *out, const int *ways)
{
	out[PLACE] = choose(threadIdx.x, ways[PLACE] % 11);
}

/* ---- Functions by address: with accesses within, with loops, with a call within */

typedef unsigned Function(unsigned x, const int *data);

__device__ __noinline__ unsigned thrice(unsigned x, const int *data)
{
	return x * 3;
}

__device__ __noinline__ unsigned loaded(unsigned x, const int *data)
{
	return x + data[x & 63];
}

__device__ __noinline__ unsigned looped(unsigned x, const int *data)
{
#pragma unroll 1
	for (int i = x & 7; i >= 0; i--)
		x = x * 5 + (x >> 3);
	return x;
}

__device__ __noinline__ unsigned called(unsigned x, const int *data)
{
	return looped(x, data) ^ loaded(x + 1, data);
}

__device__ Function *const functions[] = {thrice, loaded, looped, called};

__global__ void called_by_parameter(unsigned *out, const int *data, int way)
{
	out[PLACE] = functions[way & 3](threadIdx.x, data);
}

__global__ void called_by_lane(unsigned *out, const int *data)
{
	out[PLACE] = functions[data[PLACE] & 3](threadIdx.x, data);
}

/* Shared memory within the function, and a barrier behind the call. */
__device__ __noinline__ unsigned voted(unsigned x, const int *data)
{
	extern __shared__ unsigned votes[];

	atomicAdd(&votes[x & 7], 1);
	return votes[x & 7];
}

__device__ Function *const voters[] = {voted, loaded};

__global__ void voted_by_pointer(unsigned *out, const int *data, int way)
{
	extern __shared__ unsigned votes[];
	unsigned x;

	if (threadIdx.x < 8)
		votes[threadIdx.x] = 0;
	__syncthreads();
	x = voters[way & 1](threadIdx.x, data);
	__syncthreads();
	out[PLACE] = x + votes[x & 7];
}

/* ---- Virtual functions */

struct Shape {
	int size;
	__device__ virtual unsigned area(unsigned x) const
	{
		return x * size;
	}
};

struct Round : Shape {
	__device__ unsigned area(unsigned x) const override
	{
#pragma unroll 1
		for (int i = 0; i < size; i++)
			x = x * 5 + (x >> 3);
		return x;
	}
};

__device__ Shape *shapes[2];

__global__ void make_shapes(int size)
{
	static __device__ char room[2][sizeof(Round)];

	shapes[0] = new (room[0]) Shape;
	shapes[1] = new (room[1]) Round;
	shapes[0]->size = shapes[1]->size = size;
}

__global__ void virtual_areas(unsigned *out, const int *data)
{
	out[PLACE] = shapes[data[PLACE] & 1]->area(threadIdx.x);
}

int main(void)
{
	static int data[BLOCKS * THREADS];
	unsigned *out;
	int *device;

	for (int i = 0; i < BLOCKS * THREADS; i++)
		data[i] = (i * 37 + i / 7) % 23;
	cudaMalloc(&out, sizeof(data));
	cudaMalloc(&device, sizeof(data));
	cudaMemcpy(device, data, sizeof(data), cudaMemcpyHostToDevice);
	for (int way = 0; way < 10; way += 3)
		switched_by_parameter<<<BLOCKS, THREADS>>>(out, way);
	switched_by_lane<<<BLOCKS, THREADS>>>(out, device);
	for (int way = 0; way < 4; way++)
		called_by_parameter<<<BLOCKS, THREADS>>>(out, device, way);
	called_by_lane<<<BLOCKS, THREADS>>>(out, device);
	for (int way = 0; way < 2; way++)
		voted_by_pointer<<<BLOCKS, THREADS, 32>>>(out, device, way);
	make_shapes<<<1, 1>>>(6);
	virtual_areas<<<BLOCKS, THREADS>>>(out, device);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	puts("PASS");
	return 0;
}
