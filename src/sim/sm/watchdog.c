/* SPDX-License-Identifier: MIT */
#include "sim/sm/exec.h"
#include "sim/sm/fast-forward-state.h"
#include "sim/sm/fast-forward.h"

Cycle watchdog_began(const Warp *warp)
{
	return exec_in_atomic(warp) ? warp->record_since : warp->since;
}

bool watchdog_bites(const Sm *sm, Cycle since, Cycle now)
{
	const Cycle patience = sm->machine->sim.watchdog_cycles;

	since = MAX(since, sm->progress_at);
	if (now <= since + patience)
		return false;
	/* A warp whose wait ends, or ended, long after that had memory to wait for, and may issue now. */
	since += FAST_FORWARD_AFTER_CYCLES;
	for (uint64_t left = state_slots(sm); left; left &= left - 1) {
		const Warp *warp = &sm->warps[__builtin_ctzll(left)];
		const Cycle began = watchdog_began(warp);

		if (warp->phase == WARP_PARKED && warp->memory_wait != WAIT_NOTHING &&
		    !state_tries_elsewhere(warp))
			return false;
		if (warp->phase == WARP_RUNNING && !warp_locks_spins(&warp->locks) &&
		    began > since && now <= began + patience)
			return false;
	}
	return true;
}
