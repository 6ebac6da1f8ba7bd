/* SPDX-License-Identifier: MIT */
/*
 * Scheduler `gty`, greedy then youngest: the warp that issued last while it is ready, else the warp
 * that came to the SM last. Huerta et al., MICRO 2025, found it on NVIDIA's GPUs from Turing on;
 * measurements/h200/issue/issue-scheduler.csv shows it on an H200.
 */
#include "model/issue/scheduler.h"

static uint32_t pick(SchedulerState *state, uint64_t ready)
{
	uint32_t youngest = (uint32_t)__builtin_ctzll(ready);

	if (ready >> state->last & 1)
		return state->last;
	for (uint64_t left = ready & (ready - 1); left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);

		if (state->age[slot] > state->age[youngest])
			youngest = slot;
	}
	return youngest;
}

const Scheduler scheduler_gty = {
	.name = "gty",
	.summary = "greedy then youngest: stay with a warp, else take the youngest",
	.pick = pick,
};
