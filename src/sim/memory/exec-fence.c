/* SPDX-License-Identifier: MIT */
/*
 * Fences: the warp goes on when all see what it has done.
 *
 * Modelled, after our measurements of an H200: a fence of the block waits for all accesses to shared memory that any warp has
 * issued before it (issue-fence.csv, issue-locks.csv). One of the device takes 264 cycles alone. It waits for whatever is under way.
 * Behind any access since the last fence, loads and atomics that have answered included, it takes 388 cycles, and 561 if
 * a line was of the other partition (l2/l2-steps.csv; touch.csv, phases); loads that the first cache may keep do not count.
 * Accesses of the SM's other warps count as its own do, whatever they are and whether or not they have answered, and it matters hardly how
 * many they are (issue-fence-others.csv: 264 behind nothing; behind one compare-and-swap, add, store or load of another warp, sent 100 to 700
 * cycles before, 428 if it takes 330 and 518 if it takes 455; beside 31 warps that make one after the other 15 to 30 more). What is on
 * its way holds the fence up until its answer; measured: for 60 to 120 cycles more. Assumed: what a fence of any warp has found answered, or waited for, does not
 * count any more once it has ended, and the loads of others count when they have answered.
 * Fences of an SM go in batches (sim/memory/fences.h). An epoch begins when the fence is issued, not when its batch goes.
 * Contradicted, and not explained: tries.csv has some 300 cycles beyond the answers of 31 warps that try one lock beside it, and 264
 * is what such a fence should take alone.
 * It asks no slice: many warps' fences cost the slices nothing (global-atomics.csv, ld_cg, one line). Measured, and not modelled:
 * behind the try of a lock that many warps want it waits in the same queue as their tries (issue-lock-steps.csv).
 * Where SMs share no memory a fence of the device is its latency.
 */
#include "sim/memory/exec-memory.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

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
		ready = MAX(ready, sm->shared.last_pass_at + p->fence_block_drain_cycles);
	begin(sm, slot, now, ready);
	exec_book(sm, now, now, ready, 0, STATE_FENCE);
	fetch_next(sm, slot, ready);
}

/* When a fence is over that was issued at `now`, and has nothing left to wait for. */
static Cycle end_of(Sm *sm, Warp *warp, Cycle now)
{
	const Cycle least = now + MAX(sm->machine->issue->fence_device_cycles,
				      sm->machine->sm.issue_cycles);

	return fence_end(&sm->fences, &warp->fence, sm->machine->network, now, warp->replied_at,
			 least);
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
	if (G_UNLIKELY(sm->keeps_atomics) && exec_drain_all(sm, slot, false, now))
		return;
	if (sm->context->memory)
		fence_begin(&sm->fences, &warp->fence, sm->machine->network, now);
	if (warp->n_flying > 0 || fence_is_open(&warp->fence)) {
		begin(sm, slot, now, now + issue_cycles);
		warp->in_record = true;
		warp->memory_wait = WAIT_ALL;
		fences_wait(&sm->fences, slot);
		sm_park(sm, slot, now + issue_cycles, STATE_FENCE);
		return;
	}
	ready = end_of(sm, warp, now);
	begin(sm, slot, now, ready);
	exec_book(sm, now, now, ready, 0, STATE_FENCE);
	fetch_next(sm, slot, ready);
}

void exec_fence_answered(Sm *sm, uint32_t slot)
{
	Warp *warp = &sm->warps[slot];
	const Cycle since = warp->since;
	const Cycle ready = end_of(sm, warp, since - sm->machine->sm.issue_cycles);

	fences_wait_no_more(&sm->fences, slot);
	sm->statistics.warp_cycles[STATE_FENCE] += ready - since;
	sm->progress_at = MAX(sm->progress_at, since);
	fetch_answered(sm, slot, ready);
}
