/* SPDX-License-Identifier: MIT */
/*
 * What the future of an SM depends on, and what is counted of it (sim/sm/fast-forward.h). Who may include it: sim/sm/fast-forward.c,
 * sim/sm/watchdog.c.
 */
#ifndef ATOMSIM_SIM_SM_FAST_FORWARD_STATE_H
#define ATOMSIM_SIM_SM_FAST_FORWARD_STATE_H

#include "model/snapshot.h"
#include "sim/sm/sm.h"

/* Slots of warps of resident blocks. */
uint64_t state_slots(const Sm *sm);

/* Whether the mechanism of a warp's record has something to say about it. */
bool state_tries(const Warp *warp);
/* Whether its tries go to the memory that SMs share. */
bool state_tries_elsewhere(const Warp *warp);

/* A warp's times: each either stays through a period, or moves with it. */
enum { SINCE, RECORD_SINCE, FAILING_SINCE, SPINNING_SINCE, WARP_TIMES };
void state_times(Warp *warp, Cycle *times[WARP_TIMES]);

/* Writes down all but the warps' times. Those that no record begins to use while none is begun are left out. */
void state_snapshot(Sm *sm, Cycle now, Snapshot *snapshot);

/* What units are busy with at `now` ends later by `by`. */
void state_put_off_units(Sm *sm, Cycle now, Cycle by);

typedef struct {
	uint64_t *first;
	size_t n;
} StateCounters;

#define STATE_COUNTERS (8 + 2 * MAX_WARP_SLOTS)

/* All counters that failed attempts change; returns how many runs of them there are. */
size_t state_counters(Sm *sm, StateCounters counters[STATE_COUNTERS]);

#endif
