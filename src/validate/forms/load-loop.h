/* SPDX-License-Identifier: MIT */
/*
 * A loop of loads from one buffer of global memory, by every warp of a grid. In turn a warp makes an address and a load of it,
 * `ahead` times; what lies between two loads, and which of their values are waited for there, says the dataflow.
 * Who may include it: the files beside it that add points.
 */
#ifndef ATOMSIM_VALIDATE_FORMS_LOAD_LOOP_H
#define ATOMSIM_VALIDATE_FORMS_LOAD_LOOP_H

#include <glib.h>

#include "base/dataflow.h"
#include "sim/run/machine.h"

#define LOAD_LOOP_LANES 32 /* of a warp */

/* Where a warp's loads go. */
typedef enum {
	LOADS_WALK,   /* one grid behind its last one */
	LOADS_RANDOM, /* to whole pieces of a warp's bytes */
	LOADS_CHASE,  /* of one lane: to a line that its last one tells */
} LoadOrder;

typedef struct {
	LoadOrder order;
	gboolean bypass;	 /* the first cache */
	guint n_blocks, n_warps; /* warps of a block */
	guint width;		 /* bytes of a lane */
	uint64_t bytes;		 /* that the loads go round in */
	/* Gap i mod `ahead` stands before load i, which is site i mod `ahead`; of fewer gaps nothing before the others. */
	guint ahead;
	const Dataflow *flow;
	gboolean uses_last; /* gap 0 once more behind the last load */
} LoadLoop;

/* Cycles of a launch of n_steps loads of each warp; negative: it failed. Errors: as replay_run; they begin with `place`. */
double load_loop_cycles(const Machine *machine, const LoadLoop *loop, guint n_steps,
			const char *place, GError **error);

#endif
