/* SPDX-License-Identifier: MIT */
/*
 * Software spin locks: an exchange that is tried until it finds every lock free, and the store that
 * releases it.
 *
 * Assumed: the exchange finds the lock as it is when the atomic ends; the release counts from the
 * issue of the store.
 */
#include "sim/locks/exec-section.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"
#include "sim/sm/fast-forward.h"

/* Whether it waits at a barrier, has ended, or waits for a lock that is held. Who is parked will be woken. */
static bool waits(const Sm *sm, const Warp *warp)
{
	bool waits = warp->phase != WARP_RUNNING && warp->phase != WARP_PARKED;
	uint32_t holder;

	for (uint32_t i = 0; warp->locks.spinning && i < warp->record.n_lanes; i++)
		waits |= spin_locks_held(
			&sm->locks.spin,
			(warp->block->base_bytes + warp->record.address[i]) / 4, &holder);
	return waits;
}

/* Whether nobody is left who could release a spin lock: every warp of the block that has not ended
   waits. Who did not when that was asked last most often does not now. */
static bool deadlocked(const Sm *sm, ResidentBlock *block)
{
	if (block->slots >> block->active_slot & 1 &&
	    !waits(sm, &sm->warps[block->active_slot]))
		return false;
	for (uint64_t left = block->slots; left; left &= left - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(left);

		if (!waits(sm, &sm->warps[slot])) {
			block->active_slot = slot;
			return false;
		}
	}
	return true;
}

/* The exchange is done: did every lane find its lock free? */
static bool acquire(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	SpinOutcome outcome = SPIN_TAKEN;

	if (!sm->machine->ideal.spin_locks)
		outcome = spin_locks_try(&sm->locks.spin, slot, warp->atomic.word,
					 warp->atomic.n_lanes);
	if (outcome == SPIN_TWICE)
		sm_fail(sm, SIM_BAD_RECORD, warp,
			"two lanes of one record take the same spin lock", now);
	sm->statistics.spin_attempts++;
	if (outcome == SPIN_BUSY && !warp->locks.spinning)
		warp->locks.spinning_since = now;
	warp->locks.spinning = outcome == SPIN_BUSY;
	if (!warp->locks.spinning)
		return true;
	if (deadlocked(sm, warp->block))
		sm_fail(sm, SIM_DEADLOCK, warp, NULL, now);
	fast_forward_failed(sm, slot, warp->locks.spinning_since, now);
	return false;
}

void exec_lock(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Step step;

	if (sm->context->source->kernel.lock_sections) {
		exec_section_lock(sm, slot, now);
		return;
	}
	if (!warp->in_record) {
		if (warp->locks.spinning) {
			exec_atomic_again(sm, slot);
		} else {
			exec_atomic_begin(sm, slot, OPERATION_EXCH, TYPE_U32, true);
			warp->atomic.increment = false;
		}
	}
	sm->atomics.counters = &sm->locks.counters;
	exec_atomic_step(sm, slot, now, false, &step);
	if (step.parked)
		return;
	if (step.done && acquire(sm, slot, now)) {
		sm->progress_at = now;
		fetch_next(sm, slot, step.ready);
		return;
	}
	if (step.done)
		warp->in_record = false; /* the exchange again */
	warp->since = step.ready;
	wheel_add(&sm->wheel, slot, step.ready);
}

void exec_unlock(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];

	if (sm->context->source->kernel.lock_sections) {
		exec_section_unlock(sm, slot, now);
		return;
	}
	for (uint32_t i = 0; i < warp->record.n_lanes && !sm->machine->ideal.spin_locks; i++)
		if (!spin_locks_release(&sm->locks.spin, slot,
					(warp->block->base_bytes + warp->record.address[i]) / 4,
					0))
			sm_fail(sm, SIM_BAD_RECORD, warp,
				"unlock of a spin lock that this warp does not hold", now);
	exec_shared(sm, slot, now);
}
