/* SPDX-License-Identifier: MIT */
/*
 * How far instructions come ahead of a warp that waits, and what jumps and constants cost that nobody has used: a row a launch.
 *
 *   ahead >> ahead.csv
 *
 * Each kernel of each shape is another one, so that its first launch finds nothing of its code. Columns: kernel, size, wait (1: the warps wait
 * for three loads one after the other first), blocks, threads, launch, median and longest (cycles of an SM's first warp for it).
 * - `line`: `size` independent additions in a row.
 * - `jump`: four times 8 additions and a jump over `size` instructions that never run.
 * - `constants`: `size` operands in different lines of 64 bytes of constants, one after the other.
 */
#include "probe.h"

#define MAX_BLOCKS 132
#define N_LAUNCHES 4
#define LINE_WORDS 16

static __constant__ uint32_t constants[16384];

/* Three loads, each of which needs the one before. */
static __device__ __forceinline__ float wait_for(const uint32_t *chain)
{
	uint32_t at = 0;

#pragma unroll
	for (int i = 0; i < 3; i++)
		asm volatile("ld.global.cv.u32 %0, [%1];"
			     : "=r"(at)
			     : "l"(chain + at)
			     : "memory");
	return (float)at;
}

static __device__ __forceinline__ void tell(int *cycles, long long begin, float *x)
{
	const long long end = stamp();

	if (x[0] + x[1] + x[2] + x[3] == 12345)
		begin = 0;
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = (int)(end - begin);
}

template <int N> static __device__ __forceinline__ void add(float *x)
{
#pragma unroll
	for (int i = 0; i < N; i++)
		asm volatile("add.f32 %0, %0, %1;" : "+f"(x[i % 4]) : "f"(1.0f + i));
}

template <int SIZE, bool WAIT, int ID>
static __global__ void line(const uint32_t *chain, int never, int *cycles)
{
	float x[4] = {1.0f + threadIdx.x, 2, 3, 4};
	long long begin;

	if (WAIT)
		x[0] += wait_for(chain);
	if (x[0] < 0)
		return;
	begin = stamp();
	add<SIZE>(x);
	tell(cycles, begin, x);
}

template <int SIZE, bool WAIT, int ID>
static __global__ void jump(const uint32_t *chain, int never, int *cycles)
{
	float x[4] = {1.0f + threadIdx.x, 2, 3, 4};
	long long begin;

	if (WAIT)
		x[0] += wait_for(chain);
	if (x[0] < 0)
		return;
	begin = stamp();
#pragma unroll
	for (int i = 0; i < 4; i++) {
		if (never > i) {
			add<SIZE>(x);
			never = (int)x[0];
		}
		add<8>(x);
	}
	tell(cycles, begin, x);
}

template <int SIZE, bool WAIT, int ID>
static __global__ void read_constants(const uint32_t *chain, int never, int *cycles)
{
	float x[4] = {1.0f + threadIdx.x, 2, 3, 4};
	uint32_t sum = never;
	long long begin;

	if (WAIT)
		x[0] += wait_for(chain);
	if (x[0] < 0)
		return;
	begin = stamp();
#pragma unroll
	for (int i = 0; i < SIZE; i++)
		asm volatile("add.u32 %0, %0, %1;"
			     : "+r"(sum)
			     : "r"(constants[(ID * 64 + i) * LINE_WORDS]));
	x[1] += (float)sum;
	tell(cycles, begin, x);
}

typedef void Kernel(const uint32_t *chain, int never, int *cycles);

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void measure(const char *name, int size, int wait, int blocks, int threads,
		    Kernel *kernel)
{
	static uint32_t *chain;
	static int *cycles, host[MAX_BLOCKS];

	if (!chain) {
		chain = (uint32_t *)gpu_memory(4096);
		CHECK(cudaMemset(chain, 0, 4096));
		cycles = (int *)gpu_memory(sizeof(host));
	}
	for (int launch = 0; launch < N_LAUNCHES; launch++) {
		kernel<<<blocks, threads>>>(chain, 0, cycles);
		CHECK_RUN();
		from_gpu(host, cycles, blocks * sizeof(int));
		qsort(host, blocks, sizeof(int), compare);
		printf("%s,%d,%d,%d,%d,%d,%d,%d\n", name, size, wait, blocks, threads, launch,
		       host[blocks / 2], host[blocks - 1]);
	}
}

#define SHAPES(name, kernel, size, id)                                                         \
	do {                                                                                   \
		measure(name, size, 0, 1, 32, kernel<size, false, id>);                        \
		measure(name, size, 1, 1, 32, kernel<size, true, id + 1>);                     \
		measure(name, size, 0, MAX_BLOCKS, 32, kernel<size, false, id + 2>);           \
		measure(name, size, 1, MAX_BLOCKS, 32, kernel<size, true, id + 3>);            \
		measure(name, size, 1, MAX_BLOCKS, 256, kernel<size, true, id + 4>);           \
	} while (0)

int main(void)
{
	warm_up();
	SHAPES("line", line, 32, 0);
	SHAPES("line", line, 64, 0);
	SHAPES("line", line, 128, 0);
	SHAPES("line", line, 256, 0);
	SHAPES("line", line, 512, 0);
	SHAPES("line", line, 1024, 0);
	SHAPES("jump", jump, 24, 0);
	SHAPES("jump", jump, 120, 0);
	SHAPES("jump", jump, 504, 0);
	SHAPES("jump", jump, 2040, 0);
	SHAPES("constants", read_constants, 2, 0);
	SHAPES("constants", read_constants, 4, 5);
	SHAPES("constants", read_constants, 8, 10);
	return 0;
}
