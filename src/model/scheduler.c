/* SPDX-License-Identifier: MIT */
#include "model/scheduler.h"

#include <glib.h>
#include <string.h>

#define X(name) &scheduler_##name,
const Scheduler *const schedulers[] = {SCHEDULERS(X) NULL};
#undef X

const Scheduler *scheduler_find(const char *name)
{
	for (const Scheduler *const *s = schedulers; *s; s++)
		if (g_str_equal((*s)->name, name))
			return *s;
	return NULL;
}

void scheduler_init(SchedulerState *state, uint32_t index, uint32_t n_schedulers,
		    uint32_t group_warps, const uint64_t *age)
{
	uint32_t n = 0;

	memset(state, 0, sizeof *state);
	state->last = MAX_WARP_SLOTS - 1;
	state->age = age;
	for (uint32_t slot = index; slot < MAX_WARP_SLOTS; slot += n_schedulers, n++)
		state->groups[n / group_warps] |= UINT64_C(1) << slot;
	state->n_groups = (n + group_warps - 1) / group_warps;
}

uint32_t scheduler_next_slot(uint64_t ready, uint32_t last)
{
	uint64_t after = last + 1 < MAX_WARP_SLOTS ? ready & (UINT64_MAX << (last + 1)) : 0;

	return (uint32_t)__builtin_ctzll(after ? after : ready);
}
