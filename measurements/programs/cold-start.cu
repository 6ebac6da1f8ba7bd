/* SPDX-License-Identifier: MIT */
/*
 * Which lines of constants an SM has when a kernel begins, and whether a line that one kind of load has brought
 * is there for the other.
 *
 *   cold-start > issue-cold-start.csv
 *
 * A kernel's steps, each between two stamps, in the order of its name, are: U<line>, a word of a line of 64 bytes of the
 * constants as operands (ULDC); L<line>, a word of it by its address in a register (LDC). Parameters begin in line 8 (0x210);
 * line 0 holds the launch's shape. A row: kernel, warps, launch, warp, cycles of each step.
 */
#include "probe.h"

#define WORDS	 16
#define MOST	 8
#define LAUNCHES 6

typedef struct {
	uint32_t word[32 * WORDS]; /* from 0x210 on */
} Ring;

/* Steps as numbers: 100 + line: U; 200 + line: L. */
template <int STEP>
static __device__ __forceinline__ uint32_t step(const Ring &ring, uint32_t x, uint32_t zero)
{
	const int line = STEP % 100, first = line == 8 ? 0 : (line - 8) * WORDS - 4;

	if (STEP == 100)
		return x ^ blockDim.x;
	if (STEP < 200)
		return x ^ ring.word[first < 0 ? 0 : first];
	return x ^ ring.word[(first < 0 ? 0 : first) + zero];
}

#define STEP_TO(n, S)                                                                          \
	do {                                                                                   \
		if (S) {                                                                       \
			x = step<S>(ring, x, zero);                                            \
			asm volatile("add.u32 %0, %0, 1;" : "+r"(x));                          \
			at[n] = stamp();                                                       \
		}                                                                              \
	} while (0)

template <int A, int B, int C, int D, int E, int F, int G, int H>
static __global__ void walk(const __grid_constant__ Ring ring, long long *out)
{
	uint32_t x = threadIdx.x, warp = threadIdx.x / 32, zero = threadIdx.x >> 10;
	long long at[MOST + 1] = {};

	at[0] = stamp();
	STEP_TO(1, A);
	STEP_TO(2, B);
	STEP_TO(3, C);
	STEP_TO(4, D);
	STEP_TO(5, E);
	STEP_TO(6, F);
	STEP_TO(7, G);
	STEP_TO(8, H);
	if (threadIdx.x % 32 == 0)
		for (int i = 0; i < MOST; i++)
			out[warp * MOST + i] = x == 0x12345678 ? 0
					       : at[i + 1]     ? at[i + 1] - at[i]
							       : 0;
}

template <int A, int B, int C, int D, int E, int F, int G, int H>
static void measure(const char *name, long long *cycles)
{
	static const int warps[] = {1, 4, 8};
	static Ring ring;
	static long long at[8 * MOST];

	for (int w = 0; w < 3; w++)
		for (int launch = 0; launch < LAUNCHES; launch++) {
			walk<A, B, C, D, E, F, G, H><<<1, warps[w] * 32>>>(ring, cycles);
			CHECK_RUN();
			from_gpu(at, cycles, sizeof(at));
			for (int k = 0; k < warps[w]; k++) {
				printf("%s,%d,%d,%d,", name, warps[w], launch, k);
				for (int i = 0; i < MOST; i++)
					printf("%s%lld", i ? " " : "", at[k * MOST + i]);
				printf("\n");
			}
		}
}

int main(void)
{
	long long *cycles = (long long *)gpu_memory(sizeof(long long) * 8 * MOST);

	warm_up();
	printf("steps,warps,launch,warp,cycles\n");
	measure<100, 108, 208, 109, 209, 110, 112, 212>("U0 U8 L8 U9 L9 U10 U12 L12", cycles);
	measure<108, 208, 109, 209, 100, 112, 212, 116>("U8 L8 U9 L9 U0 U12 L12 U16", cycles);
	measure<208, 108, 209, 109, 212, 112, 216, 116>("L8 U8 L9 U9 L12 U12 L16 U16", cycles);
	measure<109, 110, 111, 112, 113, 108, 100, 114>("U9 U10 U11 U12 U13 U8 U0 U14", cycles);
	measure<209, 210, 212, 213, 216, 217, 208, 220>("L9 L10 L12 L13 L16 L17 L8 L20",
							cycles);
	return 0;
}
