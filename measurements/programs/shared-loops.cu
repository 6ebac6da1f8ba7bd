/* SPDX-License-Identifier: MIT */
/*
 * Atomics on shared memory by several warps, for Nsight Compute's counters of instructions, wavefronts and
 * bank conflicts: how the retries of 64-bit and float adds pass the banks when warps meet.
 *
 *   shared-loops > rows
 *   shared-loops stamps > loop-starts.csv
 *
 * A row is a launch, in order: type of the add, warps, words that the targets are drawn from, spacing of
 * the words in 4-byte words, adds a lane. Lane i of warp w adds to the words that a generator of random numbers names
 * (seed 1, warp by warp, lane by lane, add by add); the words are held in registers.
 * With `stamps` float adds to one word, launched LAUNCHES times: a row a warp with its clock behind the barrier and behind each add, from
 * the first warp's.
 */
#include "probe.h"

#define ADDS	 8
#define LAUNCHES 4

template <typename T> static __global__ void adds(const int *targets, T *out, int n_words)
{
	__shared__ T words[1024];
	int mine[ADDS];

	for (int i = threadIdx.x; i < n_words; i += blockDim.x)
		words[i] = 0;
#pragma unroll
	for (int i = 0; i < ADDS; i++)
		mine[i] = targets[threadIdx.x * ADDS + i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < ADDS; i++)
		atomicAdd(&words[mine[i]], (T)1);
	__syncthreads();
	for (int i = threadIdx.x; i < n_words; i += blockDim.x)
		out[i] = words[i];
}

template <typename T> static void measure(const char *type, int warps, int n_words, T *out)
{
	static int *targets = (int *)gpu_memory(1024 * ADDS * sizeof(int));
	static int host[1024 * ADDS];
	uint32_t state = 1;

	for (int i = 0; i < warps * 32 * ADDS; i++)
		host[i] = next_random(&state) % n_words;
	CHECK(cudaMemcpy(targets, host, sizeof(host), cudaMemcpyHostToDevice));
	adds<T><<<1, warps * 32>>>(targets, out, n_words);
	CHECK_RUN();
	printf("%s,%d,%d,%d\n", type, warps, n_words, ADDS);
}

static __global__ void stamped_adds(const int *targets, float *out, int n_words,
				    long long *stamps)
{
	__shared__ float words[1024];
	int mine[ADDS];
	long long at[ADDS + 1];

	for (int i = threadIdx.x; i < n_words; i += blockDim.x)
		words[i] = 0;
#pragma unroll
	for (int i = 0; i < ADDS; i++)
		mine[i] = targets[threadIdx.x * ADDS + i];
	__syncthreads();
	at[0] = stamp();
#pragma unroll
	for (int i = 0; i < ADDS; i++) {
		atomicAdd(&words[mine[i]], 1.0f);
		at[i + 1] = stamp();
	}
	__syncthreads();
	for (int i = threadIdx.x; i < n_words; i += blockDim.x)
		out[i] = words[i];
	if (threadIdx.x % 32 == 0)
		for (int i = 0; i <= ADDS; i++)
			stamps[threadIdx.x / 32 * (ADDS + 1) + i] = at[i];
}

static void measure_starts(void)
{
	int *targets = (int *)gpu_memory(1024 * ADDS * sizeof(int));
	float *out = (float *)gpu_memory(8192);
	long long *gpu_stamps = (long long *)gpu_memory(32 * (ADDS + 1) * sizeof(long long));
	long long at[32 * (ADDS + 1)];

	printf("warps,launch,warp,start");
	for (int i = 1; i <= ADDS; i++)
		printf(",end%d", i);
	putchar('\n');
	for (int warps = 1; warps <= 16; warps *= 2)
		for (int launch = 0; launch < LAUNCHES; launch++) {
			stamped_adds<<<1, warps * 32>>>(targets, out, 1, gpu_stamps);
			CHECK_RUN();
			from_gpu(at, gpu_stamps, sizeof(at));

			long long first = at[0];

			for (int i = 0; i < warps; i++)
				first = at[i * (ADDS + 1)] < first ? at[i * (ADDS + 1)] : first;
			for (int i = 0; i < warps; i++) {
				printf("%d,%d,%d", warps, launch, i);
				for (int k = 0; k <= ADDS; k++)
					printf(",%lld", at[i * (ADDS + 1) + k] - first);
				putchar('\n');
			}
		}
}

int main(int argc, char **argv)
{
	static const int words[] = {1, 16, 64, 256, 1024};
	void *out = gpu_memory(8192);

	if (argc > 1 && strcmp(argv[1], "stamps") == 0) {
		warm_up();
		measure_starts();
		return 0;
	}
	printf("type,warps,words,adds\n");
	for (int warps = 1; warps <= 32; warps *= 2)
		for (int i = 0; i < 5; i++) {
			measure("u64", warps, words[i], (unsigned long long *)out);
			measure("f64", warps, words[i], (double *)out);
			measure("f32", warps, words[i], (float *)out);
			measure("u32", warps, words[i], (unsigned int *)out);
		}
	return 0;
}
