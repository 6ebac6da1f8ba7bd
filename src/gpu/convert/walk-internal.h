/* SPDX-License-Identifier: MIT */
/* What walk.c and the other files of walk.h share; for them alone. */
#ifndef ATOMSIM_GPU_CONVERT_WALK_INTERNAL_H
#define ATOMSIM_GPU_CONVERT_WALK_INTERNAL_H

#include "base/words.h"

#include "gpu/convert/walk.h"
#include "gpu/sass/link.h"

#define WALK_NO_PATH   G_MAXINT
#define WALK_MAX_CALLS 16 /* calls within calls that are followed */

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
   shortest way that passes no event; WALK_NO_PATH if there is none. */
const int *walk_distances(WalkMap *map, int to);

/* Lanes that go together. */
typedef struct {
	uint32_t mask;	  /* 0: the group is gone */
	int at;		  /* instruction that comes next */
	bool waits;	  /* at a join or a sync of the warp, which it has executed */
	uint32_t expects; /* lanes that it waits for, itself included */
	guint last_step;  /* its last step's number + 1, 0 if none */
} WalkGroup;

typedef struct {
	WalkMap *map;
	const GPtrArray *events;
	uint64_t function_pc;
	ComputeWarp *values; /* NULL: not known */
	GArray *steps;
	WalkCounts *counts;
	guint due;	/* the event that comes next */
	guint due_step; /* steps there were when it came up */
	uint32_t alive; /* lanes that have not ended */
	WalkGroup groups[TRACE_MAX_LANES];
	guint next_event
		[TRACE_MAX_LANES];	 /* of each lane; the number of events if it has none */
	int next_index[TRACE_MAX_LANES]; /* its instruction, -1 */
	/* Of each lane's last attempt in a retry loop: word and lanes. */
	uint64_t tried_word[TRACE_MAX_LANES];
	uint32_t tried_lanes[TRACE_MAX_LANES];
	uint32_t joins[SASS_N_BARRIERS][TRACE_MAX_LANES]; /* lanes that each will join with */
	uint32_t kept[SASS_UNIFORM]
		     [TRACE_MAX_LANES]; /* by register: joins put there for later */
	int returns[TRACE_MAX_LANES][WALK_MAX_CALLS];
	guint n_calls[TRACE_MAX_LANES];
} Walk;

static inline const RawEvent *walk_event(const Walk *walk, guint number)
{
	return g_ptr_array_index(walk->events, number);
}

/* walk-groups.c */

/* Takes lanes out of a group, to a group of their own. */
WalkGroup *walk_split(Walk *walk, WalkGroup *group, uint32_t mask);
/* Lets groups that wait at `at` go on, as one. */
void walk_release(Walk *walk, int at, uint32_t mask);
/* Releases all groups whose lanes are there. */
void walk_release_complete(Walk *walk);
/* The group has come to where lanes wait for each other. */
void walk_wait(Walk *walk, WalkGroup *group, uint32_t expects);
/* One group of the lanes at the instruction, wherever they were. */
WalkGroup *walk_gather(Walk *walk, uint32_t mask, int at);
/* A group with lanes of the event that is not there yet; NULL if there is none. */
WalkGroup *walk_find_late(Walk *walk, uint32_t mask, int at);
/* The group that has all these lanes and others; NULL if none has. */
WalkGroup *walk_find_together(Walk *walk, uint32_t mask);

/* walk-branches.c */

/* Instructions until the lane's next event, if it goes on at `at`. */
int walk_distance(Walk *walk, int lane, int at);
/* The group's lanes execute the instruction: a step. */
void walk_add_step(Walk *walk, WalkGroup *group, const RawEvent *event, uint32_t mask,
		   bool taken);
/* An event may be the begin of an attempt of a retry loop. */
void walk_note_attempt(Walk *walk, const RawEvent *event, int at);
/* Whether branches go as the lanes calculate. */
bool walk_is_calculated(const Walk *walk);

/* A branch that the text gives the target of; one to somewhere; a call; a return. */
void walk_branch(Walk *walk, WalkGroup *group, const SassInstruction *instruction);
void walk_part_alike(Walk *walk, WalkGroup *group);
void walk_branch_somewhere(Walk *walk, WalkGroup *group);
void walk_call(Walk *walk, WalkGroup *group, const SassInstruction *instruction);
void walk_come_back(Walk *walk, WalkGroup *group);

#endif
