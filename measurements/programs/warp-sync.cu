/* SPDX-License-Identifier: MIT */
/*
 * Synchronisations of a warp whose mask is in a register (WARPSYNC R), by how many groups of lanes hold different masks.
 *
 *   warp-sync > issue-warp-sync.csv
 *   warp-sync reduce > issue-warp-reduce.csv
 *   warp-sync counts > rows
 *
 * A block of `warps` warps, each in rounds of steps: WARPSYNC with the mask of the lane's group, a shuffle, an addition, as nvcc
 * makes them of __shfl_sync in a loop over the lanes of a group. Masks and numbers of steps come from memory: of masks that a loop
 * does not change nvcc makes a search (MATCH.ANY) and a vote, and no WARPSYNC. With `reduce` a step sums a number up in the lane's group, by
 * __reduce_add_sync, in place of the shuffle and the addition; with `counts` each is launched once, for Nsight Compute's counters. layout: lane l is of group l mod groups (turns) or
 * l x groups / 32 (runs), or of one drawn at random, in each round others, none empty (drawn).
 * cycles: of a step: from the first warp's start to the last one's end, of rounds of MORE steps less those of FEW; the median,
 * least and most of RUNS launches. held_back: a third, by a hash of the cell.
 */
#include "probe.h"

#define ROUNDS	  96
#define FEW	  4
#define MORE	  20
#define RUNS	  7
#define MAX_WARPS 32

enum { TURNS, RUNS_OF_LANES, DRAWN, N_LAYOUTS };
static const char *const layouts[] = {"turns", "runs", "drawn"};

/* As many steps as the lane's `lefts` has bits. */
template <bool REDUCES>
__global__ void steps(const unsigned *masks, const unsigned *lefts, float *sink,
		      long long *begins, long long *ends)
{
	__shared__ float sums[32 * MAX_WARPS];
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	long long begin = 0, end = 0;

	/* The first pass fetches code and masks. */
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncthreads();
		begin = stamp();
#pragma unroll 1
		for (int round = 0; round < ROUNDS; round++) {
			const unsigned mask = masks[round * 32 + lane];
			float sum = 0;

			if (REDUCES)
				for (unsigned left = lefts[round * 32 + lane]; left;
				     left &= left - 1)
					sum = __int_as_float(__reduce_add_sync(
						mask, __float_as_int(sum) + left));
			else
				for (unsigned left = lefts[round * 32 + lane]; left;
				     left &= left - 1)
					sum += __shfl_sync(mask, 1.0f, __ffs(left) - 1);
			sums[threadIdx.x] = sum;
		}
		end = stamp();
	}
	__syncthreads();
	if (lane == 0) {
		begins[warp] = begin;
		ends[warp] = end;
	}
	sink[threadIdx.x] = sums[threadIdx.x];
}

template <bool REDUCES>
static double span(const unsigned *masks, const unsigned *lefts, int warps)
{
	static long long *begins = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	static long long *ends = (long long *)gpu_memory(MAX_WARPS * sizeof(long long));
	static float *sink = (float *)gpu_memory(32 * MAX_WARPS * sizeof(float));
	long long begin[MAX_WARPS], end[MAX_WARPS], first = INT64_MAX, last = 0;

	steps<REDUCES><<<1, 32 * warps>>>(masks, lefts, sink, begins, ends);
	CHECK_RUN();
	from_gpu(begin, begins, sizeof(begin));
	from_gpu(end, ends, sizeof(end));
	for (int warp = 0; warp < warps; warp++) {
		first = begin[warp] < first ? begin[warp] : first;
		last = end[warp] > last ? end[warp] : last;
	}
	return (double)(last - first);
}

static int group_of(int layout, int groups, int lane, uint32_t *seed)
{
	if (layout == DRAWN)
		return lane < groups ? lane : (int)(next_random(seed) % groups);
	return layout == TURNS ? lane % groups : lane * groups / 32;
}

/* Masks of all rounds. */
static void draw_masks(int layout, int groups, unsigned *masks)
{
	uint32_t seed = 1 + groups;

	for (int round = 0; round < ROUNDS; round++, masks += 32) {
		const int step = layout == DRAWN ? next_random(&seed) % 32 | 1 : 1;
		int group[32];

		for (int lane = 0; lane < 32; lane++)
			group[lane * step % 32] = group_of(layout, groups, lane, &seed);
		for (int lane = 0; lane < 32; lane++) {
			masks[lane] = 0;
			for (int other = 0; other < 32; other++)
				masks[lane] |= (unsigned)(group[other] == group[lane]) << other;
		}
	}
}

static unsigned *lefts_of(int n)
{
	static unsigned lefts[ROUNDS * 32];

	for (int i = 0; i < ROUNDS * 32; i++)
		lefts[i] = (1u << n) - 1;
	return (unsigned *)to_gpu(lefts, sizeof(lefts));
}

template <bool REDUCES> static void measure(int layout, int groups, int warps)
{
	static unsigned masks[ROUNDS * 32], *few = lefts_of(FEW), *more = lefts_of(MORE);
	double cycles[RUNS];
	unsigned *given;
	char cell[64];

	draw_masks(layout, groups, masks);
	given = (unsigned *)to_gpu(masks, sizeof(masks));
	for (int run = 0; run < RUNS; run++)
		cycles[run] =
			(span<REDUCES>(given, more, warps) - span<REDUCES>(given, few, warps)) /
			((MORE - FEW) * ROUNDS);
	CHECK(cudaFree(given));

	double middle = median(cycles, RUNS);

	snprintf(cell, sizeof(cell), "%s,%d,%d", layouts[layout], groups, warps);
	printf("%s,%.3f,%.3f,%.3f,%d\n", cell, middle, cycles[0], cycles[RUNS - 1],
	       held_back(cell));
}

template <bool REDUCES> static void measure_all(void)
{
	static const int groups[] = {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32};

	warm_up();
	puts("layout,groups,warps,cycles,cycles_min,cycles_max,held_back");
	for (int layout = 0; layout < N_LAYOUTS; layout++)
		for (int group : groups) {
			for (int warps = 1; warps <= MAX_WARPS; warps *= 2)
				measure<REDUCES>(layout, group, warps);
		}
}

template <bool REDUCES> static void count(int groups, int n_steps)
{
	static unsigned masks[ROUNDS * 32];

	draw_masks(TURNS, groups, masks);
	span<REDUCES>((unsigned *)to_gpu(masks, sizeof(masks)), lefts_of(n_steps), 1);
	printf("%s,%d,%d\n", REDUCES ? "reduce" : "shuffle", groups, n_steps * ROUNDS * 2);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "counts") == 0) {
		puts("step,groups,steps");
		for (int groups = 1; groups <= 32; groups *= 2)
			for (int n_steps : {FEW, MORE}) {
				count<false>(groups, n_steps);
				count<true>(groups, n_steps);
			}
	} else if (strcmp(what, "reduce") == 0) {
		measure_all<true>();
	} else {
		measure_all<false>();
	}
	return 0;
}
