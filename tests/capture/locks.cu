/* SPDX-License-Identifier: MIT */
/*
 * Programs' own spin locks and compare-and-swap loops, one form a kernel, each result checked on
 * the CPU: what a capture folds to lock and unlock, or to one atomic. Its raw capture is a sample
 * of the tests. Build: nvcc -O2 -arch=sm_90 -lineinfo.
 */
#include <stdint.h>
#include <stdio.h>

#define THREADS 128
#define LOCKS	4

/* Each thread adds its number to the sum that it shares with every LOCKS-th thread. */
#define FRAME(name, ...)                                                                       \
	__global__ void name(int *out)                                                         \
	{                                                                                      \
		__shared__ int locks[LOCKS];                                                   \
		__shared__ volatile int sums[LOCKS];                                           \
		int t = threadIdx.x, k = t % LOCKS;                                            \
                                                                                               \
		if (t < LOCKS)                                                                 \
			sums[t] = locks[t] = 0;                                                \
		__syncthreads();                                                               \
		__VA_ARGS__;                                                                   \
		__syncthreads();                                                               \
		if (t < LOCKS)                                                                 \
			out[t] = sums[t];                                                      \
	}

/* Taken by compare-and-swap, given back by an exchange. */
FRAME(
	swap_and_exchange, for (bool done = false; !done;) {
		if (atomicCAS(&locks[k], 0, 1) == 0) {
			sums[k] += t;
			__threadfence_block();
			atomicExch(&locks[k], 0);
			done = true;
		}
	})

/* Taken by compare-and-swap, given back by a store. */
FRAME(
	swap_and_store, for (bool done = false; !done;) {
		if (atomicCAS(&locks[k], 0, 1) == 0) {
			sums[k] += t;
			__threadfence_block();
			*(volatile int *)&locks[k] = 0;
			done = true;
		}
	})

/* Taken and given back by an exchange. */
FRAME(
	exchange_and_exchange, for (bool done = false; !done;) {
		if (atomicExch(&locks[k], 1) == 0) {
			sums[k] += t;
			__threadfence_block();
			atomicExch(&locks[k], 0);
			done = true;
		}
	})

/* One lane of each warp waits for the block's only lock, and works for the warp. */
FRAME(
	one_lane, if (t % 32 == 0) {
		while (atomicCAS(&locks[0], 0, 1) != 0)
			;
		for (int i = t; i < t + 32; i++)
			sums[i % LOCKS] += i;
		__threadfence_block();
		atomicExch(&locks[0], 0);
	})

/* The critical section has a branch, and an atomic. */
FRAME(
	branch_within, for (bool done = false; !done;) {
		if (atomicCAS(&locks[k], 0, 1) == 0) {
			if (t & 8)
				sums[k] += t;
			else
				atomicAdd((int *)&sums[k], t);
			__threadfence_block();
			atomicExch(&locks[k], 0);
			done = true;
		}
	})

/* Every second lane, twice. */
FRAME(
	twice, for (int round = 0; round < 2; round++) if (t % 2 == round) {
		for (bool done = false; !done;) {
			if (atomicCAS(&locks[k], 0, 1) == 0) {
				sums[k] += t;
				__threadfence_block();
				atomicExch(&locks[k], 0);
				done = true;
			}
		}
	})

/* An atomic add, made of compare-and-swap: the lane goes on from what the last attempt found. */
FRAME(swap_loop, {
	int *word = (int *)&sums[k];
	int old = *word, assumed;

	do {
		assumed = old;
		old = atomicCAS(word, assumed, assumed + t);
	} while (old != assumed);
})

/* The same, of 64 bits, and the word is read again for each attempt. */
__global__ void wide_swap_loop(double *out)
{
	__shared__ double words[LOCKS];
	int t = threadIdx.x, k = t % LOCKS;
	unsigned long long *word = (unsigned long long *)&words[k], old;

	if (t < LOCKS)
		words[t] = 0;
	__syncthreads();
	do {
		old = *(volatile unsigned long long *)word;
	} while (atomicCAS(word, old, __double_as_longlong(__longlong_as_double(old) + t)) !=
		 old);
	__syncthreads();
	if (t < LOCKS)
		out[t] = words[t];
}

/* Compare-and-swap until a free slot is found: other words each time, so no retry. */
__global__ void probes(unsigned int *out)
{
	__shared__ unsigned int slots[2 * THREADS], n_probes;
	unsigned int t = threadIdx.x, slot = t / 4 * 2;

	slots[t] = slots[t + THREADS] = 0;
	if (t == 0)
		n_probes = 0;
	__syncthreads();
	for (atomicAdd(&n_probes, 1); atomicCAS(&slots[slot], 0, t + 1) != 0;
	     atomicAdd(&n_probes, 1))
		slot = (slot + 1) % (2 * THREADS);
	__syncthreads();
	if (t == 0)
		out[0] = n_probes;
}

static int check(const char *name, const int *sums)
{
	int expected[LOCKS] = {0}, good = 1;

	for (int t = 0; t < THREADS; t++)
		expected[t % LOCKS] += t;
	for (int k = 0; k < LOCKS; k++)
		good = good && sums[k] == expected[k];
	printf("%s %s\n", name, good ? "PASS" : "FAIL");
	return good;
}

int main(void)
{
	static const struct {
		const char *name;
		void (*kernel)(int *);
	} rows[] = {
		{"swap_and_exchange", swap_and_exchange},
		{"swap_and_store", swap_and_store},
		{"exchange_and_exchange", exchange_and_exchange},
		{"one_lane", one_lane},
		{"branch_within", branch_within},
		{"twice", twice},
		{"swap_loop", swap_loop},
	};
	int *out, sums[LOCKS], good = 1;
	double *wide_out, wide_sums[LOCKS];
	unsigned int n_probes;

	if (cudaMalloc(&out, 64) != cudaSuccess || cudaMalloc(&wide_out, 64) != cudaSuccess)
		return 1;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rows[i].kernel<<<1, THREADS>>>(out);
		cudaMemcpy(sums, out, sizeof(sums), cudaMemcpyDeviceToHost);
		good = check(rows[i].name, sums) && good;
	}
	wide_swap_loop<<<1, THREADS>>>(wide_out);
	cudaMemcpy(wide_sums, wide_out, sizeof(wide_sums), cudaMemcpyDeviceToHost);
	for (int k = 0; k < LOCKS; k++)
		sums[k] = (int)wide_sums[k];
	good = check("wide_swap_loop", sums) && good;
	probes<<<1, THREADS>>>((unsigned int *)out);
	cudaMemcpy(&n_probes, out, sizeof(n_probes), cudaMemcpyDeviceToHost);
	printf("probes %u\n", n_probes);
	return !good || cudaDeviceSynchronize() != cudaSuccess;
}
