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

static void take(Sm *sm, uint32_t slot, MemorySpace space, uint32_t c, Cycle now,
		 CombineStep *step)
{
	Record *record = &sm->warps[slot].record;
	Combined combined = {
		.operation = record->operation,
		.type = record->type,
		.slot = slot,
		.scheduler = sm->shared.port,
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
	site->refused[COMBINE_FEW] += step->few;
	sm->statistics.merged[space] += step->merged;
	if (space == MEMORY_SHARED) {
		sm->atomic_counters.lane_operations += step->merged;
		sm->sites[record->site].lane_operations += step->merged;
	}
}

bool exec_combine(Sm *sm, uint32_t slot, MemorySpace space, Cycle now)
{
	Warp *warp = &sm->warps[slot];
	const Record *record = &warp->record;
	const CombineRefusal refusal =
		combiner_refuses((Operation)record->operation, record->result);

	if (refusal != COMBINE_MAY)
		sm->combined_sites[record->site].refused[refusal] += record->n_lanes;
	for (uint32_t c = warp->combining; refusal == COMBINE_MAY && c < N_COMBINERS; c++) {
		CombineStep step = {.ready = now};

		if (!sm->combiners[space][c])
			continue;
		take(sm, slot, space, c, now, &step);
		count(sm, record, space, &step);
		if (step.ready == now)
			continue;
		step.ready = MAX(step.ready, now + sm->machine->sm.issue_cycles);
		warp->in_record = true;
		warp->combining = (uint8_t)(c + 1);
		warp->atomic.round_failed = false; /* it has not begun */
		exec_observe(sm, slot, combiners[c]->name, now, now, step.ready, 0);
		exec_book(sm, now, now, step.ready, 0, STATE_ARITHMETIC);
		sm->progress_at = now;
		warp->since = step.ready;
		wheel_add(&sm->wheel, slot, step.ready);
		return false;
	}
	warp->combining = 0;
	return true;
}
