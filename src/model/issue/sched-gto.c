/* SPDX-License-Identifier: MIT */
/*
 * Scheduler `gto`, greedy then oldest: the warp that issued last while it is ready, else the warp
 * that came to the SM first (Rogers, O'Connor, Aamodt, MICRO 2012).
 */
#include "model/issue/scheduler.h"

static uint32_t pick(SchedulerState *state, uint64_t ready)
{
	uint32_t oldest = (uint32_t)__builtin_ctzll(ready);

	if (ready >> state->last & 1)
		return state->last;
	for (uint64_t left = ready & (ready - 1); left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);

		if (state->age[slot] < state->age[oldest])
			oldest = slot;
	}
	return oldest;
}

const Scheduler scheduler_gto = {
	.name = "gto",
	.summary = "greedy then oldest: stay with a warp, else take the oldest",
	.pick = pick,
};
