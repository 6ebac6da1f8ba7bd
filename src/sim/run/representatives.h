/* SPDX-License-Identifier: MIT */
/*
 * SMs that do the same are simulated once.
 *
 * A run is a pure function, and an SM that shares no memory with others depends on nothing but the blocks that it is given
 * and when. So one that has been given equal blocks at the same times as another is in the same state: it follows
 * that one, its representative, which alone is simulated, and whose counts stand for both. Blocks are still dispatched to each SM:
 * a follower's room is its representative's. Once it gets another block than its representative it leads itself, simulated from the
 * start with the blocks that it has been given, which is what it would have cost anyway.
 *
 * Blocks are equal if their source says so (RecordSource.same_block); where SMs have no first cache, places in global memory,
 * which is then timed by how many segments are touched, make no difference. Each SM leads where SMs share a memory, in an
 * observed run, where a mechanism depends on the number of the block, and where the request asks for it.
 * Who may include it: sim/run/run.c and what it is made of.
 */
#ifndef ATOMSIM_SIM_RUN_REPRESENTATIVES_H
#define ATOMSIM_SIM_RUN_REPRESENTATIVES_H

#include <glib.h>

#include "sim/sm/sm.h"
#include "sim/run/thread-pool.h"

typedef struct {
	bool following;		   /* some SM may follow another */
	BlockEquality equality;	   /* of blocks that this machine cannot distinguish */
	uint32_t *representative;  /* of each SM: itself, or a lower one */
	uint32_t *n_equal;	   /* of each: that follow it, itself included; 0: it follows */
	uint32_t *representatives; /* those that lead, in order */
	uint32_t n_representatives;
	GArray **dispatched; /* of each SM: blocks, since it came to differ from all below it */
	uint32_t *n_new; /* the last ones of these: dispatched since the SMs were compared */
	uint32_t *was;	 /* representative, while they are being compared */
	uint32_t *new_leads; /* SMs that are behind: to be simulated from the start */
} Representatives;

typedef struct Run Run; /* sim/run/run-state.h */

/* The run's context and SMs are there, and no block has been dispatched. */
void representatives_init(Run *run);
void representatives_clear(Run *run);

/* SM i got this block at `now`, to start at `start`. */
void representatives_dispatched(Run *run, uint32_t i, uint64_t block, Cycle start, Cycle now);
/* All blocks have been dispatched that there is room for at `now`: an SM that got another than its representative leads from here on.
   `pool` brings those to `now`; run_failure says whether one of them failed. */
void representatives_part(Run *run, ThreadPool *pool, Cycle now);
/* Representatives have run: followers have the room that they have. */
void representatives_follow(Run *run);

#endif
