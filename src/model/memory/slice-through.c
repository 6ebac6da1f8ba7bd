/* SPDX-License-Identifier: MIT */
/* What passes through a slice on its way: packets for the other partition, and results of its own. */
#include <glib.h>

#include "model/memory/slice.h"

/* Work of `time` that fits between what is waited for, or takes its turn: returns when it is done. */
static Tick pass(Slice *slice, Tick now, Tick time)
{
	Tick within;

	if (slice->free < now) {
		slice->slack = 0;
		slice->free = now;
	}
	within = MIN(slice->slack, time);
	slice->slack -= within;
	slice->free += time - within;
	return MAX(slice->free, now + time);
}

Tick slice_forward(Slice *slice, const SliceTiming *timing, const Packet *packet, Tick now)
{
	Tick time = timing->forward_packet + packet->flits * timing->forward_flit;

	return pass(slice, now, packet->n_rounds * time) - (packet->n_rounds - 1) * time;
}

Tick slice_cross(Tick *link, const SliceTiming *timing, const Packet *packet, Tick now)
{
	const int n_sectors = (int)packet_sectors(packet);
	const int n_full = __builtin_popcount(packet->full);
	/* Beside the first of each sector; a sector that is asked for as a whole costs as one of two words (whole-line). */
	const int further = packet->n_lanes - n_sectors - n_full * (SECTOR_WORDS - 2);
	Tick start = MAX(*link, now);

	*link = start + packet->n_rounds * ((Tick)n_sectors * timing->link_sector +
					    (Tick)MAX(further, 0) * timing->link_word);
	return start;
}
