/* SPDX-License-Identifier: MIT */
/*
 * Atomics of half-precision numbers, pairs of them and vectors of floats, one kernel a kind, on global and
 * shared memory: each a record of its own type. Build: nvcc -O2 -lineinfo -arch=sm_90.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>

#define GLOBAL(name, Type, one)                                                                \
	__global__ void add_##name(Type *words)                                                \
	{                                                                                      \
		atomicAdd(words + threadIdx.x / 2, one);                                       \
	}                                                                                      \
	__global__ void get_##name(Type *words)                                                \
	{                                                                                      \
		Type old = atomicAdd(words + threadIdx.x / 2, one);                            \
                                                                                               \
		words[64 + threadIdx.x] = old;                                                 \
	}
#define SHARED(name, Type, one)                                                                \
	__global__ void shared_##name(Type *words)                                             \
	{                                                                                      \
		__shared__ Type own[32];                                                       \
                                                                                               \
		own[threadIdx.x] = words[threadIdx.x];                                         \
		__syncthreads();                                                               \
		atomicAdd(own + threadIdx.x / 2, one);                                         \
		__syncthreads();                                                               \
		words[threadIdx.x] = own[threadIdx.x];                                         \
	}

GLOBAL(f16, __half, __float2half(1))
GLOBAL(bf16, __nv_bfloat16, __float2bfloat16(1))
GLOBAL(f16x2, __half2, __floats2half2_rn(1, 1))
GLOBAL(bf16x2, __nv_bfloat162, __floats2bfloat162_rn(1, 1))
GLOBAL(f32x2, float2, make_float2(1, 1))
GLOBAL(f32x4, float4, make_float4(1, 1, 1, 1))
SHARED(f16, __half, __float2half(1))
SHARED(bf16, __nv_bfloat16, __float2bfloat16(1))
SHARED(f16x2, __half2, __floats2half2_rn(1, 1))
SHARED(bf16x2, __nv_bfloat162, __floats2bfloat162_rn(1, 1))

/* PTX has vectors of halves that CUDA C++ does not. */
__global__ void add_f16x4(float *words)
{
	asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %1};" ::"l"(words +
									   threadIdx.x / 2 * 2),
		     "r"(0x3c003c00)
		     : "memory");
}

__global__ void add_f16x8(float *words)
{
	asm volatile("red.global.add.noftz.v4.f16x2 [%0], {%1, %1, %1, %1};" ::"l"(
			     words + threadIdx.x / 2 * 4),
		     "r"(0x3c003c00)
		     : "memory");
}

__global__ void max_f16x2(float *words)
{
	asm volatile("red.global.max.noftz.v2.f16x2 [%0], {%1, %1};" ::"l"(words +
									   threadIdx.x / 2 * 2),
		     "r"(0x3c003c00)
		     : "memory");
}

int main(void)
{
	void *words;

	if (cudaMalloc(&words, 65536) != cudaSuccess ||
	    cudaMemset(words, 0, 65536) != cudaSuccess)
		return 1;
#define RUN(name, Type)                                                                        \
	add_##name<<<1, 32>>>((Type *)words), get_##name<<<1, 32>>>((Type *)words)
	RUN(f16, __half);
	RUN(bf16, __nv_bfloat16);
	RUN(f16x2, __half2);
	RUN(bf16x2, __nv_bfloat162);
	RUN(f32x2, float2);
	RUN(f32x4, float4);
	shared_f16<<<1, 32>>>((__half *)words);
	shared_bf16<<<1, 32>>>((__nv_bfloat16 *)words);
	shared_f16x2<<<1, 32>>>((__half2 *)words);
	shared_bf16x2<<<1, 32>>>((__nv_bfloat162 *)words);
	add_f16x4<<<1, 32>>>((float *)words);
	add_f16x8<<<1, 32>>>((float *)words);
	max_f16x2<<<1, 32>>>((float *)words);
	cudaError_t error = cudaDeviceSynchronize();

	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
