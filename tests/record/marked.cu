/* SPDX-License-Identifier: MIT */
/*
 * plain.cu, marked for atomsim_record.cuh. WORK_...: arithmetic instructions of a round of a kernel's loop, or of the
 * kernel, that are not marked.
 */
#include "atomsim_record.cuh"

#ifndef WORK_HISTOGRAM
#define WORK_HISTOGRAM 0
#define WORK_TRANSPOSE 0
#define WORK_SUMS      0
#define WORK_KEEP      0
#endif

__global__ void histogram(const unsigned char *data, int n, unsigned int *result)
{
	__shared__ unsigned int bins[256];

	ATOMSIM_KERNEL;
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		ATOMSIM_STORE(bins[i], 0);
	ATOMSIM_SYNCTHREADS();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += gridDim.x * blockDim.x) {
		ATOMSIM_WORK(WORK_HISTOGRAM);
		ATOMSIM_ATOMIC(Add, &bins[ATOMSIM_LOAD(data[i])], 1);
	}
	ATOMSIM_SYNCTHREADS();
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		ATOMSIM_ATOMIC(Add, &result[i], ATOMSIM_LOAD(bins[i]));
}

__global__ void transpose(const float *in, float *out, int width)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

	ATOMSIM_KERNEL;
	for (int j = 0; j < 32; j += blockDim.y) {
		ATOMSIM_WORK(WORK_TRANSPOSE);
		ATOMSIM_STORE(tile[threadIdx.y + j][threadIdx.x],
			      ATOMSIM_LOAD(in[(y + j) * width + x]));
	}
	ATOMSIM_SYNCTHREADS();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += blockDim.y) {
		ATOMSIM_WORK(WORK_TRANSPOSE);
		ATOMSIM_STORE(out[(y + j) * width + x],
			      ATOMSIM_LOAD(tile[threadIdx.x][threadIdx.y + j]));
	}
}

/* Floats that are added in shared memory: a loop around a compare-and-swap. */
__global__ void sums(const float *values, const int *groups, int n, float *result)
{
	__shared__ float sum[64];

	ATOMSIM_KERNEL;
	if (threadIdx.x < 64)
		ATOMSIM_STORE(sum[threadIdx.x], 0);
	ATOMSIM_SYNCTHREADS();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
	     i += gridDim.x * blockDim.x) {
		ATOMSIM_WORK(WORK_SUMS);
		ATOMSIM_ATOMIC(Add, &sum[ATOMSIM_LOAD(groups[i])], ATOMSIM_LOAD(values[i]));
	}
	ATOMSIM_SYNCTHREADS();
	if (threadIdx.x < 64)
		ATOMSIM_ATOMIC(Add, &result[threadIdx.x], ATOMSIM_LOAD(sum[threadIdx.x]));
}

/* Keeps what is positive, in any order: a place for each by an atomic whose result is used. */
__global__ void keep(const int *values, int n, int *kept, unsigned int *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	ATOMSIM_KERNEL;
	ATOMSIM_WORK(WORK_KEEP);
	if (i >= n)
		return;

	int value = ATOMSIM_LOAD(values[i]);

	if (value > 0)
		ATOMSIM_STORE(kept[ATOMSIM_FETCH_UNIFORM(Add, count, 1)], value);
	ATOMSIM_ATOMIC_UNIFORM(Max, &kept[n], value);
}
