/* SPDX-License-Identifier: MIT */
/* What a warp waits for before a record may begin, and the replies of the memory side that end its waits. */
#include "sim/memory/exec-memory.h"
#include "sim/memory/exec-reply-id.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

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

static bool is_over(const Sm *sm, const Warp *warp, MemoryWait wait)
{
	switch (wait) {
	case WAIT_RESULTS:
	case WAIT_STEP:
		return warp->n_wanted == 0;
	case WAIT_ALL:
		return warp->n_flying == 0 && !fence_is_open(&warp->fence);
	case WAIT_ROOM:
		return warp->n_flying < sm->machine->network->in_flight;
	case WAIT_END:
		return (sm->scoreboard.dataflow || warp->n_wanted == 0) &&
		       (warp->n_flying == 0 || sm->n_left < sm->machine->network->in_flight);
	default:
		return true;
	}
}

bool global_may_begin(Sm *sm, uint32_t slot, Cycle *ready)
{
	Warp *warp = &sm->warps[slot];
	MemoryWait wait = needs(sm, warp);
	bool used = wait == WAIT_RESULTS || (wait == WAIT_END && !sm->scoreboard.dataflow);
	Cycle at = used ? warp->replied_at : 0;

	if (!is_over(sm, warp, wait)) {
		warp->memory_wait = wait;
		sm_park(sm, slot, *ready, wait == WAIT_ROOM ? STATE_GLOBAL_QUEUE : STATE_L2);
		return false;
	}
	if (at > *ready) {
		sm->statistics.warp_cycles[warp->replied_by] += at - *ready;
		*ready = at;
	}
	return true;
}

/* When the values of a reply can be used. */
static Cycle usable_at(const Sm *sm, const MemoryReply *reply)
{
	const NetworkParameters *network = sm->machine->network;

	switch ((Use)(reply->id >> USE_SHIFT & ((1u << USE_BITS) - 1))) {
	case USE_WORD:
		return reply->at + network->writeback_cycles;
	case USE_WARP:
		return reply->at + network->writeback_cycles +
		       network->writeback_nonuniform_cycles;
	default:
		return reply->at;
	}
}

/* Fences for which all is there by the reply. */
static bool end_fences(Sm *sm, const MemoryReply *reply)
{
	bool ended = false;

	for (uint64_t left = fences_waiting(&sm->fences); left; left &= left - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(left);
		Warp *warp = &sm->warps[slot];

		fence_look(&sm->fences, &warp->fence, slot_of(reply->id) == slot, reply->at);
		if (is_over(sm, warp, WAIT_ALL)) {
			exec_fence_answered(sm, slot);
			ended = true;
		}
	}
	return ended;
}

/* One less of warps that have ended is under way: others that waited for that can end. */
static bool end_warps(Sm *sm, Cycle at)
{
	bool due = false;

	if (sm->n_left-- != sm->machine->network->in_flight)
		return false;
	for (uint64_t left = sm->used_slots; left; left &= left - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(left);
		Warp *warp = &sm->warps[slot];

		if (warp->phase != WARP_PARKED || warp->memory_wait != WAIT_END ||
		    !is_over(sm, warp, WAIT_END))
			continue;
		warp->memory_wait = WAIT_NOTHING;
		sm_wake(sm, slot, MAX(MAX(at, warp->replied_at), warp->since));
		due = true;
	}
	return due;
}

static WarpState answered_by(const MemoryReply *reply)
{
	return reply->dram ? STATE_DRAM : STATE_L2;
}

/* Of the warp that asked. */
static bool take_own_reply(Sm *sm, const MemoryReply *reply)
{
	const uint32_t slot = slot_of(reply->id);
	const bool wanted = reply->id & WANTED;
	Warp *warp = &sm->warps[slot];

	if ((uint32_t)reply->id >> WARP_SHIFT != warp_id(sm, slot) >> WARP_SHIFT ||
	    warp->phase == WARP_ENDED)
		return end_warps(sm, reply->at);
	warp->n_flying--;
	warp->n_wanted -= wanted;
	fence_answer(&warp->fence, reply->near, reply->far);
	if (reply->at >= warp->replied_at) {
		warp->replied_at = reply->at;
		warp->replied_by = answered_by(reply);
	}
	if (sm->scoreboard.dataflow && wanted)
		scoreboard_arrive(&sm->scoreboard, slot, (uint32_t)(reply->id >> SITE_SHIFT),
				  usable_at(sm, reply), answered_by(reply));
	if (warp->phase != WARP_PARKED || warp->memory_wait == WAIT_NOTHING)
		return false;
	if (state_is_global((WarpState)warp->parked_as))
		warp->parked_as = warp->replied_by;
	if (warp->memory_wait == WAIT_LOOP) {
		if (!wanted || reply->id >> SITE_SHIFT != warp->record.site)
			return false;
		exec_wait_loop_answered(sm, slot, reply->at, usable_at(sm, reply));
		return true;
	}
	if (warp->memory_wait == WAIT_VALUES)
		return fetch_value_arrived(sm, slot);
	if (warp->memory_wait == WAIT_ALL || !is_over(sm, warp, warp->memory_wait))
		return false;
	warp->memory_wait = WAIT_NOTHING;
	sm_wake(sm, slot, MAX(warp->replied_at, warp->since));
	return true;
}

bool global_take_reply(Sm *sm, const MemoryReply *reply)
{
	bool due;

	sm->memory_at = MAX(sm->memory_at, reply->at);
	/* But what fences have asked. */
	if ((uint32_t)reply->id & (WANTED | COUNTED))
		fences_answer(&sm->fences, reply->near, reply->far, reply->at);
	if ((uint32_t)reply->id & COUNTED)
		fences_counted_answer(&sm->fences,
				      (uint32_t)reply->id >> SENT_SHIFT & (N_EPOCHS - 1));
	due = take_own_reply(sm, reply);
	return fences_waiting(&sm->fences) ? end_fences(sm, reply) || due : due;
}
