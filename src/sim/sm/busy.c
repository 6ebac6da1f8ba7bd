/* SPDX-License-Identifier: MIT */
#include "sim/sm/busy.h"

#include "sim/sm/fast-forward.h"

static void look(Sm *sm, Cycle from, Cycle to)
{
	const Statistics *s = &sm->statistics;
	const uint64_t counted[SM_UTILIZED] = {
		[UTILIZED_ISSUE] = s->warp_instructions * sm->machine->sm.issue_cycles,
		[UTILIZED_PORTS] = sm->shared.port_cycles,
		[UTILIZED_BANKS] = sm->shared.counters.bank_busy_cycles,
		[UTILIZED_ATOMICS] = s->atomic_busy_cycles,
		[UTILIZED_LOCKS] = s->lock_busy_cycles,
	};

	meter_look(sm->meter, counted, from, to);
}

void busy_begin(Sm *sm)
{
	sm->look_at = NEVER;
	if (!sm->context->metered)
		return;
	sm->meter = meter_new(SM_UTILIZED, METER_WIDTH);
	sm->look_at = METER_WIDTH;
	sm->looked_at = 0;
}

void busy_look(Sm *sm, Cycle now)
{
	look(sm, sm->looked_at, sm->look_at);
	sm->looked_at = now - now % sm->meter->width;
	sm->look_at = sm->looked_at + sm->meter->width;
}

Cycle busy_fast_forward(Sm *sm, Cycle now, Cycle limit)
{
	Cycle to;

	if (sm->meter)
		busy_look(sm, now);
	to = fast_forward(sm, now, limit);
	if (sm->meter && to > now) {
		look(sm, now, to);
		busy_look(sm, to);
	}
	return to;
}

Cycle busy_start(Sm *sm, Cycle now, Cycle limit)
{
	/* Never at or behind the limit: what the memory side brings in the next window can come before that. */
	return now < limit && fast_forward_until(sm) > now ? busy_fast_forward(sm, now, limit)
							   : now;
}

void busy_end(Sm *sm)
{
	if (sm->meter)
		busy_look(sm, sm->look_at);
}
