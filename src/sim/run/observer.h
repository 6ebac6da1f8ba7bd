/* SPDX-License-Identifier: MIT */
/*
 * Someone who watches a run: timelines, step-by-step explanation, searches, tests. A run has at
 * most one; without one it costs nothing. Who may include it: sim and every layer above.
 */
#ifndef ATOMSIM_SIM_RUN_OBSERVER_H
#define ATOMSIM_SIM_RUN_OBSERVER_H

#include "model/shared/shared.h"
#include "base/record.h"

/* One executed warp instruction. */
typedef struct {
	uint32_t sm, slot;    /* where it ran */
	uint64_t block;	      /* of the source: 0 .. n_blocks-1 */
	uint32_t warp;	      /* within the block */
	const Record *record; /* that it belongs to */
	const char *name;     /* "LK", "OP", "UL", "BRA", or the record kind's name */
	Cycle issue;	      /* the scheduler chose it */
	Cycle start;	      /* the load/store unit took it; issue if it needs none */
	Cycle ready; /* the warp can issue again; 0: not known yet (barrier) or never (exit) */
	uint32_t base_word; /* word of the SM's shared memory where the block's begins */
	Cycle done; /* its work is done and its result there; ready, where a warp waits for that */
	uint32_t passes;	    /* of its access to the banks; 0: it made none */
	const SharedMemory *shared; /* of the SM, as it is behind the instruction */
	/* atom, lock: lanes by rank. */
	LaneMask winners; /* whose operation was done by it */
	LaneMask
		tried; /* that were to do before it, and did not wait for their locks instead */
	uint32_t round;	 /* of the atomic, from 0 */
	uint32_t failed; /* number that found their lock taken */
} Instruction;

typedef struct Observer Observer;
struct Observer {
	void (*instruction)(Observer *observer, const Instruction *instruction);
	/* An SM issues a warp instruction, those that `instruction` is not called for included. NULL: nobody asks. */
	void (*issue)(Observer *observer, uint32_t sm, Cycle at);
	/* A slice of the L2 has been busy from then until then, in ticks. NULL: nobody asks. */
	void (*slice)(Observer *observer, uint32_t slice, bool atomic, uint64_t from,
		      uint64_t until);
	/* A port of slice `port / 2` has been, with packets from an SM or, if odd, from the other partition. NULL: nobody asks. */
	void (*port)(Observer *observer, uint32_t port, uint64_t from, uint64_t until);
};

#endif
