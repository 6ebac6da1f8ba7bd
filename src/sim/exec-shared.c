/* SPDX-License-Identifier: MIT */
/*
 * Loads from and stores to shared memory.
 */
#include "sim/exec.h"
#include "sim/fetch.h"

/* Words of the SM's shared memory that a load or store touches, at most 128. */
static uint32_t touched_words(const Warp *warp, uint32_t *words)
{
	const Record *record = &warp->record;
	uint32_t base = warp->block->base_bytes, n = 0;

	for (uint32_t i = 0; i < record->n_lanes; i++)
		for (uint32_t byte = 0; byte < record->width; byte += 4)
			words[n++] = (base + record->address[i] + byte) / 4;
	return n;
}

Cycle exec_run_ahead(Sm *sm, Cycle now)
{
	Cycle ready = MAX(now + fetch_access_stall(sm), sm->shared.queued_at);

	exec_book(sm, now, ready, ready, 0, STATE_QUEUE);
	return ready;
}

/* Returns when the warp goes on; the first pass starts at *start. */
static Cycle load_store(Sm *sm, Warp *warp, Cycle now, Cycle *start, uint32_t *n_passes)
{
	const SharedParameters *p = &sm->machine->shared;
	uint32_t words[MAX_LANES * SHARED_MAX_LANE_WORDS], worst_bank;
	uint32_t n = touched_words(warp, words);
	uint32_t passes = shared_degree(&sm->shared, words, n, &worst_bank);
	uint32_t bank_cycles;
	Cycle ready;

	*n_passes = passes;
	*start = shared_access(&sm->shared, now, passes, worst_bank);
	bank_cycles = sm->shared.bank_cycles;
	ready = *start + bank_cycles +
		(warp->record.kind == RECORD_LDS ? p->load_cycles : p->store_cycles);
	sm->sites[warp->record.site].passes += passes - 1;
	if (fetch_runs_ahead(sm) &&
	    (warp->record.kind != RECORD_UNLOCK || sm->scoreboard.dataflow)) {
		const Result result = {ready, warp->record.site, bank_cycles, p->load_cycles,
				       STATE_SHARED};

		if (warp->record.kind == RECORD_LDS)
			fetch_expect(sm, warp, &result, true);
		return exec_run_ahead(sm, now);
	}
	exec_book(sm, now, *start, ready, bank_cycles, STATE_SHARED);
	return ready;
}

Cycle exec_shared_access(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	uint32_t passes;
	Cycle start, ready = load_store(sm, warp, now, &start, &passes);

	exec_observe(sm, slot, record_kind_names[warp->record.kind], now, start, ready, passes);
	sm->progress_at = now;
	return ready;
}

void exec_shared(Sm *sm, uint32_t slot, Cycle now)
{
	fetch_next(sm, slot, exec_shared_access(sm, slot, now));
}
