/* SPDX-License-Identifier: MIT */
#include "model/issue/scheduler.h"

#include <glib.h>

#define X(name) &scheduler_##name,
const Scheduler *const schedulers[] = {SCHEDULERS(X) NULL};
#undef X

static uint32_t place_of(const Scheduler *scheduler)
{
	for (uint32_t i = 0; i < N_SCHEDULERS; i++)
		if (schedulers[i] == scheduler)
			return i;
	g_assert_not_reached();
}

void scheduler_init(const Scheduler *scheduler, SchedulerState *state, uint32_t index,
		    uint32_t n_schedulers, const void *const parameters[N_SCHEDULERS],
		    const uint64_t *age)
{
	*state = (SchedulerState){.last = MAX_WARP_SLOTS - 1, .age = age};
	for (uint32_t slot = index; slot < MAX_WARP_SLOTS; slot += n_schedulers)
		state->slots |= UINT64_C(1) << slot;
	if (scheduler->new)
		state->own = scheduler->new (parameters[place_of(scheduler)], state->slots);
}

void scheduler_clear(SchedulerState *state)
{
	g_clear_pointer(&state->own, g_free);
}
