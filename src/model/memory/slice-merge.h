/* SPDX-License-Identifier: MIT */
/*
 * A slice that merges atomics which wait for the same words. Hypothetical hardware, off by default (l2.merge_packets): the last packets of
 * atomics without result that have not begun are known, and one more like one of them is done with it, in no time of the slice but its port's.
 * Alike: the same line, sectors and, of a lane alone, word, as far as packets say; of the same kind of operation.
 * Assumed: operations of a kind on one word are the same. Which lanes of several in a sector a packet has, it does not say: those
 * of packets that are alike are taken for the same. Compare-and-swaps and what gets a result are never merged.
 * Who may include it: slice.c, slice.h.
 */
#ifndef ATOMSIM_MODEL_MEMORY_SLICE_MERGE_H
#define ATOMSIM_MODEL_MEMORY_SLICE_MERGE_H

#include <stdbool.h>

#include "model/memory/coalesce.h"
#include "model/memory/memory-parameters.h"

#define SLICE_MERGE_PACKETS 32

typedef struct {
	Packet packet;
	AccessKind kind;
	Tick begin, done;
} WaitingPacket;

/* The last packets, the oldest at n % SLICE_MERGE_PACKETS. All 0 at first. */
typedef struct {
	WaitingPacket packets[SLICE_MERGE_PACKETS];
	uint32_t n; /* ever */
} SliceMerge;

/* Whether one like this of the last n_packets waits at `now`; then *done is when that one is. */
bool slice_merge_find(const SliceMerge *merge, uint32_t n_packets, AccessKind kind,
		      const Packet *packet, Tick now, Tick *done);
/* One has been taken on that begins, and is done, then. */
void slice_merge_add(SliceMerge *merge, AccessKind kind, const Packet *packet, Tick begin,
		     Tick done);

#endif
