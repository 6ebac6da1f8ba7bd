/* SPDX-License-Identifier: MIT */
#include "sim/run/deadlock.h"

#include "sim/sm/barriers.h"
#include "sim/sm/exec.h"

static void name_holder(const Sm *sm, Waiter *waiter, uint32_t slot)
{
	waiter->has_holder = true;
	waiter->holder_block = sm->warps[slot].block->index;
	waiter->holder_warp = sm->warps[slot].index;
}

static void describe_barrier(const Warp *warp, Waiter *waiter)
{
	const Barrier *barrier = barriers_of(warp);

	waiter->state = "barrier";
	waiter->barrier = warp->record.barrier;
	waiter->n_arrived = barrier->n_arrived;
	waiter->n_wanted = barrier->n_wanted;
}

/* False if the warp waits for nobody. */
static bool describe(const Sm *sm, const Warp *warp, Waiter *waiter)
{
	AtomicWait wait;

	*waiter = (Waiter){
		.block = warp->block->index,
		.sm = sm->id,
		.warp = warp->index,
		.since_cycle = warp->since,
		.site = warp->record.site,
	};
	if (warp->phase == WARP_BARRIER) {
		describe_barrier(warp, waiter);
		return true;
	}
	if (warp->phase == WARP_ENDED ||
	    (!warp_locks_spins(&warp->locks) && !warp->in_record) ||
	    (warp->record.kind != RECORD_LOCK && warp->record.kind != RECORD_ATOM))
		return false;
	waiter->word = warp->record.address[0] / 4;
	if (warp_locks_spins(&warp->locks) || exec_is_global_lock(&warp->record)) {
		bool shared = !exec_is_global_lock(&warp->record);

		waiter->state = "spin lock";
		waiter->since_cycle = warp_locks_spinning_since(&warp->locks);
		for (uint32_t i = 0; shared && i < warp->record.n_lanes && !waiter->has_holder;
		     i++) {
			uint32_t word = (warp->block->base_bytes + warp->record.address[i]) / 4;
			uint32_t holder;

			if (!locks_held(&sm->locks, word, &holder))
				continue;
			waiter->word = warp->record.address[i] / 4;
			name_holder(sm, waiter, holder);
		}
		return true;
	}
	waiter->state = warp->way->mechanism->has_locks ? "lock bit" : "atomic";
	if (warp->way->mechanism->waits &&
	    warp->way->mechanism->waits(warp->way->state, &warp->atomic, warp->since, &wait)) {
		waiter->word = warp->record.address[wait.lane] / 4;
		if (wait.has_holder)
			name_holder(sm, waiter, wait.slot);
	}
	return true;
}

void collect_waiters(const Sm *sm, SimResult *result)
{
	for (uint64_t left = sm->used_blocks; left; left &= left - 1) {
		const ResidentBlock *block = &sm->blocks[__builtin_ctzll(left)];

		for (uint64_t slots = block->slots; slots; slots &= slots - 1) {
			Waiter waiter;

			if (!describe(sm, &sm->warps[__builtin_ctzll(slots)], &waiter))
				continue;
			result->waiting++;
			if (result->n_waiters < MAX_WAITERS)
				result->waiters[result->n_waiters++] = waiter;
		}
	}
}
