/* SPDX-License-Identifier: MIT */
/*
 * Fences: the warp goes on when all see what it has done.
 *
 * Modelled, after our measurements of an H200: a fence of the block waits for all accesses to shared memory that any warp has
 * issued before it (issue-fence.csv, issue-locks.csv). One of the device takes 264 cycles alone. Behind tries of locks and stores
 * it also asks the slices of the lines that they named, even if they are over, and ends after the last answer: behind a
 * compare-and-swap that was answered after 250 cycles it takes 386, after 450 cycles 572 (issue-lock-steps.csv). So behind
 * the try of a lock that many warps want it waits in the same queue as their tries. It waits for whatever is under way.
 * Behind any access since the last fence, loads and atomics that have answered included, it takes 388 cycles, and 561 if
 * a line was of the other partition (l2/l2-steps.csv; touch.csv, phases); loads that the first cache may keep do not count.
 * It also waits for the stores and atomics that other warps of its SM had under way when it began, and some 200 cycles more
 * (tries.csv: beside 31 warps that try one lock in vain it takes as long as their tries and 170 to 200 cycles, in an SM of its
 * own 610 whatever other SMs do); that nobody waits for another warp's loads is assumed.
 * Assumed: it knows the last network.fence_lines lines, of an access the first and the last lane's; of loads and atomics only
 * whether they were near or far, and many warps' fences behind these cost the slices nothing (global-atomics.csv, ld_cg, one line).
 * Where SMs share no memory a fence of the device is its latency.
 */
#include "sim/exec-memory.h"
#include "sim/exec.h"
#include "sim/fetch.h"

static void begin(Sm *sm, uint32_t slot, Cycle now, Cycle ready)
{
	const Warp *warp = &sm->warps[slot];

	sm->statistics.fences[warp->record.scope]++;
	exec_observe(sm, slot, "fence", now, now, ready, 0);
	sm->progress_at = now;
}

static void fence_block(Sm *sm, uint32_t slot, Cycle now)
{
	const IssueParameters *p = sm->machine->issue;
	Cycle ready = now + MAX(p->fence_block_cycles, sm->machine->sm.issue_cycles);

	/* It waits for the accesses of all warps that were issued before it. */
	if (sm->shared.last_pass_at > 0)
		ready = MAX(ready, sm->shared.last_pass_at + p->fence_store_cycles);
	begin(sm, slot, now, ready);
	exec_book(sm, now, now, ready, 0, STATE_SHARED);
	fetch_next(sm, slot, ready);
}

/* When a fence is over that was issued at `now`, and has nothing left to wait for. */
static Cycle end_of(const Sm *sm, Warp *warp, Cycle now)
{
	const NetworkParameters *network = sm->machine->network;
	Cycle end = now +
		    MAX(sm->machine->issue->fence_device_cycles, sm->machine->sm.issue_cycles);

	if (warp->been & TOUCHED_FAR)
		end = MAX(end, now + network->fence_far_cycles);
	else if (warp->been)
		end = MAX(end, now + network->fence_near_cycles);
	warp->been = 0;
	if (warp->replied_at > now)
		end = MAX(end, warp->replied_at + network->fence_cycles);
	if (warp->others_at > now)
		end = MAX(end, warp->others_at + network->fence_others_cycles);
	return end;
}

void exec_fence(Sm *sm, uint32_t slot, Cycle now)
{
	const uint32_t issue_cycles = sm->machine->sm.issue_cycles;
	Warp *warp = &sm->warps[slot];
	Cycle ready;

	if (warp->record.scope == SCOPE_BLOCK) {
		fence_block(sm, slot, now);
		return;
	}
	warp->epoch_open = false;
	warp->others_at = 0;
	if (sm->context->memory) {
		warp->fence_epoch = epochs_fence(&sm->epochs);
		warp->epoch_open = !epochs_over(&sm->epochs, warp->fence_epoch);
		global_ask_touched(sm, slot, now);
	}
	if (warp->n_flying > 0 || warp->epoch_open) {
		begin(sm, slot, now, now + issue_cycles);
		warp->in_record = true;
		warp->memory_wait = WAIT_ALL;
		sm->fencing |= UINT64_C(1) << slot;
		sm_park(sm, slot, now + issue_cycles, STATE_GLOBAL);
		return;
	}
	ready = end_of(sm, warp, now);
	begin(sm, slot, now, ready);
	exec_book(sm, now, now, ready, 0, STATE_GLOBAL);
	fetch_next(sm, slot, ready);
}

void exec_fence_answered(Sm *sm, uint32_t slot)
{
	Warp *warp = &sm->warps[slot];
	const Cycle since = warp->since;
	const Cycle ready = end_of(sm, warp, since - sm->machine->sm.issue_cycles);

	sm->fencing &= ~(UINT64_C(1) << slot);
	warp->phase = WARP_RUNNING;
	warp->memory_wait = WAIT_NOTHING;
	sm->statistics.warp_cycles[STATE_GLOBAL] += ready - since;
	sm->progress_at = MAX(sm->progress_at, since);
	fetch_next(sm, slot, ready);
}
