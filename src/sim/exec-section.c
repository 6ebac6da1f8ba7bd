/* SPDX-License-Identifier: MIT */
/*
 * Locks as operations: all lanes that want one try together, those that find theirs free go through the
 * critical section, and the rest try again.
 *
 * Modelled, after our measurements of an H200 (measurements/h200/issue/issue-locks.csv): a try is one
 * compare-and-swap of all lanes that wait; of the lanes that name one free word the lowest wins; losers
 * wait at the join until the winners have released theirs, so a warp of d lanes on one word takes d
 * rounds and d(d-1)/2 lane tries fail. From a release to the next try, and from a try in vain to the
 * next, it takes what the loop's branches, joins and its yield take (sm.issue.lock_retry_cycles,
 * lock_spin_cycles). Warps meet at the locks' words, in the order in which their tries end.
 * In global memory a try is a compare-and-swap that goes to the words' slices of the L2, where it is decided
 * (sim/global-locks.h), and a release an exchange that nobody waits for. The loop around it costs the same as
 * around a lock in shared memory; what it costs to wait for the round trip is the network's and the slices'.
 * Not modelled: a lock within a critical section; locks in global memory that SMs do not share (global.model flat).
 */
#include "sim/exec.h"
#include "sim/exec-memory.h"
#include "sim/fetch.h"
#include "sim/run-through.h"

static uint32_t word_of(const Warp *warp, uint32_t i)
{
	return (warp->block->base_bytes + warp->record.address[i]) / 4;
}

/* The warp tries again at `at`. */
static void try_again(Sm *sm, uint32_t slot, Cycle at)
{
	Warp *warp = &sm->warps[slot];

	warp->record = warp->section->lock;
	section_select(&warp->record, warp->section->pending);
	warp->section->inside = 0;
	warp->in_record = false;
	warp->spinning = true; /* this record has been counted */
	warp->since = warp->record_since = at;
	if (sm->scoreboard.dataflow)
		scoreboard_want(&sm->scoreboard, slot, NULL);
	wheel_add(&sm->wheel, slot, at);
}

/* Lanes that found their lock free, and have it now. */
static LaneMask winners(Sm *sm, uint32_t slot)
{
	Warp *warp = &sm->warps[slot];
	LaneMask won = 0;
	uint32_t i = 0, holder;

	for (LaneMask left = warp->record.mask; left; left &= left - 1, i++) {
		if (!sm->machine->free_spin_locks) {
			if (spin_locks_held(&sm->spin_locks, word_of(warp, i), &holder))
				continue;
			spin_locks_take(&sm->spin_locks, slot, word_of(warp, i));
		}
		won |= left & -left;
	}
	return won;
}

static void begin_section(Warp *warp)
{
	if (!warp->section)
		warp->section = section_new();
	warp->section->lock = warp->record;
	warp->section->pending = warp->record.mask;
	warp->section->complete = false;
	g_array_set_size(warp->section->records, 0);
	warp->in_section = true;
}

static bool refused(Sm *sm, const Warp *warp, Cycle now)
{
	if (exec_is_global_lock(&warp->record) && !sm->context->memory)
		sm_fail(sm, SIM_BAD_RECORD, warp,
			"a lock in global memory, which needs global.model slices", now);
	else if (warp->in_section && warp->section->inside)
		sm_fail(sm, SIM_BAD_RECORD, warp,
			"a lock within a critical section, which is not replayed", now);
	return sm->status != SIM_OK;
}

/* A try has ended at `now` and its warp could go on at `ready`: those that won go in, or all try again. */
static void end_try(Sm *sm, uint32_t slot, LaneMask won, Cycle now, Cycle ready)
{
	const IssueParameters *p = sm->machine->issue;
	Warp *warp = &sm->warps[slot];
	bool global = exec_is_global_lock(&warp->record);

	sm->statistics.spin_attempts++;
	if (won) {
		sm->progress_at = now;
		warp->spinning = false;
		warp->section->inside = won;
		warp->section->at = 0;
		if (sm->scoreboard.dataflow)
			scoreboard_result(&sm->scoreboard, slot, warp->record.site, ready,
					  global ? STATE_GLOBAL : STATE_SHARED);
		fetch_next(sm, slot, ready);
		return;
	}
	if (watchdog_bites(sm, warp->spinning_since, now))
		sm_fail(sm, SIM_LIVELOCK, warp, NULL, now);
	run_through_tried(sm, slot, now);
	sm->statistics.warp_cycles[STATE_RETRY] += p->lock_spin_cycles;
	sm->sites[warp->record.site].cycles += ready + p->lock_spin_cycles - warp->record_since;
	try_again(sm, slot, ready + p->lock_spin_cycles);
}

/* The lanes of a record that stand at the places of `won`. */
static LaneMask lanes_at(const Record *record, LaneMask won)
{
	LaneMask lanes = 0;
	uint32_t i = 0;

	for (LaneMask left = record->mask; left; left &= left - 1, i++)
		if (won >> i & 1)
			lanes |= left & -left;
	return lanes;
}

/* Sends the try, and waits for what the memory says. */
static void send_try(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Cycle ready = global_ask_locks(sm, slot, now, false);

	exec_observe(sm, slot, "lock", now, now, ready, 0);
	warp->in_record = true;
	warp->memory_wait = WAIT_RESULTS;
	sm_park(sm, slot, ready, STATE_GLOBAL);
}

static void receive_try(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const LockRequest *asked = warp->section->asked;
	LaneMask won = warp->record.mask;

	if (!sm->machine->free_spin_locks) {
		won = lanes_at(&warp->record, asked->won);
		/* What other SMs do with locks is progress too. */
		sm->progress_at = MAX(sm->progress_at, asked->changed_at);
	}
	end_try(sm, slot, won, now, now + sm->machine->sm.issue_cycles);
}

void exec_section_lock(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	bool global = exec_is_global_lock(&warp->record);
	Step step;

	if (!warp->in_record) {
		if (refused(sm, warp, now))
			return;
		if (!warp->in_section) {
			begin_section(warp);
			sm->sites[warp->record.site].lane_operations += warp->record.n_lanes;
			warp->spinning_since = now;
		}
		if (global) {
			send_try(sm, slot, now);
			return;
		}
		exec_atomic_begin(sm, slot, OPERATION_CAS, TYPE_U32, true);
		warp->atomic.increment = false;
	}
	if (global) {
		receive_try(sm, slot, now);
		return;
	}
	sm->atomics.counters = &sm->spin_counters;
	exec_atomic_step(sm, slot, now, false, &step);
	if (step.parked)
		return;
	if (step.done) {
		end_try(sm, slot, winners(sm, slot), now, step.ready);
		return;
	}
	warp->since = step.ready;
	wheel_add(&sm->wheel, slot, step.ready);
}

/* Gives the locks of the record's lanes back; returns when the warp goes on. */
static Cycle release(Sm *sm, uint32_t slot, Cycle now)
{
	static const char not_held[] = "unlock of a spin lock that this warp does not hold";
	Warp *warp = &sm->warps[slot];
	Record *record = &warp->record;
	Cycle ready;

	if (exec_is_global_lock(record)) {
		Record lock = warp->section->lock;
		bool same = section_select(&lock, record->mask) && lock.mask == record->mask &&
			    exec_is_global_lock(&lock) && lock.buffer == record->buffer;

		for (uint32_t i = 0; same && i < record->n_lanes; i++)
			same = lock.offset + lock.address[i] ==
			       record->offset + record->address[i];
		if (!same) {
			sm_fail(sm, SIM_BAD_RECORD, warp, not_held, now);
			return now;
		}
		ready = global_ask_locks(sm, slot, now, true);
		exec_observe(sm, slot, "unlock", now, now, ready, 0);
		return ready;
	}
	for (uint32_t i = 0; i < record->n_lanes && !sm->machine->free_spin_locks; i++)
		if (!spin_locks_release(&sm->spin_locks, slot, word_of(warp, i)))
			sm_fail(sm, SIM_BAD_RECORD, warp, not_held, now);
	return exec_shared_access(sm, slot, now);
}

void exec_section_unlock(Sm *sm, uint32_t slot, Cycle now)
{
	const IssueParameters *p = sm->machine->issue;
	Warp *warp = &sm->warps[slot];
	Section *section = warp->section;
	LaneMask left;
	Cycle ready;

	if (!warp->in_section) {
		sm_fail(sm, SIM_BAD_RECORD, warp, "an unlock without a lock", now);
		return;
	}
	ready = release(sm, slot, now);
	if (sm->status != SIM_OK)
		return;
	left = section->pending & ~section->inside;
	section->pending = left;
	if (left) {
		sm->sites[warp->record.site].cycles +=
			ready + p->lock_retry_cycles - warp->record_since;
		sm->statistics.warp_cycles[STATE_RETRY] += p->lock_retry_cycles;
		try_again(sm, slot, ready + p->lock_retry_cycles);
		return;
	}
	warp->in_section = false;
	fetch_next(sm, slot, ready);
}
