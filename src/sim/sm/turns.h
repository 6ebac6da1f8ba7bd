/* SPDX-License-Identifier: MIT */
/*
 * The warps of an SM in the order of another run of the same trace (sim/run/order.h), which took its time for something
 * that is ideal here.
 *
 * No warp issues an instruction while another one of the SM has one to issue that came earlier there; but none waits beyond
 * the cycle in which its own came there. So where nothing else takes longer, nothing comes later. Instructions that the other
 * run did not have, attempts beyond its own, wait for nobody, and nobody waits for them.
 * Whether an attempt fails depends on how close others are, not on their order alone. So compare-and-swaps in shared memory succeed for
 * the lanes for which they did there; where contention is ideal, for others, too. With ORDER_PACED instructions of atomics and
 * critical sections follow each other no closer than there, and accesses to the memory that SMs share keep their order over all
 * SMs. With ORDER_TIMED no instruction comes before it came there.
 * Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SM_TURNS_H
#define ATOMSIM_SIM_SM_TURNS_H

#include "sim/run/order.h"
#include "sim/sm/wheel.h"

/* What the next instructions of warps are, as slots. */
typedef struct {
	uint64_t begins; /* the first of a record outside of critical sections */
	uint64_t meets;	 /* of an atomic on shared memory, or in a critical section */
	uint64_t asks;	 /* accesses to global memory */
} NextKinds;

typedef struct {
	RunOrderKind order;
	const WarpOrder *of[MAX_WARP_SLOTS]; /* NULL: no warp, or of nobody's run */
	uint32_t n_begun[MAX_WARP_SLOTS];    /* its records */
	uint32_t n_swaps[MAX_WARP_SLOTS];    /* of its swaps there: those that it is past */
	uint32_t place[MAX_WARP_SLOTS];	     /* of its next instruction, in of->at, */
	Cycle turn[MAX_WARP_SLOTS];	     /* and when that came; NEVER: nobody knows */
	Cycle first;			     /* of these, if it is known */
	bool knows_first;
	uint64_t n_changes;	/* of what is next */
	Cycle met_at, met_turn; /* the last instruction that meets others: here, and there */
	Cycle others; /* no other SM has an instruction to issue that came before this */
} Turns;

Turns *turns_new(RunOrderKind order);
void turns_start_warp(Turns *turns, uint32_t slot, const WarpOrder *of);
void turns_end_warp(Turns *turns, uint32_t slot);

/* Of warps that could issue at `now` those that may. None: *from is when one may, while turns_first and the last instruction
   that met others stay the same. */
uint64_t turns_whose(Turns *turns, uint64_t ready, const NextKinds *next, Cycle now,
		     Cycle *from);
/* The warp in `slot`, which may, does. */
void turns_issue(Turns *turns, uint32_t slot, const NextKinds *next, Cycle now);
/* The warp's instruction at `now`, which is a swap: which lanes of `tries` succeeded in it there. False: it was none there. */
bool turns_swap(Turns *turns, uint32_t slot, LaneMask *winners);
/* When the first of the instructions that are next came in the other run; NEVER: none is known. */
Cycle turns_first(Turns *turns);

#endif
