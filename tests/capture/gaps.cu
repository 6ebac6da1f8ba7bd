/* SPDX-License-Identifier: MIT */
/*
 * What a capture cannot record, one kind a word on the command line: `matrix` loads, `cluster`
 * accesses to other blocks' shared memory, `barrier` of a part of the block, `half` precision
 * atomics, launches by a `graph` or by the GPU itself (`device`). A capture must count each and
 * say so. Build: nvcc -O2 -arch=sm_90 -rdc=true.
 */
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <string.h>

__global__ void plain(int *out)
{
	__shared__ int words[32];

	words[threadIdx.x] = threadIdx.x;
	atomicAdd(&words[threadIdx.x / 2], 1);
	out[threadIdx.x] = words[threadIdx.x];
}

__global__ void matrix(int *out)
{
	__shared__ int words[256];
	unsigned int a, b, c, d, t = threadIdx.x;

	for (int i = t; i < 256; i += 32)
		words[i] = i;
	__syncthreads();
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
		     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
		     : "r"((unsigned int)__cvta_generic_to_shared(&words[t * 4])));
	out[t] = a + b + c + d;
}

__global__ void __cluster_dims__(2, 1, 1) cluster(int *out)
{
	__shared__ int words[32];
	cooperative_groups::cluster_group group = cooperative_groups::this_cluster();

	words[threadIdx.x] = 0;
	group.sync();
	atomicAdd(group.map_shared_rank(words, group.block_rank() ^ 1) + threadIdx.x, 1);
	group.sync();
	out[threadIdx.x] = words[threadIdx.x];
}

__global__ void barrier(int *out)
{
	__shared__ int words[128];
	int t = threadIdx.x;

	words[t] = t;
	if (t < 64)
		asm volatile("bar.sync 1, 64;" ::: "memory");
	out[t % 32] = words[t ^ 32];
}

__global__ void half_adds(int *out)
{
	__shared__ __half2 words[4];

	if (threadIdx.x < 4)
		words[threadIdx.x] = __floats2half2_rn(0, 0);
	__syncthreads();
	atomicAdd(&words[threadIdx.x % 4], __floats2half2_rn(1, 1));
	__syncthreads();
	out[threadIdx.x] = (int)__low2float(words[threadIdx.x % 4]);
}

__global__ void parent(int *out)
{
	if (threadIdx.x == 0)
		plain<<<1, 32>>>(out);
}

static void launch_graph(int *out)
{
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t executable;

	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	plain<<<1, 32, 0, stream>>>(out);
	plain<<<2, 32, 0, stream>>>(out);
	cudaStreamEndCapture(stream, &graph);
	cudaGraphInstantiate(&executable, graph, 0);
	for (int i = 0; i < 3; i++)
		cudaGraphLaunch(executable, stream);
	cudaStreamSynchronize(stream);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	int *out;

	if (cudaMalloc(&out, 4096) != cudaSuccess)
		return 1;
	plain<<<1, 32>>>(out);
	if (!strcmp(kind, "matrix"))
		matrix<<<1, 32>>>(out);
	else if (!strcmp(kind, "cluster"))
		cluster<<<2, 32>>>(out);
	else if (!strcmp(kind, "barrier"))
		barrier<<<1, 96>>>(out);
	else if (!strcmp(kind, "half"))
		half_adds<<<1, 32>>>(out);
	else if (!strcmp(kind, "graph"))
		launch_graph(out);
	else if (!strcmp(kind, "device"))
		parent<<<1, 32>>>(out);
	cudaError_t error = cudaDeviceSynchronize();

	printf("%s %s\n", kind, cudaGetErrorString(error));
	return error != cudaSuccess;
}
