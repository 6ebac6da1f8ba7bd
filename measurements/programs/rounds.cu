/* SPDX-License-Identifier: MIT */
/*
 * Loads in rounds, as reductions make them: each warp loads, waits, and loads the next piece. What a round costs by the
 * warps that do so together, the bytes a lane loads and the loads under way of each warp.
 *
 *   rounds > rounds.csv
 *
 * A row: bytes a lane and load, loads of a warp in a round, blocks (one an SM), warps of each; cycles a round: the block that took
 * longest and the median block, from its first warp's begin to its last one's end, 16 rounds, least of 5 runs; the data are in the L2
 * (`l2`: each round loads lines that no SM has in its first cache) or in the first cache (`l1`: the same piece each round).
 */
#include "probe.h"

#define ROUNDS	16
#define MAX_SMS 512
#define RUNS	5

template <typename T, int LOADS, bool AGAIN>
static __global__ void rounds(const T *data, long long *spans, int stride)
{
	__shared__ long long first, last;
	int warps = blockDim.x / 32,
	    at = blockIdx.x * ROUNDS * LOADS * blockDim.x + threadIdx.x;
	unsigned int sum = 0;
	long long begin;

	if (threadIdx.x == 0) {
		first = INT64_MAX;
		last = 0;
	}
	__syncthreads();
	begin = stamp();
#pragma unroll 1
	for (int round = 0; round < ROUNDS; round++) {
		T value[LOADS];

#pragma unroll
		for (int i = 0; i < LOADS; i++)
			value[i] = data[at + i * 32 * warps];
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			for (unsigned int k = 0; k < sizeof(T) / 4; k++)
				sum += ((const unsigned int *)&value[i])[k];
		at += (AGAIN ? 0 : stride) + (sum == 12345);
	}
	if (sum == 54321)
		begin = 0;
	atomicMin(&first, begin);
	atomicMax(&last, stamp());
	__syncthreads();
	if (threadIdx.x == 0)
		spans[blockIdx.x] = last - first;
}

template <typename T, int LOADS, bool AGAIN>
static void measure(int blocks, int warps, const void *data)
{
	static long long *spans = (long long *)gpu_memory(MAX_SMS * sizeof(long long));
	double best_most = 1e9, best_median = 1e9;

	for (int run = 0; run < RUNS; run++) {
		long long host[MAX_SMS];
		double numbers[MAX_SMS];

		rounds<T, LOADS, AGAIN>
			<<<blocks, warps * 32>>>((const T *)data, spans, LOADS * warps * 32);
		CHECK_RUN();
		from_gpu(host, spans, blocks * sizeof(long long));
		for (int i = 0; i < blocks; i++)
			numbers[i] = host[i] / (double)ROUNDS;
		best_median = fmin(best_median, median(numbers, blocks));
		best_most = fmin(best_most, numbers[blocks - 1]);
	}
	printf("%s,%zu,%d,%d,%d,%.1f,%.1f\n", AGAIN ? "l1" : "l2", sizeof(T), LOADS, blocks,
	       warps, best_most, best_median);
}

template <typename T, int LOADS> static void all(const void *data)
{
	const int blocks[] = {1, 8, sm_count()};

	for (int b = 0; b < 3; b++)
		for (int warps = 1; warps <= 32; warps *= 2) {
			measure<T, LOADS, false>(blocks[b], warps, data);
			if (b == 0 && LOADS == 1)
				measure<T, LOADS, true>(blocks[b], warps, data);
		}
}

int main(void)
{
	void *data = gpu_memory((size_t)sm_count() * ROUNDS * 4 * 1024 * 16 + 4096);

	warm_up();
	printf("from,bytes,loads,blocks,warps,most,median\n");
	all<float, 1>(data);
	all<float2, 1>(data);
	all<float4, 1>(data);
	all<float, 4>(data);
	all<float4, 2>(data);
	all<float4, 4>(data);
	return 0;
}
