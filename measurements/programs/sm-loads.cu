/* SPDX-License-Identifier: MIT */
/*
 * How SMs differ in what the same kernel takes on each: the way to the first access, a load, and what comes after it.
 *
 *   sm-loads > sm-loads.csv
 *
 * A row is an SM, the means of ten launches: kernel, blocks, threads, SM; cycles until a warp has its address (start), of its first
 * access (access) and of what comes next (next), the mean of the SM's warps; from the first warp's first instruction to the
 * last one's end (end). Kernels, each lane a word of its own: `load`, a load and, when it has come, another; `line`, the first load is of
 * one line by all; `store`, a store and a fence of the device, then a load; `chain`, a load, then seven in a row. Lines are warm: two
 * launches come before.
 */
#include "probe.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#define APART	 (3u << 20)
#define N_CHAIN	 8
#define LAUNCHES 12

typedef enum { LOAD, LINE, STORE, CHAIN } Kind;

static const char *const names[] = {"load", "line", "store", "chain"};

typedef struct {
	unsigned int began, ready, accessed, ended, sm;
} Stamp;

static __device__ __forceinline__ unsigned int now(void)
{
	unsigned int clock;

	asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
	return clock;
}

static __device__ __forceinline__ unsigned int load(const char *from)
{
	unsigned int value;

	asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
	asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 12345; @p trap;}" ::"r"(value)
		     : "memory");
	return value;
}

template <Kind KIND> static __global__ void run(char *to, const char *from, Stamp *stamps)
{
	Stamp stamp;

	stamp.began = now();
	const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
	const char *at = from + (KIND == LINE ? threadIdx.x % 32 : thread) * 4;

	asm volatile("{.reg .pred p; setp.eq.u64 p, %0, 12345; @p trap;}" ::"l"(at) : "memory");
	stamp.ready = now();
	if (KIND == STORE) {
		*(volatile unsigned int *)(to + thread * 4) = 0;
		__threadfence();
	} else {
		load(at);
	}
	stamp.accessed = now();
	if (KIND == CHAIN)
		for (unsigned int i = 1, value = 0; i < N_CHAIN; i++)
			value = load(at + value + i * 139264);
	else
		load(at + APART);
	stamp.ended = now();
	while (now() - stamp.began < 20000) /* what is written disturbs nothing */
		;
	stamp.sm = sm_id();
	if (threadIdx.x % 32 == 0)
		stamps[thread / 32] = stamp;
}

typedef struct {
	double start, access, next, end;
} Sums;

template <Kind KIND>
static void measure(char *to, const char *from, Stamp *stamps, int blocks, int threads)
{
	std::vector<Stamp> all(blocks * threads / 32);
	std::map<unsigned int, Sums> sums;

	for (int launch = 0; launch < LAUNCHES; launch++) {
		std::map<unsigned int, std::vector<Stamp>> of;

		run<KIND><<<blocks, threads>>>(to, from, stamps);
		CHECK_RUN();
		CHECK(cudaMemcpy(all.data(), stamps, all.size() * sizeof(Stamp),
				 cudaMemcpyDeviceToHost));
		for (const Stamp &stamp : all)
			of[stamp.sm].push_back(stamp);
		for (const auto &sm : of) {
			unsigned int first = sm.second[0].began, last = 0;
			Sums *sum = &sums[sm.first];

			if (launch < 2)
				continue;
			for (const Stamp &stamp : sm.second)
				first = (int)(stamp.began - first) < 0 ? stamp.began : first;
			for (const Stamp &stamp : sm.second) {
				const double n = (double)sm.second.size() * (LAUNCHES - 2);

				sum->start += (stamp.ready - stamp.began) / n;
				sum->access += (stamp.accessed - stamp.ready) / n;
				sum->next += (stamp.ended - stamp.accessed) / n;
				last = std::max(last, stamp.ended - first);
			}
			sum->end += last / (double)(LAUNCHES - 2);
		}
	}
	for (const auto &sm : sums)
		if (sm.second.end > 0)
			printf("%s,%d,%d,%u,%.1f,%.1f,%.1f,%.1f\n", names[KIND], blocks,
			       threads, sm.first, sm.second.start, sm.second.access,
			       sm.second.next, sm.second.end);
}

int main(void)
{
	char *to = (char *)gpu_memory(5 * APART), *from = (char *)gpu_memory(5 * APART);
	Stamp *stamps = (Stamp *)gpu_memory(1 << 20);

	printf("kernel,blocks,threads,sm,start,access,next,end\n");
	measure<LOAD>(to, from, stamps, 132, 32);
	measure<LOAD>(to, from, stamps, 132, 256);
	measure<LOAD>(to, from, stamps, 264, 1024);
	measure<LINE>(to, from, stamps, 132, 32);
	measure<STORE>(to, from, stamps, 132, 32);
	measure<STORE>(to, from, stamps, 132, 256);
	measure<CHAIN>(to, from, stamps, 132, 32);
	measure<CHAIN>(to, from, stamps, 132, 256);
	measure<CHAIN>(to, from, stamps, 264, 1024);
	return 0;
}
