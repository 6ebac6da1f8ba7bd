/* SPDX-License-Identifier: MIT */
/*
 * Locks as operations: all lanes that want one try together, those that find theirs free go through the
 * critical section, and the rest try again.
 *
 * Modelled, after our measurements of an H200 (measurements/h200/issue/issue-locks.csv, issue-spins.csv): an attempt
 * is one compare-and-swap of all lanes that want a lock; losers
 * wait at the reconvergence point until the winners have released theirs, so a warp of d lanes on one word takes d
 * rounds, and d(d-1)/2 attempts of lanes fail. From a release to the next attempt, and from a failed attempt to the
 * next, it takes what the loop's branches and joins take (sm.issue.lock_retry_after_release_cycles, lock_retry_after_failure_cycles) and then a
 * yield, which all warps of a scheduler go through one after the other (yield_pipe_cycles). A yield
 * goes to the lanes of the warp that are elsewhere, and back, so it takes two where a warp has diverged, and one more
 * when it first diverges. Then the result of the attempt is looked at.
 * The banks serve the lanes of an attempt one by one: a release between two of them leaves the lock to the
 * second, and so an attempt of many lanes often gets a lock that was held when it was issued.
 * In global memory an attempt is a compare-and-swap that goes to the words' slices of the L2, which decide it
 * (sim/locks/global-locks.h), and a release an exchange that nobody waits for. The loop around it costs the same as
 * around a lock in shared memory; what the round trip costs is the network's and the slices'.
 * Not modelled: a lock within a critical section; locks in global memory that SMs do not share (global.model flat).
 */
#include "sim/sm/exec.h"
#include "sim/memory/exec-memory.h"
#include "sim/sm/fetch.h"
#include "sim/locks/exec-section.h"
#include "sim/locks/exec-shared-lock.h"
#include "sim/locks/exec-yield.h"
#include "sim/locks/yields.h"
#include "sim/sm/fast-forward.h"

/* A lock that cannot be tried: by the warp's first lanes at it, or by those that came on to it from another. */
static bool refused(Sm *sm, const Warp *warp, bool begins, Cycle now)
{
	if (exec_is_global_lock(&warp->record) && !sm->context->memory)
		sm_fail(sm, SIM_BAD_RECORD, warp,
			"a lock in global memory, which needs global.model slices", now);
	else if (begins && warp->locks.in_section)
		sm_fail(sm, SIM_BAD_RECORD, warp,
			"a lock within a critical section, which is not replayed", now);
	return sm->status != SIM_OK;
}

/* The lanes of an attempt have been served, and the warp could go on at `ready`; its result is there at `answered`:
   those that won go in, or all try again. */
static void end_attempt(Sm *sm, uint32_t slot, LaneMask won, Cycle now, Cycle ready,
			Cycle answered)
{
	const IssueParameters *p = sm->machine->issue;
	Warp *warp = &sm->warps[slot];
	const SiteFlow *flow = sm->scoreboard.dataflow
				       ? scoreboard_site(&sm->scoreboard, warp->record.site)
				       : NULL;
	WarpState state = !won				       ? STATE_RETRY
			  : exec_is_global_lock(&warp->record) ? STATE_L2
							       : STATE_SHARED;

	sm->statistics.spin_attempts++;
	/* The section begins with what needs no answer, where the trace says what does. */
	if (answered > ready && (!won || !flow || flow->n_writes == 0)) {
		sm->statistics.warp_cycles[state] += answered - ready;
		ready = answered;
	}
	if (won) {
		sm->progress_at = now;
		warp->locks.spinning = false;
		section_run(warp->locks.section, won, RUN_INSIDE);
		if (sm->scoreboard.dataflow)
			scoreboard_result(
				&sm->scoreboard, slot,
				&(Result){answered, warp->record.site, DELAY_ALL(state)});
		fetch_next(sm, slot, ready);
		return;
	}
	fast_forward_failed(sm, slot, warp->locks.spinning_since, now);
	ready += p->lock_retry_after_failure_cycles;
	sm->statistics.warp_cycles[STATE_RETRY] += p->lock_retry_after_failure_cycles;
	site_repeat(sm->sites, warp, ready - warp->record_since);
	exec_yield_from(sm, slot, ready,
			yields_choose(warp->locks.section, 0) ||
					!section_diverged(sm, warp->locks.section->trying)
				? 1
				: 2);
}

/* The lanes of a record that are at the places of `won`. */
static LaneMask lanes_at(const Record *record, LaneMask won)
{
	LaneMask lanes = 0;
	uint32_t i = 0;

	for (LaneMask left = record->mask; left; left &= left - 1, i++)
		if (won >> i & 1)
			lanes |= left & -left;
	return lanes;
}

/* Sends the attempt, and waits for the reply of the memory. */
static void send_attempt(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Cycle ready = global_ask_locks(sm, slot, now, false);

	exec_observe(sm, slot, "lock", now, now, ready, 0);
	warp->in_record = true;
	warp->locks.section->phase = LOCK_ANSWER;
	warp->memory_wait = WAIT_RESULTS;
	sm_park(sm, slot, ready, STATE_L2);
}

static void receive_attempt(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const LockRequest *asked = warp->locks.section->asked;
	LaneMask won = warp->record.mask;

	if (!sm->machine->ideal.spin_locks) {
		won = lanes_at(&warp->record, asked->won);
		/* What other SMs do with locks is progress too. */
		sm->progress_at = MAX(sm->progress_at, asked->changed_at);
	}
	end_attempt(sm, slot, won, now, now + sm->machine->sm.issue_cycles, now);
}

static void receive_shared(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Cycle ready = now + sm->machine->sm.issue_cycles;

	sm->locks.asking &= ~(UINT64_C(1) << slot);
	end_attempt(sm, slot, lanes_at(&warp->record, warp->locks.section->won), now, ready,
		    warp->since + warp->locks.section->answer_cycles);
}

/* Reads the record of a lock. Lanes that do not come from all of the warp yield to the others. */
static void begin_lock(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];

	if (!warp->locks.section)
		warp->locks.section = section_new();
	section_begin(warp->locks.section, &warp->record, section_lanes(sm));
	warp->locks.section->phase = LOCK_ATTEMPT;
	warp->locks.section->diverged = section_diverged(sm, warp->record.mask);
	warp->locks.in_section = true;
	warp->locks.spinning_since = now;
	if (!section_diverged(sm, warp->record.mask))
		return;
	warp->locks.section->phase = LOCK_YIELD;
	warp->locks.section->yields = 1;
}

void exec_section_lock(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	bool global = exec_is_global_lock(&warp->record);
	bool begins = !warp->locks.in_section || warp->locks.section->running;

	if (refused(sm, warp, begins, now))
		return;
	if (begins)
		begin_lock(sm, slot, now);
	switch (warp->locks.section->phase) {
	case LOCK_YIELD:
		exec_yield(sm, slot, now);
		break;
	case LOCK_ATTEMPT:
		(global ? send_attempt : exec_lock_shared)(sm, slot, now);
		break;
	case LOCK_ANSWER:
		(global ? receive_attempt : receive_shared)(sm, slot, now);
	}
}

/* Gives the locks of the record's lanes back; returns when the warp goes on. */
static Cycle release(Sm *sm, uint32_t slot, Cycle now)
{
	static const char not_held[] = "unlock of a spin lock that this warp does not hold";
	Warp *warp = &sm->warps[slot];
	Record *record = &warp->record;
	Cycle ready;

	if (exec_is_global_lock(record)) {
		Record lock = warp->locks.section->lock; /* of its lanes */
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
	if (!exec_unlock_shared(sm, slot, now, &ready))
		sm_fail(sm, SIM_BAD_RECORD, warp, not_held, now);
	return ready;
}

void exec_section_unlock(Sm *sm, uint32_t slot, Cycle now)
{
	const IssueParameters *p = sm->machine->issue;
	Warp *warp = &sm->warps[slot];
	Section *section = warp->locks.section;
	LaneMask through, goes_on;
	bool broken = false;
	Cycle ready;

	if (!warp->locks.in_section || section->run != RUN_INSIDE) {
		sm_fail(sm, SIM_BAD_RECORD, warp, "an unlock without a lock", now);
		return;
	}
	ready = release(sm, slot, now);
	if (sm->status != SIM_OK)
		return;
	if (section->runners) {
		fetch_next(sm, slot, ready);
		return;
	}
	through = section->running;
	section->trying &= ~through;
	goes_on = sm->machine->sm.independent_thread_scheduling
			  ? section_go_on(section, warp->stream, through, &broken)
			  : 0;
	if (broken) {
		sm_fail(sm, SIM_SOURCE_FAILED, warp, NULL, ready);
		return;
	}
	if (section->trying && goes_on) {
		section_run(section, goes_on, RUN_OUT);
		fetch_next(sm, slot, ready);
		return;
	}
	if (section->trying) {
		bool on = yields_choose(section, 0);

		ready += p->lock_retry_after_release_cycles;
		site_repeat(sm->sites, warp, ready - warp->record_since);
		sm->statistics.warp_cycles[STATE_RETRY] += p->lock_retry_after_release_cycles;
		exec_yield_from(sm, slot, ready, yields_count(section, through) + !on);
		return;
	}
	goes_on |= section->waiting;
	section->waiting = 0;
	section->last = goes_on ? goes_on : section_lanes(sm);
	section_run(section, section->last, goes_on ? RUN_AHEAD : RUN_TOGETHER);
	fetch_next(sm, slot, ready);
}
