/* SPDX-License-Identifier: MIT */
/*
 * Scheduler `two-level`: warps form fetch groups (sm.two_level_warps of them each); round robin
 * within the group being served, and on to the next group only when none of its warps is ready
 * (Narasiman et al., MICRO 2011).
 */
#include "model/scheduler.h"

static uint32_t pick(SchedulerState *state, uint64_t ready)
{
	while (!(ready & state->groups[state->group]))
		state->group = (state->group + 1) % state->n_groups;
	return scheduler_next_slot(ready & state->groups[state->group], state->last);
}

const Scheduler scheduler_two_level = {
	.name = "two-level",
	.summary = "round robin within a fetch group, the next group when it stalls",
	.pick = pick,
};
