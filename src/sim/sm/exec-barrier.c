/* SPDX-License-Identifier: MIT */
/*
 * Barriers: a barrier unit that takes barrier_cycles a warp ("16 operations per clock cycle", CUDA C
 * Programming Guide 4.2, 5.4.3).
 */
#include "sim/sm/barriers.h"
#include "sim/sm/blocks.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

void exec_barrier(Sm *sm, uint32_t slot, Cycle now)
{
	Cycle ready = now + sm->machine->sm.issue_cycles;

	exec_observe(sm, slot, "bar", now, now, 0, 0);
	if (barriers_come(sm, slot, now) != BARRIER_ARRIVED)
		return;
	/* Assumption: who only arrives goes on with the next instruction. */
	exec_book(sm, now, now, ready, 0, STATE_BARRIER);
	sm->progress_at = now;
	fetch_next(sm, slot, ready);
}

void exec_exit(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Cycle ready = now + sm->machine->sm.issue_cycles;

	if (G_UNLIKELY(sm->keeps_atomics) && exec_drain_all(sm, slot, true, now))
		return;
	/* A warp keeps its registers until what it has loaded of constants is there, used or not (spans.csv: a kernel
	   without code takes as long as one with 84 cycles of it). */
	if (sm->scoreboard.dataflow && sm->scoreboard.loaded_at[slot] > ready) {
		sm->statistics.warp_cycles[STATE_ARITHMETIC] +=
			sm->scoreboard.loaded_at[slot] - ready;
		ready = sm->scoreboard.loaded_at[slot];
	}
	exec_observe(sm, slot, "exit", now, now, ready, 0);
	site_book(sm->sites, warp, warp->record.site, ready - warp->record_since);
	site_reach(sm->sites, warp, warp->last_site);
	blocks_end_warp(sm, slot, ready);
}
