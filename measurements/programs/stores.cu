/* SPDX-License-Identifier: MIT */
/*
 * What a kernel that does little but store keeps its SMs busy with. For Nsight Compute, which counts how long each SM is busy (active.sh
 * joins both).
 *
 *   active.sh stores sm__cycles_active.max sm__cycles_active.sum sm__cycles_elapsed.max > stores.csv
 *
 * A row is a launch: kernel, bytes of a lane and access, accesses of a lane, blocks, threads of each, number of the launch. `store` stores a
 * constant, `add` adds it without a result, `copy` stores what it has loaded; each lane has words of its own, neighbours side by side, and
 * its accesses are 3 MiB apart. There is no loop, and no index but that of the thread in the grid.
 */
#include "probe.h"

#define APART (3u << 20)

typedef enum { STORE, ADD, COPY } Kind;

static const char *const names[] = {"store", "add", "copy"};

template <typename T> static __device__ T constant(void)
{
	T value;

	memset(&value, 0, sizeof(value));
	return value;
}

template <Kind KIND, int N, typename T>
static __global__ void stores(char *to, const char *from)
{
	const unsigned int at = (blockIdx.x * blockDim.x + threadIdx.x) * sizeof(T);
	T value[N];

#pragma unroll
	for (int i = 0; i < N; i++)
		value[i] = KIND == COPY ? *(const T *)(from + at + i * APART) : constant<T>();
#pragma unroll
	for (int i = 0; i < N; i++)
		if (KIND == ADD)
			atomicAdd((unsigned int *)(to + at + i * APART), 1u);
		else
			*(T *)(to + at + i * APART) = value[i];
}

template <Kind KIND, int N, typename T> static void measure(char *to, const char *from)
{
	static const int blocks[] = {1, 8, 33, 66, 132, 264, 528};
	static const int threads[] = {32, 256, 512, 1024};

	for (int b : blocks)
		for (int t : threads)
			for (int launch = 0; launch < 4; launch++) {
				if (b * t * sizeof(T) > APART)
					continue;
				stores<KIND, N, T><<<b, t>>>(to, from);
				CHECK_RUN();
				printf("%s,%d,%d,%d,%d,%d\n", names[KIND], (int)sizeof(T), N, b,
				       t, launch);
			}
}

int main(void)
{
	char *to = (char *)gpu_memory(4 * APART), *from = (char *)gpu_memory(4 * APART);

	printf("kernel,bytes,accesses,blocks,threads,launch\n");
	measure<STORE, 1, unsigned int>(to, from);
	measure<STORE, 2, unsigned int>(to, from);
	measure<STORE, 4, unsigned int>(to, from);
	measure<STORE, 1, uint4>(to, from);
	measure<ADD, 1, unsigned int>(to, from);
	measure<ADD, 4, unsigned int>(to, from);
	measure<COPY, 1, unsigned int>(to, from);
	measure<COPY, 4, unsigned int>(to, from);
	measure<COPY, 1, uint4>(to, from);
	return 0;
}
