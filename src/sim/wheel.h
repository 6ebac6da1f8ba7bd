/* SPDX-License-Identifier: MIT */
/*
 * When each of an SM's warps is due: a timing wheel of warp masks.
 *
 * At most one event a warp is pending, so a slot of the wheel is a mask of warps, and everything
 * is constant time. The order of events is total: by cycle, within a cycle by the scheduler's
 * choice. Who may include it: sim.
 */
#ifndef ATOMSIM_SIM_WHEEL_H
#define ATOMSIM_SIM_WHEEL_H

#include "model/scheduler.h"
#include "model/shared.h"

#define WHEEL_SLOTS 2048
#define NEVER	    UINT64_MAX

typedef struct {
	Cycle now;			 /* no event is due before */
	uint64_t due[WHEEL_SLOTS];	 /* warps due at the one cycle of now .. now+2047 */
	uint64_t used[WHEEL_SLOTS / 64]; /* bit s: due[s] is not 0 */
	uint32_t used_words;		 /* bit i: used[i] is not 0 */
	uint64_t far;			 /* warps due later than the wheel reaches */
	Cycle far_first;		 /* the first of them, or earlier; NEVER if none */
	Cycle far_at[MAX_WARP_SLOTS];
} Wheel;

void wheel_init(Wheel *wheel);

/* Warp `slot`, which has no event pending, is due at `cycle` (>= wheel->now). */
void wheel_add(Wheel *wheel, uint32_t slot, Cycle cycle);

/* Cycle of the first event; NEVER if there is none. */
Cycle wheel_first(Wheel *wheel);

/* Moves on to `cycle` (now or later, no event before it) and takes the warps due then. */
uint64_t wheel_take(Wheel *wheel, Cycle cycle);

#endif
