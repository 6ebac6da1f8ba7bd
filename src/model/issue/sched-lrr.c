/* SPDX-License-Identifier: MIT */
/*
 * Scheduler `lrr`, loose round robin: the next ready warp after the one that issued last.
 */
#include "model/issue/scheduler.h"

static uint32_t pick(SchedulerState *state, uint64_t ready)
{
	return scheduler_next_slot(ready, state->last);
}

const Scheduler scheduler_lrr = {
	.name = "lrr",
	.summary = "loose round robin: the next ready warp after the last",
	.pick = pick,
};
