/* SPDX-License-Identifier: MIT */
/*
 * What the first use of a constant costs.
 *
 *   cold > issue-cold-constants.csv
 *
 * A row: parameters of the kernel or `__constant__` data, the stride of a chain
 * of loads through them (each word says where the next one is), the launch, the
 * stamp, and the cycles of one link: address, load, comparison, branch and
 * stamp. A new line of 64 bytes shows as a longer link.
 */
#include "probe.h"

#define LAUNCHES 5
#define STAMPS	 32
#define N_WORDS	 960

typedef struct {
	uint32_t next[N_WORDS];
} Ring;

__constant__ Ring constant_ring;

template <bool PARAMETER>
static __global__ void walk(const __grid_constant__ Ring ring, long long *cycles)
{
	uint32_t index = 0;
	long long at[STAMPS + 1];

	at[0] = stamp();
#pragma unroll
	for (int i = 1; i <= STAMPS; i++) {
		index = PARAMETER ? ring.next[index] : constant_ring.next[index];
		if (index >= N_WORDS)
			return;
		at[i] = stamp();
	}
	for (int i = 0; i < STAMPS; i++)
		cycles[i] = at[i + 1] - at[i];
}

template <bool PARAMETER> static void measure(const char *part, int stride)
{
	static long long *cycles = (long long *)gpu_memory(STAMPS * sizeof(long long));
	static Ring ring;

	for (int i = 0; i < N_WORDS; i++)
		ring.next[i] = (i + stride) % N_WORDS;
	CHECK(cudaMemcpyToSymbol(constant_ring, &ring, sizeof(ring)));
	for (int launch = 0; launch < LAUNCHES; launch++) {
		long long link[STAMPS];

		walk<PARAMETER><<<1, 1>>>(ring, cycles);
		CHECK_RUN();
		from_gpu(link, cycles, sizeof(link));
		for (int i = 0; i < STAMPS; i++)
			printf("%s,%d,%d,%d,%lld\n", part, stride, launch, i, link[i]);
	}
}

int main(void)
{
	static const int strides[] = {0, 1, 4, 8, 16, 30, 64};

	warm_up();
	printf("part,stride_words,launch,stamp,cycles\n");
	for (int i = 0; i < 7; i++) {
		measure<true>("parameter-LDC", strides[i]);
		measure<false>("constant-LDC", strides[i]);
	}
	return 0;
}
