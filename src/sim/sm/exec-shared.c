/* SPDX-License-Identifier: MIT */
/*
 * Loads from and stores to shared memory.
 */
#include "base/names.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

/* Without a queue nothing but its warp can hold an access back until the banks have taken its last pass. */
static Cycle wait_for_banks(Sm *sm, Cycle now)
{
	const SharedMemory *shared = &sm->shared;
	const Cycle start = shared->pass_at[0];
	const Cycle taken =
		MAX(start, now + sm->machine->sm.issue_cycles) + shared->bank_cycles;
	const Cycle ready = MAX(now + fetch_access_stall(sm), taken);

	exec_book(sm, now, start, ready, shared->bank_cycles, STATE_QUEUE);
	return ready;
}

Cycle exec_run_ahead(Sm *sm, Cycle now)
{
	Cycle ready;

	if (sm->machine->shared.queue == 0)
		return wait_for_banks(sm, now);
	ready = MAX(now + fetch_access_stall(sm), sm->shared.queued_at);
	exec_book_ahead(sm, now, ready, STATE_QUEUE);
	return ready;
}

/* Returns when the warp goes on; the first pass starts at *start. */
static Cycle load_store(Sm *sm, Warp *warp, Cycle now, Cycle *start, uint32_t *n_passes)
{
	const SharedParameters *p = &sm->machine->shared;
	const Record *record = &warp->record;
	uint32_t conflict_cycles;
	SharedPasses passes;
	Cycle ready;

	shared_passes(&sm->shared, record->kind == RECORD_LDS, record->width,
		      warp->block->base_bytes, record->address, record->mask, &passes);
	/* Without data flow the port's time stands for the instructions between two loads, too. */
	if (!sm->scoreboard.dataflow)
		passes.registers = 0;
	*n_passes = passes.passes;
	*start = shared_access_groups(&sm->shared, now, &passes);
	conflict_cycles = sm->shared.conflict_cycles;
	ready = *start + sm->shared.bank_cycles +
		(record->kind == RECORD_LDS ? p->load_cycles : p->store_cycles);
	sm->sites[record->site].passes += passes.passes - passes.n_groups;
	if (fetch_runs_ahead(sm) &&
	    (record->kind != RECORD_UNLOCK || sm->scoreboard.dataflow)) {
		/* Without a queue the warp waits for the passes itself. */
		const uint32_t bank_cycles = p->queue > 0 ? conflict_cycles : 0;
		const Result result = {ready, record->site,
				       delay_of(STATE_SHARED, p->load_cycles, bank_cycles)};

		if (record->kind == RECORD_LDS)
			fetch_expect(sm, warp, &result, true);
		/* Without a queue in order others' loads could overtake it. */
		else if (p->queue == 0)
			warp->stored_at = MAX(warp->stored_at, ready);
		return exec_run_ahead(sm, now);
	}
	exec_book(sm, now, *start, ready, conflict_cycles, STATE_SHARED);
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
