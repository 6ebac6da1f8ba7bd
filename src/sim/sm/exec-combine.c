/* SPDX-License-Identifier: MIT */
#include "sim/sm/exec-combine.h"

/* Lanes that are not left are not in the record's mask either. */
static void keep_mask(Record *record, LaneMask ranks)
{
	LaneMask mask = 0;

	for (LaneMask left = record->mask; left; left &= left - 1, ranks >>= 1)
		if (ranks & 1)
			mask |= left & -left;
	record->mask = mask;
}

/* Where the record's addresses count from. */
static uint64_t base_of(const Sm *sm, const Warp *warp, MemorySpace space)
{
	return space == MEMORY_SHARED ? warp->block->base_bytes
				      : sm->context->buffer_base[warp->record.buffer - 1] +
						warp->record.offset;
}

static void take(Sm *sm, uint32_t slot, MemorySpace space, uint32_t c, Cycle now,
		 CombineStep *step)
{
	Record *record = &sm->warps[slot].record;
	Combined combined = {
		.operation = record->operation,
		.type = record->type,
		.width = record->width,
		.slot = slot,
		.scheduler = sm->shared.port,
		.base = base_of(sm, &sm->warps[slot], space),
		.n_lanes = record->n_lanes,
		.address = record->address,
		.value = record->value,
		.has_values = record->has_values,
		.left = lanes_below(record->n_lanes),
	};

	combiners[c]->take(sm->machine->combine[space][c], sm->combiners[space][c], &combined,
			   now, step);
	record->has_values = combined.has_values;
	if (combined.n_lanes < record->n_lanes)
		keep_mask(record, combined.left);
	record->n_lanes = (uint8_t)combined.n_lanes;
}

/* Every lane is somebody's: of its own operation, or merged. */
static void count(Sm *sm, const Record *record, MemorySpace space, const CombineStep *step)
{
	CombineCounters *site = &sm->combined_sites[record->site];

	site->merged += step->merged;
	site->buffered += step->buffered;
	site->refused[COMBINE_FEW] += step->few;
	sm->statistics.buffered += step->buffered;
	sm->statistics.fused += step->fused;
	sm->statistics.merged[space] += step->merged;
	if (space == MEMORY_SHARED) {
		sm->atomic_counters.lane_operations += step->merged;
		sm->sites[record->site].lane_operations += step->merged;
	}
}

/* It is asked again at `ready`, or, `next`, the combiner behind it. */
static void go_on_later(Sm *sm, uint32_t slot, uint32_t next, Cycle now, Cycle ready)
{
	Warp *warp = &sm->warps[slot];

	warp->in_record = true;
	warp->combining = (uint8_t)(next + 1);
	warp->atomic.round_failed = false; /* it has not begun */
	exec_book(sm, now, now, ready, 0, STATE_ARITHMETIC);
	sm->progress_at = now;
	warp->since = ready;
	wheel_add(&sm->wheel, slot, ready);
}

/* No lane is left for the mechanism. */
static void taken(Sm *sm, uint32_t slot, Cycle now, Cycle ready)
{
	Warp *warp = &sm->warps[slot];

	warp->combining = 0;
	warp->since = ready;
	exec_book(sm, now, now, ready, 0, STATE_ARITHMETIC);
	sm->progress_at = now;
}

void exec_combine_end(Sm *sm, uint32_t slot)
{
	const Warp *warp = &sm->warps[slot];

	if (warp->record.n_lanes == 0)
		fetch_next(sm, slot, warp->since);
}

/* Whether the atomic has not been taken over, nor waits, by combiner c. */
static bool passes(Sm *sm, uint32_t slot, MemorySpace space, uint32_t c, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	CombineStep step = {.ready = now};

	take(sm, slot, space, c, now, &step);
	count(sm, &warp->record, space, &step);
	if (step.full) {
		warp->in_record = true;
		warp->combining = (uint8_t)(c + 1);
		g_assert_true(exec_drain(sm, slot, c, false, now));
		return false;
	}
	if (step.ready == now && warp->record.n_lanes > 0)
		return true;
	step.ready = MAX(step.ready, now + sm->machine->sm.issue_cycles);
	exec_observe(sm, slot, combiners[c]->name, now, now, step.ready, 0);
	if (warp->record.n_lanes == 0)
		taken(sm, slot, now, step.ready);
	else
		go_on_later(sm, slot, c + 1, now, step.ready);
	return false;
}

bool exec_combine(Sm *sm, uint32_t slot, MemorySpace space, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	const CombineRefusal refusal =
		combiner_refuses((Operation)record->operation, record->result);

	if (refusal != COMBINE_MAY)
		sm->combined_sites[record->site].refused[refusal] += record->n_lanes;
	for (uint32_t c = warp->combining ? warp->combining - 1u : 0;
	     refusal == COMBINE_MAY && c < N_COMBINERS; c++)
		if (sm->combiners[space][c] && !passes(sm, slot, space, c, now))
			return false;
	warp->combining = 0;
	return true;
}

void exec_combine_merged(Sm *sm, uint32_t site)
{
	if (!sm->combined_sites)
		sm->combined_sites = g_new0(CombineCounters, sm->context->n_sites + 1);
	sm->combined_sites[site].bank_merged += sm->atomics.bank_merged;
	sm->statistics.bank_merged += sm->atomics.bank_merged;
	sm->atomics.bank_merged = 0;
}
