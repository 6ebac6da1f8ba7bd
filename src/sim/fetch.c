/* SPDX-License-Identifier: MIT */
#include "sim/fetch.h"

#include <glib.h>

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
}

/*
 * A warp that may run ahead of its results waits for those that its next record may need. A trace
 * does not say which, so: a load needs none, an atomic those of loads, anything else all. The wait
 * counts as latency.
 */
static Cycle wait_for_results(Sm *sm, Warp *warp, Cycle ready)
{
	Cycle needed_at = warp->record.kind == RECORD_LDS || warp->record.kind == RECORD_LDG ? 0
			  : warp->record.kind == RECORD_ATOM ? warp->loads_at
							     : warp->results_at;
	WarpState state = warp->global_at >= needed_at ? STATE_GLOBAL : STATE_SHARED;

	if (needed_at <= ready)
		return ready;
	sm->statistics.warp_cycles[state] += needed_at - ready;
	return needed_at;
}

void fetch_next(Sm *sm, uint32_t slot, Cycle ready)
{
	Warp *warp = &sm->warps[slot];

	sm->sites[warp->record.site].cycles += ready - warp->record_since;
	warp->record_since = ready;
	if (G_UNLIKELY(warp->stream->next(warp->stream, &warp->record) != STREAM_RECORD)) {
		/* A stream that ends without an exit is a broken source: readers check for it. */
		sm_fail(sm, SIM_SOURCE_FAILED, warp, NULL, ready);
		return;
	}
	warp->in_record = false;
	if (G_UNLIKELY(warp->results_at > ready))
		ready = wait_for_results(sm, warp, ready);
	warp->since = ready;
	wheel_add(&sm->wheel, slot, ready);
}
