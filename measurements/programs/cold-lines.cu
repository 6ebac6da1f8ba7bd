/* SPDX-License-Identifier: MIT */
/*
 * What the first use of several lines of constants costs that do not hang on each other: whether a warp goes on
 * behind a line that is not there, and whether its SM's other warps share what has come.
 *
 *   cold-lines > issue-cold-lines.csv; cold-lines all > issue-cold-lines-sms.csv
 *
 * Each warp uses a word of each of `lines` lines of 64 bytes, none of which hangs on another. Variants: `uniform`, parameters
 * of the kernel loaded into uniform registers (ULDC); `load`, parameters at addresses in registers (LDC); `table`, the same of
 * `__constant__` data that has just been written.
 * A row of one block: cycles of a warp from before the first to behind the last; of warps from `first_warps` on, 4,000
 * cycles after the others. A row of many: the median of all warps of the launch, the least and the most.
 * The first line holds other parameters, too, which ULDC has read before.
 */
#include "probe.h"

#define WORDS	  16 /* of a line */
#define MOST	  12
#define LAUNCHES  5
#define MAX_WARPS 16

typedef struct {
	uint32_t word[MOST * WORDS];
} Ring;

enum { UNIFORM, LOAD, TABLE };

__constant__ Ring table;

/* zero: in a register of each lane, so that the compiler does not know it. */
template <int FORM, int LINES>
static __device__ __forceinline__ uint32_t use(const Ring &ring, uint32_t x, uint32_t zero)
{
	uint32_t sum = 0;

#pragma unroll
	for (int i = 0; i < LINES; i++)
		sum ^= FORM == UNIFORM ? ring.word[i * WORDS] : /* in uniform registers */
			       FORM == LOAD ? ring.word[i * WORDS + zero]
					    : table.word[i * WORDS + zero];
	return x + sum;
}

/* Warps before `late` go first, the others `wait` cycles later. */
template <int FORM, int LINES>
static __global__ void walk(long long *out, int late, int wait,
			    const __grid_constant__ Ring ring)
{
	uint32_t x = threadIdx.x, warp = threadIdx.x / 32, zero = threadIdx.x >> 10;
	long long begin, end;

	if (warp >= (uint32_t)late) {
		begin = stamp();
		while (stamp() - begin < wait)
			;
	}
	begin = stamp();
	x = use<FORM, LINES>(ring, x, zero);
	asm volatile("" : "+r"(x));
	if (x == 0x12345678)
		begin = 0;
	asm volatile("" : "+l"(begin));
	end = stamp();
	if (threadIdx.x % 32 == 0) {
		out[blockIdx.x * (blockDim.x / 32) + warp] = end - begin;
	}
}

template <int FORM, int LINES> static void measure(const char *form, long long *cycles)
{
	static const int shapes[][2] = {{1, 1},	  {2, 2}, {4, 4}, {8, 8},
					{16, 16}, {8, 1}, {8, 4}};
	static Ring ring;
	static long long at[MAX_WARPS];

	for (int i = 0; i < (int)(sizeof(ring.word) / 4); i++)
		ring.word[i] = i;
	CHECK(cudaMemcpyToSymbol(table, &ring, sizeof(ring)));
	for (int s = 0; s < 7; s++)
		for (int launch = 0; launch < LAUNCHES; launch++) {
			walk<FORM, LINES>
				<<<1, shapes[s][0] * 32>>>(cycles, shapes[s][1], 4000, ring);
			CHECK_RUN();
			from_gpu(at, cycles, sizeof(at));
			for (int k = 0; k < shapes[s][0]; k++) {
				printf("%s,%d,%d,%d,%d,%d,%lld\n", form, LINES, shapes[s][0],
				       shapes[s][1], launch, k, at[k]);
			}
		}
}

/* The same on many SMs: of each launch the median and the largest of all warps. */
template <int FORM, int LINES> static void measure_many(const char *form, long long *cycles)
{
	static const int shapes[][2] = {{8, 1},	   {16, 4},  {66, 4},  {132, 1}, {132, 4},
					{132, 16}, {264, 4}, {528, 1}, {1024, 1}};
	static Ring ring;
	static long long at[1 << 14];

	for (int i = 0; i < (int)(sizeof(ring.word) / 4); i++)
		ring.word[i] = i;
	CHECK(cudaMemcpyToSymbol(table, &ring, sizeof(ring)));
	for (int s = 0; s < 9; s++)
		for (int launch = 0; launch < LAUNCHES; launch++) {
			const int blocks = blocks_for(shapes[s][0]);
			int n = blocks * shapes[s][1];
			static double sorted[1 << 14];

			walk<FORM, LINES><<<blocks, shapes[s][1] * 32>>>(cycles, 64, 0, ring);
			CHECK_RUN();
			from_gpu(at, cycles, sizeof(at));
			for (int k = 0; k < n; k++)
				sorted[k] = at[k];
			double middle = median(sorted, n);
			printf("%s,%d,%d,%d,%d,%.0f,%.0f,%.0f\n", form, LINES, blocks,
			       shapes[s][1], launch, middle, sorted[0], sorted[n - 1]);
		}
}

template <int FORM> static void all_many(const char *form, long long *cycles)
{
	measure_many<FORM, 1>(form, cycles);
	measure_many<FORM, 2>(form, cycles);
	measure_many<FORM, 4>(form, cycles);
	measure_many<FORM, 8>(form, cycles);
	measure_many<FORM, 12>(form, cycles);
}

template <int FORM> static void all(const char *form, long long *cycles)
{
	measure<FORM, 1>(form, cycles);
	measure<FORM, 2>(form, cycles);
	measure<FORM, 3>(form, cycles);
	measure<FORM, 4>(form, cycles);
	measure<FORM, 6>(form, cycles);
	measure<FORM, 8>(form, cycles);
	measure<FORM, 12>(form, cycles);
}

int main(int argc, char **argv)
{
	long long *cycles = (long long *)gpu_memory(sizeof(long long) << 14);

	(void)argv;
	warm_up();
	if (argc > 1) {
		printf("variant,lines,blocks,warps,launch,cycles,min,max\n");
		all_many<UNIFORM>("uniform", cycles);
		all_many<LOAD>("load", cycles);
		all_many<TABLE>("table", cycles);
		return 0;
	}
	printf("variant,lines,warps,first_warps,launch,warp,cycles\n");
	all<UNIFORM>("uniform", cycles);
	all<LOAD>("load", cycles);
	all<TABLE>("table", cycles);
	return 0;
}
