/* SPDX-License-Identifier: MIT */
/*
 * Atomics on global memory that the SM has kept (model/atomic/combiner.h) leave it: a warp issues an instruction for each group of them, as an
 * atomic without result, and goes on with its record when nothing is left to leave.
 */
#include "sim/memory/exec-memory.h"
#include "sim/sm/exec.h"

/* What the memory does for them. */
static AccessKind kind_of(Sm *sm, const CombineDrain *drain)
{
	const GlobalAtomicParameters *parameters = sm->context->global_atomics.parameters;
	const GlobalMechanism *mechanism =
		global_mechanism_of(parameters, drain->operation, drain->type);
	GlobalAtomic atomic = {.mechanism = mechanism,
			       .operation = drain->operation,
			       .type = drain->type,
			       .n_lanes = drain->n_lanes,
			       .pending = lanes_below(drain->n_lanes)};
	GlobalStep step = {.ask.kind = NO_ACCESS};

	g_assert(mechanism->at_once);
	mechanism->step(parameters->own[global_mechanism_index(mechanism)], &sm->shared,
			&atomic, 0, &step);
	return (AccessKind)step.ask.kind;
}

bool exec_drain(Sm *sm, uint32_t slot, uint32_t c, bool all, Cycle now)
{
	const Cycle issued = now + sm->machine->sm.issue_cycles;
	Warp *warp = &sm->warps[slot];
	CombineDrain drain;
	Cycle ready;

	if (!global_wait_is_over(sm, warp, WAIT_ROOM)) {
		warp->in_record = true;
		warp->memory_wait = WAIT_ROOM;
		memory_wait_for_room(sm->context->memory, sm->id);
		sm_park(sm, slot, issued, STATE_GLOBAL_QUEUE);
		return true;
	}
	if (!combiners[c]->drain(sm->machine->combine[MEMORY_GLOBAL][c],
				 sm->combiners[MEMORY_GLOBAL][c], slot, sm->shared.port, all,
				 &drain))
		return false;
	sm->statistics.drained += drain.n_lanes;
	ready = global_ask_drained(sm, slot, &drain, kind_of(sm, &drain), now);
	exec_observe(sm, slot, "drain", now, now, ready, 0);
	exec_book(sm, now, now, ready, 0, STATE_GLOBAL_QUEUE);
	sm->progress_at = now;
	warp->in_record = true;
	warp->since = ready;
	wheel_add(&sm->wheel, slot, ready);
	return true;
}

/* Warps that have not ended, but for this one. */
static uint64_t others(const Sm *sm, uint32_t slot)
{
	uint64_t running = 0;

	for (uint64_t left = sm->used_slots; left; left &= left - 1)
		if (sm->warps[__builtin_ctzll(left)].phase != WARP_ENDED)
			running |= left & -left;
	return running & ~(UINT64_C(1) << slot);
}

bool exec_drain_all(Sm *sm, uint32_t slot, bool ends, Cycle now)
{
	const uint64_t running = others(sm, slot);
	const uint64_t same = running & sm->schedulers[sm->shared.port].slots;

	for (uint32_t c = 0; c < N_COMBINERS; c++) {
		const void *own = sm->machine->combine[MEMORY_GLOBAL][c];

		if (!sm->combiners[MEMORY_GLOBAL][c] || !combiners[c]->drain ||
		    (ends && combiners[c]->outlives(own, running, same)))
			continue;
		if (exec_drain(sm, slot, c, true, now))
			return true;
	}
	return false;
}
