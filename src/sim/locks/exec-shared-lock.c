/* SPDX-License-Identifier: MIT */
#include "sim/locks/exec-shared-lock.h"

#include "sim/memory/exec-memory.h"
#include "sim/sm/exec.h"

static uint32_t word_of(const Warp *warp, uint32_t i)
{
	return (warp->block->base_bytes + warp->record.address[i]) / 4;
}

/* When the banks serve the lanes of an access, those of a bank one after the other: the access begins at `start`, its last
   pass is `bank_cycles` later. */
static void find_service_times(const Sm *sm, const uint32_t *words, uint32_t n, Cycle start,
			       uint32_t bank_cycles, Cycle *served_at)
{
	const uint16_t *bank_of = sm->context->banks.bank_of;
	uint8_t in_bank[SHARED_MAX_BANKS] = {0}, rank[MAX_LANES], most = 1;

	for (uint32_t i = 0; i < n; i++) {
		rank[i] = in_bank[bank_of[words[i]]]++;
		most = MAX(most, in_bank[bank_of[words[i]]]);
	}
	for (uint32_t i = 0; i < n; i++)
		served_at[i] = start + (most > 1 ? bank_cycles * rank[i] / (most - 1u) : 0);
}

/* An attempt has been issued: lanes whose lock is free when they are served get it; that of the others is open until all are served, at `over`. */
static void serve_lanes(Sm *sm, uint32_t slot, const Step *step, Cycle over)
{
	Warp *warp = &sm->warps[slot];
	Section *section = warp->locks.section;
	const uint32_t n = warp->record.n_lanes;
	Cycle served_at[MAX_LANES];

	find_service_times(sm, warp->atomic.word, n, step->start, step->bank_cycles, served_at);
	section->won = section->open = 0;
	for (uint32_t i = 0; i < n; i++) {
		bool won = sm->machine->ideal.spin_locks ||
			   spin_locks_take(&sm->locks.spin, slot, warp->atomic.word[i],
					   served_at[i]);

		*(won ? &section->won : &section->open) |= (LaneMask)1 << i;
		section->before[i] = (uint32_t)(over - served_at[i]);
	}
	section->answer_cycles = (uint32_t)(step->ready - over);
	section->phase = LOCK_ANSWER;
	sm->locks.asking |= UINT64_C(1) << slot;
}

/* The word is free from `at` on: of the lanes that are to be served later the first gets it. */
static void hand_over(Sm *sm, uint32_t word, Cycle at)
{
	Section *first = NULL;
	uint32_t first_slot = 0, first_lane = 0;
	Cycle first_served_at = NEVER;

	for (uint64_t left = sm->locks.asking; left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);
		const Warp *warp = &sm->warps[slot];

		for (LaneMask open = warp->locks.section->open; open; open &= open - 1) {
			uint32_t i = (uint32_t)__builtin_ctzll(open);
			Cycle served_at = warp->since - warp->locks.section->before[i];

			if (warp->atomic.word[i] != word || served_at < at ||
			    served_at >= first_served_at)
				continue;
			first = warp->locks.section;
			first_slot = slot;
			first_lane = i;
			first_served_at = served_at;
		}
	}
	if (!first)
		return;
	spin_locks_take(&sm->locks.spin, first_slot, word, first_served_at);
	first->won |= (LaneMask)1 << first_lane;
	first->open &= ~((LaneMask)1 << first_lane);
}

void exec_lock_shared(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Step step;

	if (!warp->in_record) {
		exec_atomic_begin(sm, slot, OPERATION_CAS, TYPE_U32, true);
		warp->atomic.increment = false;
		warp->atomic.same = 0;
	}
	sm->atomics.counters = &sm->locks.counters;
	exec_atomic_step(sm, slot, now, false, &step);
	if (step.parked)
		return;
	warp->since = step.ready;
	if (step.done) {
		warp->since =
			MAX(step.start, now + sm->machine->sm.issue_cycles) + step.bank_cycles;
		serve_lanes(sm, slot, &step, warp->since);
		/* Booked until the answer: what waits for it books that. */
		sm->statistics.warp_cycles[warp->locks.spinning ? STATE_RETRY : STATE_SHARED] -=
			step.ready - warp->since;
	}
	wheel_add(&sm->wheel, slot, warp->since);
}

bool exec_unlock_shared(Sm *sm, uint32_t slot, Cycle now, Cycle *ready)
{
	const Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	Cycle served_at[MAX_LANES];
	uint32_t words[MAX_LANES] = {0};
	bool held = true;

	*ready = exec_shared_access(sm, slot, now);
	for (uint32_t i = 0; i < record->n_lanes; i++)
		words[i] = word_of(warp, i);
	find_service_times(sm, words, record->n_lanes, sm->shared.pass_at[0],
			   sm->shared.bank_cycles, served_at);
	for (uint32_t i = 0; i < record->n_lanes && !sm->machine->ideal.spin_locks; i++) {
		held &= spin_locks_release(&sm->locks.spin, slot, words[i], served_at[i]);
		hand_over(sm, words[i], served_at[i]);
	}
	return held;
}
