/* SPDX-License-Identifier: MIT */
/*
 * Warp schedulers: which of the ready warps issues next. Interchangeable policies.
 *
 * A policy is one file, sched-*.c, and one word in the list below. It sees warp slots of its SM
 * as bits of a mask; those of other schedulers are never set. Pure but for its own state.
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_SCHEDULER_H
#define ATOMSIM_MODEL_SCHEDULER_H

#include <stdint.h>

/* Every policy; sched-NAME.c defines scheduler_NAME. */
#define SCHEDULERS(X) X(lrr) X(gto) X(two_level)

#define MAX_WARP_SLOTS 64
#define MAX_SCHEDULERS 8

/* One scheduler of one SM. */
typedef struct {
	uint32_t last; /* slot that issued last; of the first scheduler slot 63 at first */
	const uint64_t
		*age;	   /* by slot: number of its warp's arrival at the SM, lower is older */
	uint32_t n_groups; /* two-level: fetch groups of this scheduler's slots */
	uint64_t groups[MAX_WARP_SLOTS]; /* their slots */
	uint32_t group;			 /* two-level: the group being served */
} SchedulerState;

typedef struct {
	const char *name;    /* as in a config: two-level */
	const char *summary; /* one line */
	/* The slot that issues: one of `ready`, which is not 0. */
	uint32_t (*pick)(SchedulerState *state, uint64_t ready);
} Scheduler;

#define X(name) extern const Scheduler scheduler_##name;
SCHEDULERS(X)
#undef X

extern const Scheduler *const schedulers[]; /* NULL-terminated */
/* NULL if there is none of this name. */
const Scheduler *scheduler_find(const char *name);

/* Readies the state of scheduler number `index` of `n_schedulers`: slot w belongs to scheduler
   w mod n_schedulers. age: MAX_WARP_SLOTS entries, kept by the SM. group_warps: warps of a fetch
   group. */
void scheduler_init(SchedulerState *state, uint32_t index, uint32_t n_schedulers,
		    uint32_t group_warps, const uint64_t *age);

/* The first slot of `ready` (not 0) after slot `last`, around the end. */
uint32_t scheduler_next_slot(uint64_t ready, uint32_t last);

#endif
