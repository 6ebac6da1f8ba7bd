/* SPDX-License-Identifier: MIT */
#include "sim/sm/events.h"

#include <string.h>

#include "sim/sm/exec.h"

/* Issues the next instruction of the warp in `slot`, and carries it out. */
static inline void issue(Sm *sm, uint32_t scheduler, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const Silent silent = sm->silent[slot];

	if (!silent) {
		exec_issued(sm, scheduler, slot, now);
		return;
	}
	if (silent_trails(silent)) {
		exec_atomic_end(sm, slot, now);
		return;
	}
	sm->silent[slot] = silent_next(silent);
	warp->since = now + silent_cycles(silent);
	wheel_add(&sm->wheel, slot, warp->since);
}

/* --- Orders that are noted, or kept --- */

static bool asks(const Record *record)
{
	return record->kind == RECORD_LDG || record->kind == RECORD_STG ||
	       record->kind == RECORD_ATOMG || record->kind == RECORD_FENCE ||
	       exec_is_global_lock(record);
}

static NextKinds next_kinds(const Sm *sm, uint64_t slots)
{
	NextKinds next = {0};

	for (uint64_t left = slots; left; left &= left - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(left);
		const Warp *warp = &sm->warps[slot];
		const bool inside = warp_locks_in_section(&warp->locks);

		if (!warp->in_record && !sm->silent[slot] && !inside &&
		    !warp_locks_spins(&warp->locks))
			next.begins |= left & -left;
		if (inside || warp->record.kind == RECORD_ATOM ||
		    warp->record.kind == RECORD_LOCK || warp->record.kind == RECORD_UNLOCK)
			next.meets |= left & -left;
		if (asks(&warp->record))
			next.asks |= left & -left;
	}
	return next;
}

/* A scheduler with warps that could issue, none of which may as it is not their turn. */
typedef struct {
	uint64_t slots; /* of those warps; 0: it is not held */
	Cycle from;	/* when one may, while these stay the same: */
	Cycle first, met_at, met_turn;
} Held;

static bool is_still_held(const Held *held, Turns *turns, Cycle now)
{
	return now < held->from && turns_first(turns) == held->first &&
	       turns->met_at == held->met_at && turns->met_turn == held->met_turn;
}

/* Of the eligible warps of scheduler k, which has `mine`, those whose turn it is. */
static uint64_t whose_turn(Sm *sm, uint32_t k, uint64_t mine, uint64_t eligible, Cycle now,
			   Held *held)
{
	Turns *turns = sm->turns;
	uint64_t may = 0;
	NextKinds kinds;
	Cycle from;

	if (!turns)
		return eligible;
	/* An observed run looks each time: the tests compare the two (tests/test-fast-forward.c). */
	if (held->slots != eligible || !is_still_held(held, turns, now) ||
	    sm->context->observer) {
		kinds = next_kinds(sm, eligible);
		may = turns_whose(turns, eligible, &kinds, now, &from);
		/* What the others wait for is known to the scoreboard alone. */
		*held = (Held){may ? 0 : eligible, mine == eligible ? from : 0,
			       turns_first(turns), turns->met_at, turns->met_turn};
	}
	if (!may)
		sm->scheduler_free[k] = now + 1;
	return may;
}

/* When schedulers that are held look again: in the next cycle, or, if nothing has changed in this one, when something may. But
   at `limit` at the latest, for what other SMs have still to issue changes between two windows. */
static Cycle look_again(const Sm *sm, const Held *held, uint32_t n, Cycle now, Cycle limit)
{
	Cycle next = NEVER;

	for (uint32_t k = 0; k < n; k++)
		if (held[k].slots)
			next = MIN(next, is_still_held(&held[k], sm->turns, now) &&
							 !sm->context->observer
						 ? MAX(MIN(held[k].from, limit), now + 1)
						 : now + 1);
	return next;
}

/* They have looked until `limit`, for all that others know. */
static void end_held(Sm *sm, const Held *held, uint32_t n, Cycle now, Cycle limit)
{
	for (uint32_t k = 0; k < n; k++)
		if (now >= limit && held[k].slots)
			sm->scheduler_free[k] = limit;
}

static bool hears_issue(const Sm *sm)
{
	return sm->context->observer && sm->context->observer->issue;
}

static void note_issue(Sm *sm, uint32_t slot, Cycle now)
{
	const Warp *warp = &sm->warps[slot];
	const NextKinds kinds = next_kinds(sm, UINT64_C(1) << slot);

	if (hears_issue(sm))
		sm->context->observer->issue(sm->context->observer, sm->id, now);
	if (sm->context->note_order)
		warp_order_add(
			run_order_of(sm->context->note_order, warp->block->index, warp->index),
			now, kinds.begins != 0);
	if (sm->turns)
		turns_issue(sm->turns, slot, &kinds, now);
}

static void fail_late(Sm *sm, uint64_t ready, Cycle now)
{
	sm_fail(sm, SIM_TOO_LONG, &sm->warps[__builtin_ctzll(ready)], NULL, now);
}

/* Runs events, the first of which is at `now`, before `limit`, or until sm->pause is set. Returns when the next
   one is. Compiled for each kind of machine and trace: `in_turn`, the scheduler is loose round robin; `at_once`, ideal issue,
   each warp issues when it is ready, those of a scheduler still one after the other;
   `ordered`, the order is noted or heard, or another's is kept. */
static inline __attribute__((always_inline)) Cycle run_kind(Sm *sm, Cycle now, Cycle limit,
							    uint32_t n_schedulers, bool in_turn,
							    bool has_dataflow, bool at_once,
							    bool ordered)
{
	const SmParameters *p = &sm->machine->sm;
	const uint32_t issue_cycles = p->issue_cycles;
	uint64_t ready = sm->ready, n_issued = 0;
	Cycle ready_cycles = 0;
	Held held[MAX_SCHEDULERS];

	if (ordered)
		memset(held, 0, sizeof held);
	while (now < limit && !sm->pause) {
		Cycle next = NEVER;

		ready |= wheel_take(&sm->wheel, now);
		if (G_UNLIKELY(now > SIM_MAX_CYCLE)) {
			fail_late(sm, ready, now);
			break;
		}

#pragma GCC unroll 2
		for (uint32_t k = 0; k < n_schedulers; k++) {
			SchedulerState *scheduler = &sm->schedulers[k];
			uint64_t mine = ready & scheduler->slots;
			uint64_t eligible = mine;
			Cycle free = sm->scheduler_free[k];
			uint32_t slot;

			/* Both at once: each alone is what no processor can predict. */
			if ((mine != 0) & (free <= now)) {
				if (has_dataflow)
					eligible = scoreboard_eligible(&sm->scoreboard, k, mine,
								       now, &next);
				if (has_dataflow && !eligible)
					continue;
				if (ordered)
					eligible = whose_turn(sm, k, mine, eligible, now,
							      &held[k]);
				if (ordered && !eligible)
					continue;
				if (in_turn)
					slot = scheduler->last =
						scheduler_next_slot(eligible, scheduler->last);
				else
					slot = scheduler_pick(p->scheduler, scheduler,
							      eligible);
				mine &= ~(UINT64_C(1) << slot);
				ready &= ~(UINT64_C(1) << slot);
				free = now + (at_once ? 0 : issue_cycles);
				sm->scheduler_free[k] = free;
				n_issued++;
				ready_cycles += now - sm->warps[slot].since;
				if (ordered)
					note_issue(sm, slot, now);
				issue(sm, k, slot, now);
			}
			next = MIN(next, mine ? free : NEVER);
		}
		if (ordered)
			next = MIN(next, look_again(sm, held, n_schedulers, now, limit));
		now = MIN(wheel_first(&sm->wheel), next);
	}
	if (ordered)
		end_held(sm, held, n_schedulers, now, limit);
	sm->ready = ready;
	sm->statistics.warp_instructions += n_issued;
	sm->statistics.warp_cycles[STATE_READY] += ready_cycles;
	return now;
}

Cycle events_run(Sm *sm, Cycle now, Cycle limit)
{
	const uint32_t n = sm->machine->sm.schedulers;
	const bool in_turn = sm->machine->sm.scheduler == &scheduler_lrr;

	if (G_UNLIKELY(sm->turns || sm->context->note_order || hears_issue(sm)))
		return run_kind(sm, now, limit, n, false, sm->scoreboard.dataflow != NULL,
				sm->machine->ideal.issue, true);
	if (G_UNLIKELY(sm->machine->ideal.issue))
		return sm->scoreboard.dataflow
			       ? run_kind(sm, now, limit, n, false, true, true, false)
			       : run_kind(sm, now, limit, n, false, false, true, false);
	if (sm->scoreboard.dataflow)
		return in_turn ? run_kind(sm, now, limit, n, true, true, false, false)
			       : run_kind(sm, now, limit, n, false, true, false, false);
	if (!in_turn)
		return run_kind(sm, now, limit, n, false, false, false, false);
	return n == 2 ? run_kind(sm, now, limit, 2, true, false, false, false)
		      : run_kind(sm, now, limit, n, true, false, false, false);
}
