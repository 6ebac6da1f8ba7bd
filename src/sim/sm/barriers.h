/* SPDX-License-Identifier: MIT */
/*
 * The barriers of a thread block, 0 .. TRACE_MAX_BARRIERS-1. Who may include it: sim only.
 *
 * A barrier is complete when as many warps have come as its records ask for, or, without a number, all
 * of the block that have not ended. A warp counts with all its lanes, as often as it comes; one that only
 * arrives does not wait. A complete barrier begins again (NVIDIA, PTX ISA, "bar, barrier").
 */
#ifndef ATOMSIM_SIM_SM_BARRIERS_H
#define ATOMSIM_SIM_SM_BARRIERS_H

#include "sim/sm/sm.h"

typedef enum {
	BARRIER_WAITS, /* parked there, or released already: its next record is fetched with all others' */
	BARRIER_ARRIVED, /* only arrived: its next record is still to be fetched */
	BARRIER_REFUSED, /* the run fails: no hardware could carry the record out */
} BarrierOutcome;

/* The warp in `slot` comes to the barrier of its record. Those that wait there are released if that makes the barrier
   complete, and their next records fetched: warp->record may be another one afterwards, this warp's too. */
BarrierOutcome barriers_come(Sm *sm, uint32_t slot, Cycle now);
/* A warp of the block has ended: barriers that only waited for it are complete. */
void barriers_end_warp(Sm *sm, ResidentBlock *block, Cycle now);
/* The barrier that the warp waits at, of its block. */
const Barrier *barriers_of(const Warp *warp);
/* Of a block that has ended. */
void barriers_clear(ResidentBlock *block);

#endif
