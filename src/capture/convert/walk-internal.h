/* SPDX-License-Identifier: MIT */
/* What walk.c and walk-map.c share; for them alone. */
#ifndef ATOMSIM_CAPTURE_CONVERT_WALK_INTERNAL_H
#define ATOMSIM_CAPTURE_CONVERT_WALK_INTERNAL_H

#include "capture/convert/walk.h"

#define WALK_NO_WAY G_MAXINT

struct WalkMap {
	const SassFunction *function;
	bool stepped;
	int n;		     /* instructions */
	int **distances;     /* by instruction: see walk_distances, NULL until asked for */
	guint *first_source; /* by instruction: its first place in sources */
	int *sources;	     /* instructions that may go on to another without an event */
};

/* Whether a lane that executes the instruction makes an event in this capture. */
bool walk_is_wall(const WalkMap *map, int index);

/* From each instruction: the instructions executed, itself included, until `to` is reached on the
   shortest way that passes no event; WALK_NO_WAY if there is none. */
const int *walk_distances(WalkMap *map, int to);

#endif
