/* SPDX-License-Identifier: MIT */
/* What an SM notes of a warp: that it waits or goes on, what it reads, what its time goes to, how it fails. */
#include "sim/sm/sm.h"

#include <glib.h>

#include "sim/sm/fast-forward.h"

void sm_park(Sm *sm, uint32_t slot, Cycle since, WarpState state)
{
	Warp *warp = &sm->warps[slot];

	warp->phase = WARP_PARKED;
	warp->since = since;
	warp->parked_as = state;
}

void sm_wake(Sm *sm, uint32_t slot, Cycle at)
{
	Warp *warp = &sm->warps[slot];

	g_assert(warp->phase == WARP_PARKED && at > sm->wheel.now && at >= warp->since);
	warp->phase = WARP_RUNNING;
	sm->statistics.warp_cycles[warp->parked_as] += at - warp->since;
	warp->since = at;
	wheel_add(&sm->wheel, slot, at);
	fast_forward_woken(sm, at);
}

void sm_count_record(Sm *sm, const Record *record)
{
	sm->statistics.trace_records++;
	sm->statistics.records[record->kind]++;
	sm->statistics.trace_warp_instructions +=
		record_instructions(record, sm->context->source->kernel.dataflow);
}

void sm_book_queue(Sm *sm, Cycle from, Cycle until, WarpState state)
{
	const Cycle further = shared_further_cycles(&sm->shared, from, until);

	sm->statistics.warp_cycles[STATE_BANK] += further;
	sm->statistics.warp_cycles[state] += until - from - further;
}

void sm_fail(Sm *sm, SimStatus status, const Warp *warp, const char *problem, Cycle cycle)
{
	if (sm->status != SIM_OK)
		return;
	sm->status = status;
	sm->pause = true;
	sm->failed_block = warp->block->index;
	sm->failed_warp = warp->index;
	sm->problem = problem;
	sm->failed_cycle = cycle;
}
