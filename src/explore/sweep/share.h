/* SPDX-License-Identifier: MIT */
/*
 * Results that points of a sweep share: where a point's run would be another's, event by event, it is not
 * run again.
 *
 * Two points that differ only in the keys below are one run, if the one that was run shows it:
 * - sm.max_warps, sm.max_blocks, shared.bytes: a run only compares them with what each block needs, and
 *   SimResult.limits says between which values every comparison comes out as it did;
 * - atomic.*: of a trace without atomics and without locks;
 * - sm.barrier_cycles, sm.barrier_latency_cycles: of a trace without barriers.
 * By induction over events: as long as all that was compared came out the same, all that happened is the
 * same, and so is what is compared next. Only complete runs are shared, for what the others say of
 * themselves names limits.
 *
 * Who may include it: explore/sweep.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_SHARE_H
#define ATOMSIM_EXPLORE_SWEEP_SHARE_H

#include "explore/sweep/points.h"
#include "sim/run/run.h"

typedef struct SweepShare SweepShare;

SweepShare *sweep_share_new(const Sweep *sweep);
void sweep_share_free(SweepShare *share);

/* Puts points into an order in which those that may be one run are far apart, so that the first has ended
   when the next one comes. Else the order stays. */
void sweep_share_order(const SweepShare *share, GArray *points);

/* The result of a run that the point's would be; NULL: none is known. Owned by the share, for good. Like
   the next, from any thread. */
const SimResult *sweep_share_find(SweepShare *share, guint point, const Machine *machine);
/* Keeps a result, if there is room and others may come to be the same. */
void sweep_share_add(SweepShare *share, guint point, const SimResult *result);

#endif
