/* SPDX-License-Identifier: MIT */
#include "sim/sm/barriers.h"

#include <glib.h>

#include "sim/sm/fetch.h"

static Barrier *barrier_at(ResidentBlock *block, uint32_t number)
{
	if (number == 0)
		return &block->barrier;
	if (!block->named)
		block->named = g_new0(Barrier, TRACE_MAX_BARRIERS - 1);
	return &block->named[number - 1];
}

const Barrier *barriers_of(const Warp *warp)
{
	return barrier_at(warp->block, warp->record.barrier);
}

static bool is_complete(const ResidentBlock *block, const Barrier *barrier)
{
	if (barrier->n_wanted > 0)
		return barrier->n_arrived == barrier->n_wanted;
	return ((barrier->arrived | block->ended) & block->slots) == block->slots;
}

/* The last has come, or ended, at `now`. */
static void release(Sm *sm, Barrier *barrier, Cycle now)
{
	const SmParameters *p = &sm->machine->sm;
	Cycle at = MAX(barrier->at + p->barrier_latency_cycles, now + p->issue_cycles);
	uint64_t waiting = barrier->waiting;

	*barrier = (Barrier){0};
	for (uint64_t left = waiting; left; left &= left - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(left);
		Warp *warp = &sm->warps[slot];

		warp->phase = WARP_RUNNING;
		/* Its issue is booked with all others. */
		sm->statistics.warp_cycles[STATE_BARRIER] += at - warp->since - p->issue_cycles;
		fetch_next(sm, slot, at);
	}
}

/* Warps that the record asks for; 0: all of the block. */
static uint32_t wanted(const Sm *sm, const Warp *warp)
{
	uint32_t lanes = kernel_warp_lanes(&sm->context->source->kernel);
	uint32_t n = (warp->record.count + lanes - 1) / lanes;

	return n == warp->block->n_warps ? 0 : n;
}

/* NULL if the warp may come to the barrier. */
static const char *problem(const Barrier *barrier, const Warp *warp, uint64_t slot,
			   uint32_t n_wanted)
{
	if (n_wanted > warp->block->n_warps)
		return "a barrier of more threads than the block has";
	if (barrier->n_arrived > 0 && barrier->n_wanted != n_wanted)
		return "a barrier that warps come to with different numbers of threads";
	if (n_wanted == 0 && (barrier->arrived & slot))
		return "a second arrival at a barrier of the whole block that is not complete";
	return NULL;
}

/* Ideal barriers: the warp goes on as if it were alone, and the barrier's unit never busy. */
static void pass(Sm *sm, uint32_t slot, Cycle now)
{
	const SmParameters *p = &sm->machine->sm;
	const Cycle at =
		now + MAX(p->barrier_cycles + p->barrier_latency_cycles, p->issue_cycles);

	sm->statistics.warp_cycles[STATE_BARRIER] += at - now - p->issue_cycles;
	sm->progress_at = now;
	fetch_next(sm, slot, at);
}

BarrierOutcome barriers_come(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	uint64_t bit = UINT64_C(1) << slot;
	Barrier *barrier = barrier_at(warp->block, warp->record.barrier);
	uint32_t n_wanted = wanted(sm, warp);
	const bool arrives = warp->record.arrives;
	const bool ideal = sm->machine->ideal.barriers;
	const char *found = problem(barrier, warp, bit, n_wanted);

	if (found) {
		sm_fail(sm, SIM_BAD_RECORD, warp, found, now);
		return BARRIER_REFUSED;
	}
	if (ideal && !arrives)
		pass(sm, slot, now);
	if (ideal)
		return arrives ? BARRIER_ARRIVED : BARRIER_WAITS;
	sm->barrier_free = MAX(sm->barrier_free, now) + sm->machine->sm.barrier_cycles;
	barrier->at = sm->barrier_free;
	barrier->n_wanted = n_wanted;
	barrier->n_arrived++;
	barrier->arrived |= bit;
	if (!arrives) {
		barrier->waiting |= bit;
		warp->phase = WARP_BARRIER;
		warp->since = now;
	}
	if (is_complete(warp->block, barrier))
		release(sm, barrier, now);
	return arrives ? BARRIER_ARRIVED : BARRIER_WAITS;
}

void barriers_end_warp(Sm *sm, ResidentBlock *block, Cycle now)
{
	for (uint32_t i = 0; i < (block->named ? TRACE_MAX_BARRIERS : 1); i++) {
		Barrier *barrier = barrier_at(block, i);

		if (barrier->n_arrived > 0 && is_complete(block, barrier))
			release(sm, barrier, now);
	}
}

void barriers_clear(ResidentBlock *block)
{
	g_clear_pointer(&block->named, g_free);
}
