/* SPDX-License-Identifier: MIT */
#include "model/memory/slice-merge.h"

static bool alike(const Packet *a, const Packet *b)
{
	return a->line == b->line && a->sectors == b->sectors && a->full == b->full &&
	       a->both == b->both && a->n_lanes == b->n_lanes &&
	       (a->n_lanes > 1 || a->word == b->word);
}

bool slice_merge_find(const SliceMerge *merge, uint32_t n_packets, AccessKind kind,
		      const Packet *packet, Tick now, Tick *done)
{
	for (uint32_t i = 1; i <= n_packets && i <= merge->n; i++) {
		const WaitingPacket *waiting =
			&merge->packets[(merge->n - i) % SLICE_MERGE_PACKETS];

		if (waiting->begin > now && waiting->kind == kind &&
		    alike(&waiting->packet, packet)) {
			*done = waiting->done;
			return true;
		}
	}
	return false;
}

void slice_merge_add(SliceMerge *merge, AccessKind kind, const Packet *packet, Tick begin,
		     Tick done)
{
	merge->packets[merge->n++ % SLICE_MERGE_PACKETS] =
		(WaitingPacket){*packet, kind, begin, done};
}
