/* SPDX-License-Identifier: MIT */
/*
 * Barriers: a barrier unit that takes barrier_cycles a warp ("16 operations per clock cycle", CUDA C
 * Programming Guide 4.2, 5.4.3).
 */
#include "sim/blocks.h"
#include "sim/exec.h"

void exec_barrier(Sm *sm, uint32_t slot, Cycle now)
{
	const SmParameters *p = &sm->machine->sm;
	Warp *warp = &sm->warps[slot];
	ResidentBlock *block = warp->block;

	exec_observe(sm, slot, "bar", now, now, 0, 0);
	sm->barrier_free = MAX(sm->barrier_free, now) + p->barrier_cycles;
	block->barrier_at = sm->barrier_free;
	warp->phase = WARP_BARRIER;
	warp->since = now;
	if (++block->n_at_barrier == block->n_live)
		blocks_release_barrier(sm, block, now);
}

void exec_exit(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Cycle ready = now + sm->machine->sm.issue_cycles;

	exec_observe(sm, slot, "exit", now, now, ready, 0);
	sm->sites[warp->record.site].cycles += ready - warp->record_since;
	blocks_end_warp(sm, slot, ready);
}
