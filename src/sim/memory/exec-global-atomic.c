/* SPDX-License-Identifier: MIT */
/*
 * Atomics on global memory that SMs share: the mechanism says what each warp instruction asks of it
 * (model/memory/global-mechanism.h).
 */
#include <string.h>

#include "sim/memory/exec-memory.h"
#include "sim/sm/exec-combine.h"
#include "sim/sm/exec.h"
#include "sim/sm/fetch.h"

/* The warp's atomic, with room for what the mechanism keeps of it. Made once for a slot and mechanism, which
   warps of later blocks find there. */
static GlobalAtomic *atomic_of(Warp *warp, const GlobalMechanism *mechanism)
{
	if (!warp->global || warp->global->mechanism != mechanism) {
		g_free(warp->global);
		warp->global = g_malloc(sizeof(GlobalAtomic) + mechanism->own_bytes);
		warp->global->mechanism = mechanism;
	}
	return warp->global;
}

static void begin(Sm *sm, Warp *warp, const GlobalMechanism *mechanism, GlobalAtomic *atomic,
		  Cycle now)
{
	const RunContext *context = sm->context;
	const GlobalAtomics *all = &context->global_atomics;
	const Record *record = &warp->record;
	const uint32_t m = global_mechanism_index(mechanism);
	const char *problem;

	*atomic = (GlobalAtomic){
		.mechanism = mechanism,
		.operation = record->operation,
		.type = record->type,
		.result = record->result,
		.n_lanes = record->n_lanes,
		.base = context->buffer_base[record->buffer - 1] + record->offset,
		.address = record->address,
		.value = record->has_values ? record->value : NULL,
		.warp = (uint32_t)(warp->block->index * all->block_warps + warp->index),
		.pending = lanes_below(record->n_lanes),
		.own = atomic + 1,
		.common = all->common[m],
	};
	if (mechanism->own_bytes > 0)
		memset(atomic + 1, 0, mechanism->own_bytes);
	sm->global_kinds |= 1u << atomic_kind(record->operation, record->type);
	problem = mechanism->refuses
			  ? mechanism->refuses(all->parameters->own[m], &all->kernel, atomic)
			  : NULL;
	if (problem)
		sm_fail(sm, SIM_BAD_RECORD, warp, problem, now);
	warp->in_record = true;
}

void exec_global_atomic(Sm *sm, uint32_t slot, Cycle now)
{
	const uint32_t issue_cycles = sm->machine->sm.issue_cycles;
	const GlobalAtomics *all = &sm->context->global_atomics;
	Warp *warp = &sm->warps[slot];
	const GlobalMechanism *mechanism =
		global_mechanism_of(all->parameters, warp->record.operation, warp->record.type);
	const uint32_t m = global_mechanism_index(mechanism);
	const uint64_t passes = sm->shared.counters.conflict_passes;
	GlobalStep step = {.ask.kind = NO_ACCESS, .start = now, .ready = now + issue_cycles};
	GlobalAtomic once, *atomic = mechanism->at_once ? &once : atomic_of(warp, mechanism);

	const bool begins = !warp->in_record || warp->combining;

	if (begins && combine_is_on(sm, MEMORY_GLOBAL) &&
	    !exec_combine(sm, slot, MEMORY_GLOBAL, now)) {
		exec_combine_end(sm, slot);
		return;
	}
	if (begins) {
		exec_drop_operated(sm, &warp->record,
				   sm->context->buffer_base[warp->record.buffer - 1] /
					   LINE_BYTES);
		begin(sm, warp, mechanism, atomic, now);
	}
	if (sm->status != SIM_OK)
		return;
	mechanism->step(all->parameters->own[m], &sm->shared, atomic, now, &step);
	sm->sites[warp->record.site].passes += sm->shared.counters.conflict_passes - passes;
	g_assert(step.done || !mechanism->at_once);
	if (step.ask.kind != NO_ACCESS) {
		Cycle asked =
			global_ask_step(sm, slot, atomic, &step.ask, all->own_base[m], now);

		step.ready = MAX(step.ready, asked);
	}
	sm->sites[warp->record.site].failures += step.failed;
	exec_observe(sm, slot, step.name, now, step.start, step.ready, 0);
	if (step.waits) {
		g_assert(!step.done && step.ask.kind != NO_ACCESS);
		global_wait_step(sm, slot, now + issue_cycles);
		return;
	}
	exec_book(sm, now, step.start, step.ready, step.bank_cycles,
		  step.retry		       ? STATE_RETRY
		  : step.ask.kind == NO_ACCESS ? STATE_L2
					       : STATE_GLOBAL_QUEUE);
	sm->progress_at = now;
	/* What it brings is on its way, where it has not waited for that. */
	if (sm->scoreboard.dataflow && step.done && step.ask.kind != NO_ACCESS &&
	    step.ask.result)
		scoreboard_result(
			&sm->scoreboard, slot,
			&(Result){SCOREBOARD_PENDING, warp->record.site, DELAY_ALL(STATE_L2)});
	if (step.done) {
		fetch_next(sm, slot, step.ready);
		return;
	}
	warp->since = step.ready;
	wheel_add(&sm->wheel, slot, step.ready);
}
