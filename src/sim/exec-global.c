/* SPDX-License-Identifier: MIT */
/*
 * Global memory, as a latency and this SM's even share of the bandwidth; stores are not waited for,
 * nor atomics on it. Not modelled: caches, the order of DRAM pages.
 */
#include "sim/exec.h"
#include "sim/fetch.h"

/* Takes so many segments' time of this SM's share. False: the end would lie beyond SIM_MAX_CYCLE. */
static bool take_share(Sm *sm, Cycle now, uint64_t segments)
{
	uint64_t time; /* 1/1024 cycles */

	if (__builtin_mul_overflow(segments, sm->segment_time, &time) ||
	    time / 1024 > SIM_MAX_CYCLE - now)
		return false;
	if (sm->global_free < now) {
		sm->global_free = now;
		sm->global_rest = 0;
	}
	time += sm->global_rest;
	sm->global_free += time / 1024;
	sm->global_rest = time % 1024;
	return sm->global_free <= SIM_MAX_CYCLE;
}

static Cycle global(Sm *sm, Warp *warp, Cycle now)
{
	const Machine *machine = sm->machine;
	uint64_t segments = warp->record.count;
	uint32_t latency = sm->scoreboard.dataflow && machine->global.load_cycles
				   ? machine->global.load_cycles
				   : machine->global.latency_cycles;
	Cycle ready = now + machine->sm.issue_cycles;

	sm->statistics.global_segments += segments;
	if (!take_share(sm, now, segments)) {
		sm_fail(sm, SIM_TOO_LONG, warp, NULL, now);
		return ready;
	}
	/* Stores, and atomics as reductions, leave their warp free; their bytes still take time. */
	if (warp->record.kind == RECORD_LDG ||
	    (sm->scoreboard.dataflow && warp->record.kind == RECORD_ATOMG))
		ready = MAX(ready, sm->global_free + latency);
	if (fetch_runs_ahead(sm) && ready > now + machine->sm.issue_cycles) {
		const Result result = {ready, warp->record.site, 0, ready - now, STATE_GLOBAL};

		fetch_expect(sm, warp, &result, warp->record.kind == RECORD_LDG);
		ready = now + fetch_access_stall(sm);
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
