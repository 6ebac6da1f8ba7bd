/* SPDX-License-Identifier: MIT */
/* What the memory side has counted, its slices included. */
#include "sim/memory/memory.h"

#include "sim/memory/state.h"

MemoryCounters memory_counters(const Memory *memory)
{
	MemoryCounters sum = memory->counters;

	for (uint32_t i = 0; i < memory->n_slices; i++) {
		sum.served_lanes += memory->slices[i].served_lanes;
		sum.merged_lanes += memory->slices[i].merged_lanes;
	}
	return sum;
}

void memory_count_merged(Memory *memory, uint64_t *by_site)
{
	memory->merged_by_site = by_site;
}
