/* SPDX-License-Identifier: MIT */
/*
 * What a launch finds of its data and its code, by what happened before: for Nsight Compute in one pass (--cache-control none; with
 * more passes it writes all of the GPU's memory anew between them, and every launch finds it cold).
 *
 *   history > labels
 *
 * A line a launch, in order: LABEL, its number, and what it is. Kernels: empty; tiny: a word stored by each of 256 threads; load: a word
 * loaded and stored by each of 132 x 128; fma128, fma512: straight code; read1M: a megabyte by 132 x 256 threads, 16 bytes each.
 * First, each of them behind nothing, allocations, copies, memsets, another kernel, or one that reads 64 MiB. Then reads and
 * writes of buffers that are new: fresh, copied from the host, set, copied within the GPU. Then the first and the second
 * launch of each kernel. Last, reads of memory that was freed and allocated again.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static int n;
#define L(...)                                                                                 \
	do {                                                                                   \
		printf("LABEL,%d,", n++);                                                      \
		printf(__VA_ARGS__);                                                           \
		printf("\n");                                                                  \
	} while (0)
#define CK(x)                                                                                  \
	do {                                                                                   \
		cudaError_t e_ = (x);                                                          \
		if (e_ != cudaSuccess) {                                                       \
			fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_));               \
			exit(1);                                                               \
		}                                                                              \
	} while (0)
template <int N, int ID> __global__ void code(float *o, float f, int n4)
{
	float x[4] = {f, f + 1, f + 2, f + 3};
#pragma unroll
	for (int i = 0; i < N; i++)
		asm volatile("fma.rn.f32 %0, %0, %1, %2;"
			     : "+f"(x[i & 3])
			     : "f"(1.0f + i + ID), "f"(f));
	if (x[0] + x[1] + x[2] + x[3] == 12345.f)
		o[n4] = x[0];
}
template <int ID> __global__ void tiny(uint32_t *o, int n4)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n4)
		o[i] = ID;
}
template <int ID> __global__ void load(const uint32_t *a, uint32_t *o, int n4)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n4)
		o[i] = a[i] + ID;
}
template <int ID> __global__ void empty()
{
}
template <int ID> __global__ void readit(const uint4 *a, uint4 *o, int words)
{
	uint4 s = make_uint4(0, 0, 0, 0);
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words;
	     i += gridDim.x * blockDim.x) {
		uint4 v = a[i];
		s.x += v.x;
		s.y += v.y;
		s.z += v.z;
		s.w += v.w;
	}
	if (s.x == 0x12345)
		o[0] = s;
}
__global__ void other(float *o)
{
	if (o == nullptr)
		return;
	if (threadIdx.x == 77)
		o[0] = 1;
}
static uint32_t *out, *big;
static char *host;
__global__ void writeit(uint4 *a, int words, int rev)
{
	int b = rev ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
	for (int i = b * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x)
		a[i] = make_uint4(i, 0, 0, 0);
}
static void act(int a)
{
	void *p = nullptr;
	switch (a) {
	case 0:
		break;
	case 1:
		CK(cudaMalloc(&p, 32 << 20));
		break;
	case 2:
		CK(cudaMalloc(&p, 32 << 20));
		CK(cudaFree(p));
		break;
	case 3:
		CK(cudaMalloc(&p, 4096));
		CK(cudaFree(p));
		break;
	case 4:
		CK(cudaMemcpy(big, host, 4096, cudaMemcpyHostToDevice));
		break;
	case 5:
		CK(cudaMemcpy(host, big, 4096, cudaMemcpyDeviceToHost));
		break;
	case 6:
		CK(cudaMemset(big, 0, 1 << 20));
		break;
	case 7:
		L("other");
		other<<<132, 64>>>((float *)out);
		break;
	case 8:
		L("flush");
		readit<9><<<264, 512>>>((uint4 *)big, (uint4 *)out, (64 << 20) / 16);
		break;
	case 9:
		CK(cudaMemcpy(big, host, 16 << 20, cudaMemcpyHostToDevice));
		break;
	}
	CK(cudaDeviceSynchronize());
}
static const char *acts[] = {"none",  "malloc32M", "mallocfree32M", "mallocfree4K", "h2d4K",
			     "d2h4K", "memset1M",  "other",	    "flush64M",	    "h2d16M"};
/* Memory that is freed and handed out again, over and over. */
static void reused(const char *how, size_t bytes)
{
	uint4 *a;

	CK(cudaMalloc(&a, bytes));
	if (!strcmp(how, "h2d") || !strcmp(how, "h2d_twice"))
		CK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
	if (!strcmp(how, "h2d_twice"))
		CK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
	if (!strcmp(how, "memset"))
		CK(cudaMemset(a, 0, bytes));
	if (!strcmp(how, "written") || !strcmp(how, "reversed")) {
		L("write,%s,%zu", how, bytes);
		writeit<<<132, 256>>>(a, (int)(bytes / 16), !strcmp(how, "reversed"));
	}
	CK(cudaDeviceSynchronize());
	for (int i = 0; i < 3; i++) {
		L("read%d,%s,%zu", i, how, bytes);
		readit<0><<<132, 256>>>(a, (uint4 *)out, (int)(bytes / 16));
	}
	CK(cudaDeviceSynchronize());
	CK(cudaFree(a));
}

int main()
{
	host = (char *)calloc(1, 64 << 20);
	CK(cudaMalloc(&out, 8 << 20));
	CK(cudaMalloc(&big, 64 << 20));
	CK(cudaMemset(big, 0, 64 << 20));
	CK(cudaMemset(out, 0, 8 << 20));
	for (int a = 0; a < 10; a++)
		for (int r = 0; r < 4; r++) {
			act(a);
			L("empty,%s,%d", acts[a], r);
			empty<0><<<2, 128>>>();
			act(a);
			L("tiny,%s,%d", acts[a], r);
			tiny<0><<<2, 128>>>(out, 256);
			act(a);
			L("load,%s,%d", acts[a], r);
			load<0><<<132, 128>>>(out + 65536, out, 132 * 128);
			act(a);
			L("fma128,%s,%d", acts[a], r);
			code<128, 0><<<132, 128>>>((float *)out, 1, 0);
			act(a);
			L("fma512,%s,%d", acts[a], r);
			code<512, 0><<<132, 256>>>((float *)out, 1, 0);
			act(a);
			L("read1M,%s,%d", acts[a], r);
			readit<0><<<132, 256>>>((uint4 *)out, (uint4 *)out, (1 << 20) / 16);
		}
	/* New to the GPU: never freed. */
	for (size_t bytes : {4096ul, 65536ul, 1048576ul, 8388608ul})
		for (int how = 0; how < 4; how++)
			for (int r = 0; r < 2; r++) {
				uint32_t *a;
				CK(cudaMalloc(&a, bytes));
				const char *hn[] = {"fresh", "h2d", "memset", "d2d"};
				if (how == 1)
					CK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
				if (how == 2)
					CK(cudaMemset(a, 0, bytes));
				if (how == 3)
					CK(cudaMemcpy(a, big, bytes, cudaMemcpyDeviceToDevice));
				CK(cudaDeviceSynchronize());
				for (int k = 0; k < 3; k++) {
					L("newread%d,%s,%zu,%d", k, hn[how], bytes, r);
					readit<0><<<132, 256>>>((uint4 *)a, (uint4 *)out,
								(int)(bytes / 16));
					CK(cudaDeviceSynchronize());
				}
				CK(cudaMalloc(&a, bytes));
				if (how == 1)
					CK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
				if (how == 2)
					CK(cudaMemset(a, 0, bytes));
				if (how == 3)
					CK(cudaMemcpy(a, big, bytes, cudaMemcpyDeviceToDevice));
				CK(cudaDeviceSynchronize());
				int words = bytes / 4 < 132 * 1024 ? bytes / 4 : 132 * 1024;
				for (int k = 0; k < 3; k++) {
					L("newwrite%d,%s,%zu,%d", k, hn[how], bytes, r);
					tiny<0><<<(words + 255) / 256, 256>>>(a, words);
					CK(cudaDeviceSynchronize());
				}
			}
	/* First launches of kernels, their data known. */
	L("first,empty");
	empty<1><<<2, 128>>>();
	L("second,empty");
	empty<1><<<2, 128>>>();
	L("first,tiny");
	tiny<1><<<2, 128>>>(out, 256);
	L("second,tiny");
	tiny<1><<<2, 128>>>(out, 256);
	L("first,load");
	load<1><<<132, 128>>>(out + 65536, out, 132 * 128);
	L("second,load");
	load<1><<<132, 128>>>(out + 65536, out, 132 * 128);
	L("first,fma128");
	code<128, 1><<<132, 128>>>((float *)out, 1, 0);
	L("second,fma128");
	code<128, 1><<<132, 128>>>((float *)out, 1, 0);
	L("first,fma512");
	code<512, 1><<<132, 256>>>((float *)out, 1, 0);
	L("second,fma512");
	code<512, 1><<<132, 256>>>((float *)out, 1, 0);
	L("first,read1M");
	readit<1><<<132, 256>>>((uint4 *)out, (uint4 *)out, (1 << 20) / 16);
	L("second,read1M");
	readit<1><<<132, 256>>>((uint4 *)out, (uint4 *)out, (1 << 20) / 16);
	CK(cudaDeviceSynchronize());
	for (auto how : {"h2d", "memset", "written", "reversed", "fresh", "h2d_twice"})
		for (size_t bytes :
		     {4096ul, 32768ul, 65536ul, 131072ul, 1048576ul, 8388608ul, 33554432ul})
			reused(how, bytes);
	return 0;
}
