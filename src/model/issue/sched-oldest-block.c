/* SPDX-License-Identifier: MIT */
/*
 * Scheduler `oldest-block`: the warp that issued last while it is ready, else the warps of the block that came to the SM first, in turn,
 * from high slots to low ones. Of an H200: blocks of one SM end in the order in which they came, the warps of a block nearly together
 * (measurements/h200/issue/issue-ages.csv); of one block's warps that leave the scheduler the next one goes on, not the first
 * (issue-scheduler.csv, chain-ffma behind 64 other FFMA: each warp has its 64 before the first goes on).
 */
#include "model/issue/scheduler.h"

static uint32_t pick(SchedulerState *state, uint64_t ready)
{
	uint64_t oldest = 0, lower, first = UINT64_MAX;

	if (ready >> state->last & 1)
		return state->last;
	for (uint64_t left = ready; left; left &= left - 1) {
		const uint64_t block = scheduler_block_age(state->age[__builtin_ctzll(left)]);

		if (block > first)
			continue;
		if (block < first)
			oldest = 0;
		first = block;
		oldest |= left & -left;
	}
	lower = oldest & ((UINT64_C(1) << state->last) - 1);
	return 63 - (uint32_t)__builtin_clzll(lower ? lower : oldest);
}

const Scheduler scheduler_oldest_block = {
	.name = "oldest-block",
	.summary = "greedy, then round robin within the oldest block",
	.pick = pick,
};
