/* SPDX-License-Identifier: MIT */
/*
 * What an SM is busy with beside its warps' code: for Nsight Compute, which counts how long each SM is busy (active.sh
 * joins both).
 *
 *   spans > rows
 *
 * A row is a launch of a kernel without parameters: `empty` has no code but what the compiler puts before any
 * (a load of the stack's address, which nothing uses); `chain` adds `size` times, each time to the sum before (4 cycles each), looks at it,
 * and ends.
 */
#include "probe.h"

static __global__ void empty(void)
{
}

template <int SIZE> static __global__ void chain(void)
{
	float x = __int_as_float(threadIdx.x);

#pragma unroll
	for (int i = 0; i < SIZE; i++)
		asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(1.0f + i));
	if (x == 12345)
		asm volatile("trap;");
}

static const int shapes[][2] = {{1, 32},    {1, 128},	{1, 512},  {132, 32},
				{132, 128}, {132, 512}, {264, 128}};

template <typename LAUNCH> static void rows(const char *kernel, int size, LAUNCH launch)
{
	for (int s = 0; s < 7; s++)
		for (int i = 0; i < 6; i++) {
			launch(shapes[s][0], shapes[s][1]);
			CHECK_RUN();
			printf("%s,%d,%d,%d,%d\n", kernel, size, shapes[s][0], shapes[s][1], i);
		}
}

#define CHAIN(n)                                                                               \
	rows("chain", n, [](int blocks, int threads) { chain<n><<<blocks, threads>>>(); })

int main(void)
{
	printf("kernel,size,blocks,threads,launch\n");
	rows("empty", 0, [](int blocks, int threads) { empty<<<blocks, threads>>>(); });
	CHAIN(1);
	CHAIN(8);
	CHAIN(16);
	CHAIN(24);
	CHAIN(32);
	CHAIN(48);
	CHAIN(64);
	CHAIN(128);
	CHAIN(256);
	return 0;
}
