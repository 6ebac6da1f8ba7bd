/* SPDX-License-Identifier: MIT */
/*
 * Counts keys in a hash table in shared memory: a key takes the first slot from its hash value on
 * that is free or already its own, by compare-and-swap, and adds one to the slot's count.
 *
 *   hashtable [KEYS [SLOTS [BLOCKS [THREADS]]]]
 *
 * KEYS keys for each block, of SLOTS / 2 different ones; SLOTS is a power of two. The slots are
 * words 0 to SLOTS - 1, their counts SLOTS to 2 * SLOTS - 1. Which key gets which slot depends on
 * who comes first. Prints each block's counts, checks on the CPU that every key is there once
 * with its count, and prints PASS or FAIL.
 */
#include "kernel.h"

#define MAX_SLOTS 4096

__global__ void insert(const unsigned int *keys, int n_keys, unsigned int *result, int slots)
{
	extern __shared__ unsigned int table[];
	MEASURE_BEGIN();

	for (int i = threadIdx.x; i < 2 * slots; i += blockDim.x)
		table[i] = 0;
	__syncthreads();

	for (int i = threadIdx.x; i < n_keys; i += blockDim.x) {
		unsigned int key = keys[blockIdx.x * n_keys + i];
		unsigned int slot = key * 2654435761u >> 7 & (slots - 1), old;

		while ((old = atomicCAS(&table[slot], 0, key)) != 0 && old != key)
			slot = (slot + 1) & (slots - 1);
		atomicAdd(&table[slots + slot], 1);
	}
	__syncthreads();

	for (int i = threadIdx.x; i < 2 * slots; i += blockDim.x)
		result[blockIdx.x * 2 * slots + i] = table[i];
	MEASURE_END();
}

/* Whether a block's table holds its keys, each once, with its count. */
static int is_right(const unsigned int *keys, int n_keys, const unsigned int *table, int slots)
{
	static unsigned int counts[MAX_SLOTS];
	int good = 1;

	memset(counts, 0, sizeof(counts));
	for (int i = 0; i < n_keys; i++)
		counts[keys[i]]++;
	for (int i = 0; i < slots; i++) {
		unsigned int key = table[i];

		if (key == 0) {
			good = good && table[slots + i] == 0;
		} else {
			good = good && key < MAX_SLOTS && counts[key] == table[slots + i];
			counts[key % MAX_SLOTS] = 0;
		}
	}
	for (int key = 0; key < MAX_SLOTS; key++)
		good = good && counts[key] == 0;
	return good;
}

int main(int argc, char **argv)
{
	int n_keys = number_argument(argc, argv, 1, "KEYS", 2048, 1, 1 << 20);
	int slots = number_argument(argc, argv, 2, "SLOTS", 512, 4, MAX_SLOTS);
	int blocks = number_argument(argc, argv, 3, "BLOCKS", 8, 1, 256);
	int threads = number_argument(argc, argv, 4, "THREADS", 256, 1, 1024);
	int shared_bytes = 2 * slots * (int)sizeof(unsigned int), good = 1;
	size_t key_bytes = sizeof(unsigned int) * blocks * n_keys;
	size_t result_bytes = sizeof(unsigned int) * blocks * 2 * slots;
	unsigned int *keys = (unsigned int *)malloc(key_bytes), *gpu_result;
	unsigned int *result = (unsigned int *)malloc(result_bytes);
	uint32_t random = 3;

	if (slots & (slots - 1)) {
		fprintf(stderr, "%s: SLOTS must be a power of two\n", argv[0]);
		return 2;
	}
	for (int i = 0; i < blocks * n_keys; i++)
		keys[i] = 1 + next_random(&random) % (slots / 2);

	unsigned int *gpu_keys = (unsigned int *)to_gpu(keys, key_bytes);

	CHECK(cudaMalloc(&gpu_result, result_bytes));
	for (int run = 0; run < MEASURE_RUNS; run++) {
		insert<<<blocks, threads, shared_bytes>>>(gpu_keys, n_keys, gpu_result, slots);
		CHECK(cudaGetLastError());
		measure_collect(run, blocks, threads, shared_bytes);
	}
	CHECK(cudaMemcpy(result, gpu_result, result_bytes, cudaMemcpyDeviceToHost));
	printf("keys %d slots %d blocks %d threads %d\n", n_keys, slots, blocks, threads);
	for (int b = 0; b < blocks; b++) {
		const unsigned int *table = result + b * 2 * slots;

		good = good && is_right(keys + b * n_keys, n_keys, table, slots);
		print_votes("add", b, slots, slots, 0, 1, table + slots);
	}
	return conclude(good);
}
