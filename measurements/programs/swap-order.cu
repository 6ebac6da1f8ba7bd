/* SPDX-License-Identifier: MIT */
/*
 * Float adds of several warps to very few words of shared memory, of 1 or of 0: how long they take and, by Nsight
 * Compute's counters (active.sh), how many rounds their loops make.
 *
 *   swap-order > rows
 *
 * A row is a launch: warps of one block; words (lane i adds to word i mod words); sub-cores over which the
 * warps are spread; cycles within which they start (0: behind a barrier); `zeros` of 8 warps (with one warp: of 8 lanes) add
 * 0, the others 1; trials, and one more in front of them; adds of a lane; cycles from the first warp's start to the last one's
 * end, least, median and most of the trials.
 */
#include "probe.h"

#define N_ADDS	   4
#define MAX_TRIALS 8
#define SUB_CORES  4

typedef struct {
	int warps, words, sub_cores, spread, trials, zeros;
} Setting;

static __global__ void __launch_bounds__(1024, 1)
	add(Setting setting, uint32_t *begins, uint32_t *ends, float *sink)
{
	__shared__ float words[32];
	__shared__ long long start;
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int rank = warp / SUB_CORES * setting.sub_cores + warp % SUB_CORES;
	bool works = warp % SUB_CORES < setting.sub_cores && rank < setting.warps;
	float *word = words + lane % setting.words, old[N_ADDS];
	float value = (setting.warps > 1 ? rank : lane) % 8 < setting.zeros ? 0 : 1;
	uint32_t begin = 0, end = 0;

#pragma unroll 1
	for (int trial = -1; trial < setting.trials; trial++) {
		uint32_t random = (uint32_t)(trial + 2) * 2654435761u + (uint32_t)rank * 40503u;

		for (int i = 0; i < 4; i++)
			next_random(&random);
		if (threadIdx.x < 32)
			words[threadIdx.x] = 0;
		if (threadIdx.x == 0)
			start = stamp() + 300;
		__syncthreads();
		if (works && setting.spread > 0)
			for (long long at = start + random % (uint32_t)setting.spread;
			     stamp() < at;)
				;
		if (works) {
			begin = (uint32_t)stamp();
#pragma unroll
			for (int i = 0; i < N_ADDS; i++)
				old[i] = atomicAdd(word, value);
			end = (uint32_t)stamp();
		}
		__syncthreads();
		if (works && trial >= 0) {
			int at = trial * setting.warps + rank;

			for (int i = 0; i < N_ADDS; i++)
				sink[(at * 32 + lane) * N_ADDS + i] = old[i];
			begins[at] = begin;
			ends[at] = end;
		}
	}
}

static void measure(Setting setting)
{
	static float *sink = (float *)gpu_memory(MAX_TRIALS * 1024 * N_ADDS * sizeof(float));
	static uint32_t *gpu_begins = (uint32_t *)gpu_memory(MAX_TRIALS * 32 * 4);
	static uint32_t *gpu_ends = (uint32_t *)gpu_memory(MAX_TRIALS * 32 * 4);
	uint32_t begins[MAX_TRIALS * 32], ends[MAX_TRIALS * 32];
	double cycles[MAX_TRIALS];

	add<<<1, 1024>>>(setting, gpu_begins, gpu_ends, sink);
	CHECK_RUN();
	from_gpu(begins, gpu_begins, sizeof(begins));
	from_gpu(ends, gpu_ends, sizeof(ends));
	for (int trial = 0; trial < setting.trials; trial++) {
		const uint32_t *begin = begins + trial * setting.warps;
		const uint32_t *end = ends + trial * setting.warps;
		uint32_t first = begin[0], last = end[0];

		for (int warp = 0; warp < setting.warps; warp++) {
			first = (int32_t)(begin[warp] - first) < 0 ? begin[warp] : first;
			last = (int32_t)(end[warp] - last) > 0 ? end[warp] : last;
		}
		cycles[trial] = last - first;
	}

	double middle = median(cycles, setting.trials);

	printf("f32,%d,%d,%d,%d,%d,%d,%d,%.0f,%.0f,%.0f\n", setting.warps, setting.words,
	       setting.sub_cores, setting.spread, setting.zeros, setting.trials, N_ADDS,
	       cycles[0], middle, cycles[setting.trials - 1]);
}

int main(void)
{
	static const int warps[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 32};
	static const int spreads[] = {0, 400, 2000}, zeros[] = {2, 4, 8};

	printf("type,warps,words,sub_cores,spread,zeros,trials,adds,least,median,most\n");
	for (int i = 0; i < 14; i++)
		for (int words = 1; words <= 32; words *= 2)
			for (int k = 0; k < 3; k++)
				measure({warps[i], words, SUB_CORES, spreads[k], MAX_TRIALS,
					 0});
	for (int n = 2; n <= 8; n++)
		for (int sub_cores = (n + 7) / 8; sub_cores <= 2; sub_cores++)
			for (int k = 0; k < 2; k++)
				measure({n, 1, sub_cores, spreads[k], MAX_TRIALS, 0});
	for (int n = 1; n <= 32; n *= 2)
		for (int words = 1; words <= 32; words *= n == 1 ? 2 : 32)
			for (int k = 0; k < 6; k++)
				measure({n, words, SUB_CORES, spreads[k / 3], MAX_TRIALS,
					 zeros[k % 3]});
	return 0;
}
