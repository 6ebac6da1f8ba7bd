/* SPDX-License-Identifier: MIT */
/* marked.cu in CUDA alone. */
__global__ void histogram(const unsigned char *data, int n, unsigned int *result)
{
	__shared__ unsigned int bins[256];

	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		bins[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[data[i]], 1);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		atomicAdd(&result[i], bins[i]);
}

__global__ void transpose(const float *in, float *out, int width)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

	for (int j = 0; j < 32; j += blockDim.y)
		tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += blockDim.y)
		out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

/* Floats that are added in shared memory: a loop around a compare-and-swap. */
__global__ void sums(const float *values, const int *groups, int n, float *result)
{
	__shared__ float sum[64];

	if (threadIdx.x < 64)
		sum[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&sum[groups[i]], values[i]);
	__syncthreads();
	if (threadIdx.x < 64)
		atomicAdd(&result[threadIdx.x], sum[threadIdx.x]);
}

/* Keeps what is positive, in any order: a place for each by an atomic whose result is used. */
__global__ void keep(const int *values, int n, int *kept, unsigned int *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;

	int value = values[i];

	if (value > 0)
		kept[atomicAdd(count, 1)] = value;
	atomicMax(&kept[n], value);
}
