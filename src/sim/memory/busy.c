/* SPDX-License-Identifier: MIT */
/* How busy slices were (sim/run/utilization.h), window by window: a meter's parts are no shorter than these. */
#include "sim/memory/state.h"

#define FIRST_WIDTH 128 /* of a part: not much less than a window */

void memory_meter(Memory *memory)
{
	memory->meters = g_new(Meter *, memory->n_slices);
	for (uint32_t i = 0; i < memory->n_slices; i++)
		memory->meters[i] = meter_new(SLICE_UTILIZED, FIRST_WIDTH);
}

static void look(Memory *memory)
{
	if (memory->served_until == memory->looked_at)
		return;
	for (uint32_t i = 0; i < memory->n_slices; i++) {
		const uint64_t counted[SLICE_UTILIZED] = {memory->slices[i].busy,
							  memory->slices[i].busy_atomics};

		if (counted[0] !=
		    memory->meters[i]->counted[0]) /* of which atomics are a part */
			meter_look(memory->meters[i], counted, memory->looked_at,
				   memory->served_until);
	}
}

void memory_look(Memory *memory, Cycle from, Cycle until)
{
	const Cycle width = memory->meters[0]->width;

	if (from > memory->served_until + width ||
	    memory->served_until - memory->looked_at >= width) {
		look(memory);
		memory->looked_at = from;
	}
	memory->served_until = until;
}

void memory_busy(Memory *memory, UtilizationSum *sum, Cycle cycles)
{
	look(memory);
	for (uint32_t i = 0; i < memory->n_slices; i++)
		for (uint32_t k = 0; k < SLICE_UTILIZED; k++)
			utilization_sum_add(sum, (Utilized)(SM_UTILIZED + k), memory->meters[i],
					    k, 1, cycles, 1, TICKS_PER_CYCLE);
}

void memory_busy_free(Memory *memory)
{
	for (uint32_t i = 0; memory->meters && i < memory->n_slices; i++)
		meter_free(memory->meters[i]);
	g_free(memory->meters);
}
