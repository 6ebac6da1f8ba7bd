/* SPDX-License-Identifier: MIT */
/* The replies of the memory side, which end waits of warps. */
#include "sim/memory/exec-memory.h"
#include "sim/memory/exec-reply-id.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

/* When the values of a reply can be used. */
static Cycle usable_at(const Sm *sm, const MemoryReply *reply)
{
	return reply->at + use_cycles(sm->machine->network,
				      (Use)(reply->id >> USE_SHIFT & ((1u << USE_BITS) - 1)));
}

/* Fences for which all is there by the reply. */
static bool end_fences(Sm *sm, const MemoryReply *reply)
{
	bool ended = false;

	for (uint64_t left = fences_waiting(&sm->fences); left; left &= left - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(left);
		Warp *warp = &sm->warps[slot];

		fence_look(&sm->fences, &warp->fence, slot_of(reply->id) == slot, reply->at);
		if (global_wait_is_over(sm, warp, WAIT_ALL)) {
			exec_fence_answered(sm, slot);
			ended = true;
		}
	}
	return ended;
}

/* There is room for an access: of the warps that wait for that the one that has waited longest goes on. */
static bool take_room(Sm *sm, Cycle at)
{
	Warp *first = NULL;

	for (uint64_t left = sm->used_slots; left; left &= left - 1) {
		Warp *warp = &sm->warps[__builtin_ctzll(left)];

		if (warp->phase == WARP_PARKED && warp->memory_wait == WAIT_ROOM &&
		    global_wait_is_over(sm, warp, WAIT_ROOM) &&
		    (!first || warp->since < first->since))
			first = warp;
	}
	if (!first)
		return false;
	first->memory_wait = WAIT_NOTHING;
	memory_end_wait_for_room(sm->context->memory, sm->id);
	sm_wake(sm, (uint32_t)(first - sm->warps),
		MAX(MAX(at, first->replied_at), first->since));
	return true;
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
	Cycle answered_at;

	if ((uint32_t)reply->id >> WARP_SHIFT != warp_id(sm, slot) >> WARP_SHIFT ||
	    warp->phase == WARP_ENDED)
		return false;
	warp->n_flying--;
	warp->n_wanted -= wanted;
	fence_answer(&warp->fence, reply->near, reply->far);
	warp->replied_at = MAX(warp->replied_at, reply->at);
	/* A store's answer is nothing that results wait for: it is known some time before it is there, how long before depends on where
	   windows begin (sim/run/windows.c), and a warp that did not find it known would not wait. */
	if (wanted && reply->at >= warp->results_at) {
		warp->results_at = reply->at;
		warp->results_by = answered_by(reply);
	}
	if (sm->scoreboard.dataflow && wanted)
		scoreboard_arrive(&sm->scoreboard, slot, (uint32_t)(reply->id >> SITE_SHIFT),
				  usable_at(sm, reply), answered_by(reply));
	if (warp->phase != WARP_PARKED || warp->memory_wait == WAIT_NOTHING)
		return false;
	if (wanted && state_is_global((WarpState)warp->parked_as))
		warp->parked_as = warp->results_by;
	if (warp->memory_wait == WAIT_LOOP) {
		if (!wanted || reply->id >> SITE_SHIFT != warp->record.site)
			return false;
		exec_wait_loop_answered(sm, slot, reply->at, usable_at(sm, reply));
		return true;
	}
	if (warp->memory_wait == WAIT_VALUES)
		return fetch_value_arrived(sm, slot);
	if (warp->memory_wait == WAIT_ALL || !global_wait_is_over(sm, warp, warp->memory_wait))
		return false;
	answered_at = warp->results_at;
	if (warp->memory_wait == WAIT_ROOM) {
		memory_end_wait_for_room(sm->context->memory, sm->id);
		answered_at = warp->replied_at;
	}
	warp->memory_wait = WAIT_NOTHING;
	sm_wake(sm, slot, MAX(answered_at, warp->since));
	return true;
}

/* The same of all that have waited for what it brings, where it is a miss of the first cache. */
static bool take_miss(Sm *sm, const MemoryReply *reply)
{
	Misses *misses = &sm->misses;
	bool due = false;
	const GArray *answers;
	const uint64_t *lines;

	if (reply->miss == 0)
		return take_own_reply(sm, reply);
	if (!misses_is_joined(misses, reply->miss))
		due = take_own_reply(sm, reply);
	for (uint32_t i = 0; i < misses_lines(misses, reply->miss, &lines); i++)
		l1_arrived(&sm->l1, lines[i], reply->miss, usable_at(sm, reply));
	answers = misses_end(misses, reply->miss, reply->at, reply->dram);
	for (guint i = 0; i < answers->len; i++) {
		const MissAnswer *answer = &g_array_index(answers, MissAnswer, i);
		const MemoryReply all = {
			.at = answer->at, .id = answer->id, .sm = sm->id, .dram = answer->dram};

		due |= take_own_reply(sm, &all);
	}
	return due;
}

bool global_take_reply(Sm *sm, const MemoryReply *reply)
{
	bool due;

	if (reply->room)
		return take_room(sm, reply->at);
	sm->memory_at = MAX(sm->memory_at, reply->at);
	fences_answer(&sm->fences, reply->near, reply->far, reply->at);
	if ((uint32_t)reply->id & COUNTED)
		fences_counted_answer(&sm->fences,
				      (uint32_t)reply->id >> SENT_SHIFT & (N_EPOCHS - 1));
	due = take_miss(sm, reply);
	return fences_waiting(&sm->fences) ? end_fences(sm, reply) || due : due;
}
