/* SPDX-License-Identifier: MIT */
#include "sim/sm/events.h"

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

		if (!warp->in_record && !sm->silent[slot] && !inside)
			next.begins |= left & -left;
		if (inside || warp->record.kind == RECORD_ATOM ||
		    warp->record.kind == RECORD_LOCK || warp->record.kind == RECORD_UNLOCK)
			next.meets |= left & -left;
		if (asks(&warp->record))
			next.asks |= left & -left;
	}
	return next;
}

/* Of the eligible warps of scheduler k those whose turn it is. None: it looks again in the next cycle. */
static uint64_t whose_turn(Sm *sm, uint32_t k, uint64_t eligible, Cycle now, Cycle *next)
{
	const NextKinds kinds = next_kinds(sm, eligible);

	if (sm->turns && eligible)
		eligible = turns_whose(sm->turns, eligible, &kinds, now);
	if (!eligible) {
		sm->scheduler_free[k] = now + 1;
		*next = MIN(*next, now + 1);
	}
	return eligible;
}

static void note_issue(Sm *sm, uint32_t slot, Cycle now)
{
	const Warp *warp = &sm->warps[slot];
	const NextKinds kinds = next_kinds(sm, UINT64_C(1) << slot);

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
   `ordered`, the order is noted, or another's is kept. */
static inline __attribute__((always_inline)) Cycle run_kind(Sm *sm, Cycle now, Cycle limit,
							    uint32_t n_schedulers, bool in_turn,
							    bool has_dataflow, bool at_once,
							    bool ordered)
{
	const SmParameters *p = &sm->machine->sm;
	const uint32_t issue_cycles = p->issue_cycles;
	uint64_t ready = sm->ready, n_issued = 0;
	Cycle ready_cycles = 0;

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
					eligible = whose_turn(sm, k, eligible, now, &next);
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
		now = MIN(wheel_first(&sm->wheel), next);
	}
	sm->ready = ready;
	sm->statistics.warp_instructions += n_issued;
	sm->statistics.warp_cycles[STATE_READY] += ready_cycles;
	return now;
}

Cycle events_run(Sm *sm, Cycle now, Cycle limit)
{
	const uint32_t n = sm->machine->sm.schedulers;
	const bool in_turn = sm->machine->sm.scheduler == &scheduler_lrr;

	if (G_UNLIKELY(sm->turns || sm->context->note_order))
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
