/* SPDX-License-Identifier: MIT */
/*
 * The way of a warp through the machine code, found from its events: which instructions its lanes
 * executed, together or apart, in order. For convert/ and its tests.
 *
 * An event says that certain lanes were at a certain instruction. Between two events of a lane its
 * way is what the code allows: at each branch the lane goes where its next event can be reached. Where
 * both ways lead there, what the lane calculates says (compute.h); where that is not known, it goes the
 * shorter way, and these guesses are counted. Lanes that part join where the
 * code says so (BSSY names the place, at BSYNC lanes wait), as on the GPU.
 */
#ifndef ATOMSIM_GPU_CONVERT_WALK_H
#define ATOMSIM_GPU_CONVERT_WALK_H

#include <glib.h>

#include "gpu/convert/raw-file.h"
#include "gpu/sass/compute.h"

/* One instruction that a warp executed. */
typedef struct {
	const RawEvent *event; /* with its addresses behind it; NULL: it made none */
	int index;	       /* of the instruction */
	uint32_t mask;	       /* lanes, before its guard */
	bool taken;	       /* a branch: lanes went to its target */
	bool follows;	       /* the same lanes came from the step before this one */
	bool again; /* the rest of the step before this one: a generic access that made two events */
	uint8_t distinct; /* MATCH: different values among its lanes; WARPSYNC: masks; LDC: addresses; 0: not known */
	uint32_t value; /* what the one or the lowest lane holds there; 0: not known */
	guint noted; /* the load of a retry loop: compute_noted's number of what is added; 0: not known */
} WalkStep;

typedef struct {
	uint64_t guesses; /* branches that both ways lead to the next event from */
	uint64_t
		refuted; /* branches that went another way than what is known of the lanes says */
	uint64_t unresolved; /* events that no way was found to */
	uint64_t outside;    /* calls of functions that are not in the text */
} WalkCounts;

/* What is known of a function's ways, for all its warps. */
typedef struct WalkMap WalkMap;

/* `stepped`: the capture saw the instructions that SassInstruction.stepped marks. The function and
   its code must live as long. */
WalkMap *walk_map_new(const SassFunction *function, bool stepped);
void walk_map_free(WalkMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WalkMap, walk_map_free)

/* By instruction: a branch whose both ways may lead to the same event next, so that events do not say which was taken. Free with
   g_free. */
bool *walk_open_branches(const WalkMap *map);

/*
 * Walks a warp. `events`: of RawEvent *, in order, without its enter events; `entered`: its lanes;
 * `function_pc`: program counter of instruction 0; `values`: what the warp calculates, to tell which way
 * it goes where both lead on, NULL if that is not known. Appends WalkSteps to `steps`. Events at program
 * counters that are not the function's become steps with index -1.
 */
void walk_warp(WalkMap *map, const GPtrArray *events, uint32_t entered, uint64_t function_pc,
	       ComputeWarp *values, GArray *steps, WalkCounts *counts);

#endif
