/* SPDX-License-Identifier: MIT */
/* What a warp waits for before a record may begin. */
#include "sim/memory/exec-memory.h"

/* Of a record that is no access to global memory. Where the trace says what waits for what, values do. */
static MemoryWait needs_results(const Sm *sm, const Record *record)
{
	/* Nothing but the use of a result waits for it. */
	if (!sm->scoreboard.dataflow)
		return (record->kind == RECORD_LDS || record->kind == RECORD_BAR) &&
				       sm->machine->sm.scoreboard
			       ? WAIT_NOTHING
			       : WAIT_RESULTS;
	return record->kind == RECORD_CODE || record->kind == RECORD_BAR ||
			       scoreboard_site(&sm->scoreboard, record->site)
		       ? WAIT_NOTHING
		       : WAIT_RESULTS;
}

static MemoryWait needs(const Sm *sm, const Warp *warp)
{
	const Record *record = &warp->record;

	switch (record->kind) {
	case RECORD_EXIT:
		return WAIT_END;
	case RECORD_FENCE:
		return record->scope == SCOPE_BLOCK ? WAIT_RESULTS : WAIT_NOTHING;
	case RECORD_LDG:
	case RECORD_STG:
	case RECORD_ATOMG:
		return sm->machine->sm.scoreboard || sm->scoreboard.dataflow ? WAIT_ROOM
									     : WAIT_RESULTS;
	default:
		return needs_results(sm, record);
	}
}

bool global_wait_is_over(const Sm *sm, const Warp *warp, MemoryWait wait)
{
	switch (wait) {
	case WAIT_RESULTS:
	case WAIT_STEP:
	case WAIT_END:
		return warp->n_wanted == 0;
	case WAIT_ALL:
		return warp->n_flying == 0 && !fence_is_open(&warp->fence);
	case WAIT_ROOM:
		return warp->n_flying < sm->machine->network->in_flight &&
		       !memory_is_full(sm->context->memory, sm->id);
	default:
		return true;
	}
}

bool global_may_begin(Sm *sm, uint32_t slot, Cycle *ready)
{
	Warp *warp = &sm->warps[slot];
	MemoryWait wait = needs(sm, warp);
	bool used = wait == WAIT_RESULTS || (wait == WAIT_END && !sm->scoreboard.dataflow);
	Cycle at = used ? warp->results_at : 0;

	if (!global_wait_is_over(sm, warp, wait)) {
		warp->memory_wait = wait;
		if (wait == WAIT_ROOM)
			memory_wait_for_room(sm->context->memory, sm->id);
		sm_park(sm, slot, *ready, wait == WAIT_ROOM ? STATE_GLOBAL_QUEUE : STATE_L2);
		return false;
	}
	if (at > *ready) {
		sm->statistics.warp_cycles[warp->results_by] += at - *ready;
		*ready = at;
	}
	return true;
}
