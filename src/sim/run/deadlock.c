/* SPDX-License-Identifier: MIT */
#include "sim/run/deadlock.h"

#include "sim/sm/barriers.h"
#include "sim/sm/exec.h"

static void name_holder(const Sm *sm, BlockedWarp *blocked, uint32_t slot)
{
	blocked->has_holder = true;
	blocked->holder_block = sm->warps[slot].block->index;
	blocked->holder_warp = sm->warps[slot].index;
}

static void describe_barrier(const Warp *warp, BlockedWarp *blocked)
{
	const Barrier *barrier = barriers_of(warp);

	blocked->state = "barrier";
	blocked->barrier = warp->record.barrier;
	blocked->n_arrived = barrier->n_arrived;
	blocked->n_wanted = barrier->n_wanted;
}

/* False if the warp waits for nobody. */
static bool describe(const Sm *sm, const Warp *warp, BlockedWarp *blocked)
{
	AtomicWait wait;

	*blocked = (BlockedWarp){
		.block = warp->block->index,
		.sm = sm->id,
		.warp = warp->index,
		.since_cycle = warp->since,
		.site = warp->record.site,
	};
	if (warp->phase == WARP_BARRIER) {
		describe_barrier(warp, blocked);
		return true;
	}
	if (warp->phase == WARP_ENDED ||
	    (!warp_locks_spins(&warp->locks) && !warp->in_record) ||
	    (warp->record.kind != RECORD_LOCK && warp->record.kind != RECORD_ATOM))
		return false;
	blocked->word = warp->record.address[0] / 4;
	if (warp_locks_spins(&warp->locks) || exec_is_global_lock(&warp->record)) {
		bool shared = !exec_is_global_lock(&warp->record);

		blocked->state = "spin lock";
		blocked->since_cycle = warp_locks_spinning_since(&warp->locks);
		for (uint32_t i = 0; shared && i < warp->record.n_lanes && !blocked->has_holder;
		     i++) {
			uint32_t word = (warp->block->base_bytes + warp->record.address[i]) / 4;
			uint32_t holder;

			if (!locks_held(&sm->locks, word, &holder))
				continue;
			blocked->word = warp->record.address[i] / 4;
			name_holder(sm, blocked, holder);
		}
		return true;
	}
	blocked->state = warp->instance->mechanism->has_locks ? "lock bit" : "atomic";
	if (warp->instance->mechanism->waits &&
	    warp->instance->mechanism->waits(warp->instance->state, &warp->atomic, warp->since,
					     &wait)) {
		blocked->word = warp->record.address[wait.lane] / 4;
		if (wait.has_holder)
			name_holder(sm, blocked, wait.slot);
	}
	return true;
}

void deadlock_collect(const Sm *sm, SimResult *result)
{
	for (uint64_t left = sm->used_blocks; left; left &= left - 1) {
		const ResidentBlock *block = &sm->blocks[__builtin_ctzll(left)];

		for (uint64_t slots = block->slots; slots; slots &= slots - 1) {
			BlockedWarp blocked;

			if (!describe(sm, &sm->warps[__builtin_ctzll(slots)], &blocked))
				continue;
			result->waiting++;
			if (result->n_blocked_warps < MAX_BLOCKED_WARPS)
				result->blocked_warps[result->n_blocked_warps++] = blocked;
		}
	}
}
