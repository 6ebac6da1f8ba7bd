/* SPDX-License-Identifier: MIT */
/*
 * Loads that a slice remembers.
 */
#include "model/memory/slice-loads.h"

#include <glib.h>
#include <string.h>

#include "base/spread.h"

/* Whether the last load of the line is remembered and asked for the same sectors; remembers this one too. */
static bool load_repeats(Slice *slice, const SliceTiming *timing, const Packet *packet)
{
	/* The lines of a slice agree in some of their low bits. */
	uint64_t h = spread_key(packet->line) >> 32;
	SliceLoadSet *set = &slice->loads[h % SLICE_LOAD_SETS];
	SliceLoad load = {packet->line, packet->sectors};
	uint32_t i = 0;
	bool found, same;

	while (i < set->n && set->loads[i].line != load.line)
		i++;
	found = i < set->n;
	same = found && set->loads[i].sectors == load.sectors;
	if (found)
		set->n_sectors -= (uint32_t)__builtin_popcount(set->loads[i].sectors);
	else
		set->n++;
	memmove(&set->loads[1], &set->loads[0], i * sizeof load);
	set->loads[0] = load;
	set->n_sectors += (uint32_t)__builtin_popcount(load.sectors);
	/* The oldest make room. */
	while (set->n_sectors > timing->repeat_ways)
		set->n_sectors -= (uint32_t)__builtin_popcount(set->loads[--set->n].sectors);
	return same;
}

Tick slice_load_time(Slice *slice, const SliceTiming *timing, const Packet *packet)
{
	Tick n_sectors = (Tick)packet_sectors(packet);

	if (timing->repeat_ways && load_repeats(slice, timing, packet))
		return timing->repeat_request + n_sectors * timing->repeat_sector;
	return MAX(n_sectors * timing->load_sector, timing->load_request);
}
