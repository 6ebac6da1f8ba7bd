/* SPDX-License-Identifier: MIT */
/*
 * Scheduler `two-level`: warps form fetch groups (sm.two_level.warps of them each); round robin
 * within the group being served, and on to the next group only when none of its warps is ready
 * (Narasiman et al., MICRO 2011).
 */
#include "model/issue/scheduler.h"

#include <glib.h>

typedef struct {
	uint32_t warps; /* of a fetch group */
} Parameters;

typedef struct {
	uint64_t groups[MAX_WARP_SLOTS]; /* their slots */
	uint32_t n_groups;
	uint32_t group; /* being served */
} Groups;

static const Key keys[] = {
	{.path = "sm.two_level.warps",
	 KEY_NUMBER(Parameters, warps, 1, 64),
	 .unit = "warps",
	 .default_value = "8",
	 .assumption = true,
	 .formerly = "sm.two_level_warps",
	 .doc = "Warps of a fetch group of the two-level scheduler.",
	 .source = "a design parameter: no GPU documents one"},
};

static void *new (const void *parameters, uint64_t slots)
{
	const Parameters *p = parameters;
	Groups *groups = g_new0(Groups, 1);
	uint32_t n = 0;

	for (uint64_t left = slots; left; left &= left - 1, n++)
		groups->groups[n / p->warps] |= left & -left;
	groups->n_groups = (n + p->warps - 1) / p->warps;
	return groups;
}

static uint32_t pick(SchedulerState *state, uint64_t ready)
{
	Groups *groups = state->own;

	while (!(ready & groups->groups[groups->group]))
		groups->group = (groups->group + 1) % groups->n_groups;
	return scheduler_next_slot(ready & groups->groups[groups->group], state->last);
}

const Scheduler scheduler_two_level = {
	.name = "two-level",
	.summary = "round robin within a fetch group, the next group when it stalls",
	.keys = {"sm.two_level", "Scheduler two-level", keys, G_N_ELEMENTS(keys),
		 sizeof(Parameters), NULL},
	.new = new,
	.own_bytes = sizeof(Groups),
	.pick = pick,
};
