/* SPDX-License-Identifier: MIT */
/*
 * Float adds of several warps to shared memory, each add's end by the clock: how loops of
 * compare-and-swaps meet.
 *
 *   swap-steps > swap-steps.csv
 *   swap-steps wide > swap-wide.csv: beside it adds of 64 bits, with a column for the type
 *
 * A row: so many warps of one block, whose lanes have a word each, `common` of them the same in all
 * warps and the others their own, all in banks of their own; `sub_cores` over which the warps are
 * spread; they start within `spread` cycles of each other (0: behind a barrier); trial, warp; clocks
 * before the first add and after each of N_ADDS, from the first warp's start.
 */
#include "probe.h"

#define N_ADDS	  12
#define MAX_WARPS 32
#define SUB_CORES 4

typedef struct {
	int warps, common, sub_cores, spread, trials;
} Setting;

template <typename T>
static __global__ void __launch_bounds__(1024, 1) add(Setting setting, uint32_t *stamps)
{
	extern __shared__ double memory[];
	T *words = (T *)memory;
	__shared__ long long start;
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	/* Warp numbers of the sub-cores in use, in turn. */
	int rank = warp / SUB_CORES * setting.sub_cores + warp % SUB_CORES;
	bool works = warp % SUB_CORES < setting.sub_cores && rank < setting.warps;
	int index = lane + (lane < setting.common ? 0 : 32 * (rank + 1));
	uint32_t at[N_ADDS + 1];

	for (int i = threadIdx.x; i < 33 * 32; i += blockDim.x)
		words[i] = 0;
#pragma unroll 1
	for (int trial = -1; trial < setting.trials; trial++) {
		uint32_t random = (uint32_t)(trial + 2) * 2654435761u + (uint32_t)rank * 40503u;

		for (int i = 0; i < 4; i++)
			next_random(&random);
		if (threadIdx.x == 0)
			start = stamp() + 300;
		__syncthreads();
		if (works && setting.spread > 0)
			for (long long begin = start + random % (uint32_t)setting.spread;
			     stamp() < begin;)
				;
		if (works) {
			at[0] = (uint32_t)stamp();
#pragma unroll
			for (int i = 0; i < N_ADDS; i++) {
				atomicAdd(words + index, (T)1);
				at[i + 1] = (uint32_t)stamp();
			}
		}
		__syncthreads();
		if (works && trial >= 0 && lane == 0)
			for (int i = 0; i <= N_ADDS; i++)
				stamps[(trial * setting.warps + rank) * (N_ADDS + 1) + i] =
					at[i];
	}
}

template <typename T> static void measure(Setting setting, const char *type)
{
	size_t n = (size_t)setting.trials * setting.warps * (N_ADDS + 1);
	uint32_t *stamps = (uint32_t *)gpu_memory(n * sizeof(uint32_t));
	uint32_t *at = (uint32_t *)malloc(n * sizeof(uint32_t));

	add<T><<<1, 1024, 33 * 32 * sizeof(T)>>>(setting, stamps);
	CHECK_RUN();
	from_gpu(at, stamps, n * sizeof(uint32_t));
	for (int trial = 0; trial < setting.trials; trial++) {
		const uint32_t *first = at + (size_t)trial * setting.warps * (N_ADDS + 1);
		uint32_t begin = first[0];

		for (int warp = 0; warp < setting.warps; warp++)
			if ((int32_t)(first[warp * (N_ADDS + 1)] - begin) < 0)
				begin = first[warp * (N_ADDS + 1)];
		for (int warp = 0; warp < setting.warps; warp++) {
			printf("%s%d,%d,%d,%d,%d,%d", type, setting.warps, setting.common,
			       setting.sub_cores, setting.spread, trial, warp);
			for (int i = 0; i <= N_ADDS; i++)
				printf(",%u", first[warp * (N_ADDS + 1) + i] - begin);
			putchar('\n');
		}
	}
	free(at);
	CHECK(cudaFree(stamps));
}

template <typename T> static void measure_wide(const char *type)
{
	static const int warps[] = {1, 2, 4, 8, 16, 32};

	for (int i = 0; i < 6; i++) {
		measure<T>({warps[i], 32, SUB_CORES, 0, 4}, type);
		measure<T>({warps[i], 0, SUB_CORES, 0, 1}, type);
		measure<T>({warps[i], 32, SUB_CORES, 400, 6}, type);
	}
	measure<T>({2, 32, 2, 120, 60}, type);
	measure<T>({2, 16, 2, 120, 60}, type);
	measure<T>({2, 32, 1, 120, 30}, type);
}

int main(int argc, char **argv)
{
	static const int warps[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32};

	bool wide = argc > 1 && strcmp(argv[1], "wide") == 0;

	warm_up();
	printf("%swarps,common,sub_cores,spread,trial,warp,start", wide ? "type," : "");
	for (int i = 1; i <= N_ADDS; i++)
		printf(",end%d", i);
	putchar('\n');
	if (wide) {
		measure_wide<unsigned long long>("u64,");
		measure_wide<double>("f64,");
		measure_wide<float>("f32,");
		return 0;
	}
	for (int i = 0; i < 11; i++) {
		measure<float>({warps[i], 32, SUB_CORES, 0, 4}, "");
		measure<float>({warps[i], 0, SUB_CORES, 0, 1}, "");
		if (warps[i] > 1)
			measure<float>({warps[i], 32, SUB_CORES, 400, 6}, "");
	}
	for (int common = 1; common <= 32; common = common == 1	  ? 8
						    : common == 8 ? 16
								  : common + 8) {
		measure<float>({2, common, 2, 120, 60}, "");
		measure<float>({2, common, 1, 120, 30}, "");
		measure<float>({8, common, SUB_CORES, 0, 3}, "");
		measure<float>({8, common, SUB_CORES, 400, 3}, "");
	}
	return 0;
}
