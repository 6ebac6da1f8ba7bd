/* SPDX-License-Identifier: MIT */
/*
 * Global memory, as a latency and this SM's even share of the bandwidth; stores are not waited for,
 * nor atomics on it. Not modelled: caches, the order of DRAM pages.
 */
#include "sim/exec.h"
#include "sim/fetch.h"

static Cycle global(Sm *sm, Warp *warp, Cycle now)
{
	const Machine *machine = sm->machine;
	uint64_t segments = warp->record.count;
	Cycle ready = now + machine->sm.issue_cycles;

	sm->statistics.global_segments += segments;
	sm->global_free = MAX(sm->global_free, now * 1024) + segments * sm->segment_time;
	/* Stores, and atomics as reductions, leave their warp free; their bytes still take time. */
	if (warp->record.kind == RECORD_LDG)
		ready = MAX(ready, sm->global_free / 1024 + machine->global.latency_cycles);
	if (machine->sm.scoreboard && warp->record.kind == RECORD_LDG) {
		warp->global_at = warp->loads_at = MAX(warp->loads_at, ready);
		warp->results_at = MAX(warp->results_at, ready);
		ready = now + machine->sm.issue_cycles;
	}
	exec_book(sm, now, now, ready, 0, STATE_GLOBAL);
	return ready;
}

void exec_global(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	Cycle ready = global(sm, warp, now);

	exec_observe(sm, slot, record_kind_names[warp->record.kind], now, now, ready, 0);
	sm->progress_at = now;
	fetch_next(sm, slot, ready);
}
