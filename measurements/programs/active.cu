/* SPDX-License-Identifier: MIT */
/*
 * What a launch costs an SM beside its instructions: for Nsight Compute, which counts how long each SM
 * is busy, while the kernel's own stamps say from when to when its warps ran (active.sh joins both).
 *
 *   active > rows
 *
 * A row is a launch, in order: the kernel (empty: an EXIT alone; stamps: two stamps and their store;
 * spin: 2,000 cycles between them; work: the same with 100 KB of straight code that runs once), blocks,
 * threads of each, bytes of shared memory, and the longest time on one SM from the first warp's begin to
 * the last one's end, 0 without stamps.
 */
#include "probe.h"

#define MAX_WARPS (1 << 18)
#define MAX_SMS	  512

typedef struct {
	long long begin, end; /* clock of the SM */
	unsigned int sm;
} Span;

static __global__ void empty(void)
{
}

static __device__ void tell(Span *spans, long long begin)
{
	unsigned int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;

	if (threadIdx.x % 32 != 0)
		return;
	spans[warp].sm = sm_id();
	spans[warp].begin = begin;
	spans[warp].end = stamp();
}

static __global__ void stamps(Span *spans)
{
	tell(spans, stamp());
}

static __global__ void spin(Span *spans)
{
	long long begin = stamp();

	while (stamp() - begin < 2000)
		;
	tell(spans, begin);
}

static __global__ void shared_memory(Span *spans)
{
	extern __shared__ int words[];
	long long begin = stamp();

	words[threadIdx.x] = (int)begin;
	__syncthreads();
	while (stamp() - begin < 2000 + (words[threadIdx.x ^ 1] == 7))
		;
	tell(spans, begin);
}

/* 6,000 instructions that each wait for the one before. */
static __global__ void work(Span *spans)
{
	long long begin = stamp();
	unsigned int x = threadIdx.x;

#pragma unroll
	for (int i = 0; i < 3000; i++)
		x = x * 5 + (x >> 3 ^ i);
	if (x == 12345)
		begin = 0;
	tell(spans, begin);
}

static long long longest(const Span *spans, int n_warps)
{
	static long long first[MAX_SMS], last[MAX_SMS];
	long long most = 0;

	for (int i = 0; i < MAX_SMS; i++) {
		first[i] = INT64_MAX;
		last[i] = 0;
	}
	for (int i = 0; i < n_warps; i++) {
		unsigned int sm = spans[i].sm % MAX_SMS;

		first[sm] = spans[i].begin < first[sm] ? spans[i].begin : first[sm];
		last[sm] = spans[i].end > last[sm] ? spans[i].end : last[sm];
		most = last[sm] - first[sm] > most ? last[sm] - first[sm] : most;
	}
	return most;
}

int main(void)
{
	static const int blocks[] = {1, 8, 132, 264, 528, 1320, 4224};
	static const int threads[] = {32, 128, 256, 512, 1024};
	static const struct {
		const char *name;
		void (*kernel)(Span *);
		int shared_bytes;
	} kernels[] = {{"empty", NULL, 0},
		       {"stamps", stamps, 0},
		       {"spin", spin, 0},
		       {"shared", shared_memory, 40000},
		       {"work", work, 0}};
	static Span host[MAX_WARPS];
	Span *spans;

	CHECK(cudaMalloc(&spans, sizeof(host)));
	printf("kernel,blocks,threads,shared_bytes,span\n");
	for (int k = 0; k < 5; k++)
		for (int b = 0; b < 7; b++)
			for (int t = 0; t < 5; t++) {
				int n_warps = blocks[b] * threads[t] / 32;
				long long most = 0;

				if (kernels[k].kernel)
					kernels[k]
						.kernel<<<blocks[b], threads[t],
							  kernels[k].shared_bytes>>>(spans);
				else
					empty<<<blocks[b], threads[t]>>>();
				CHECK_RUN();
				if (kernels[k].kernel) {
					CHECK(cudaMemcpy(host, spans, n_warps * sizeof(Span),
							 cudaMemcpyDeviceToHost));
					most = longest(host, n_warps);
				}
				printf("%s,%d,%d,%d,%lld\n", kernels[k].name, blocks[b],
				       threads[t], kernels[k].shared_bytes, most);
			}
	return 0;
}
