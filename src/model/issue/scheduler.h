/* SPDX-License-Identifier: MIT */
/*
 * Warp schedulers: which of the ready warps issues next. Interchangeable policies.
 *
 * A policy is one file, sched-*.c, and one word in the list below. It brings its own keys and its
 * own state. It sees warp slots of its SM as bits of a mask; those of other schedulers are never
 * set. Pure but for its own state. Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_ISSUE_SCHEDULER_H
#define ATOMSIM_MODEL_ISSUE_SCHEDULER_H

#include <stddef.h>
#include <stdint.h>

#include "base/key.h"

/* Every policy; sched-NAME.c defines scheduler_NAME. */
#define SCHEDULERS(X) X(lrr) X(gto) X(gty) X(oldest_block) X(two_level)

#define MAX_WARP_SLOTS 64
#define MAX_SCHEDULERS 8

/* SCHEDULER_lrr, ...: a policy's place in `schedulers`, and of its parameters in a Machine. */
enum {
#define X(name) SCHEDULER_##name,
	SCHEDULERS(X)
#undef X
		N_SCHEDULERS,
};

/* One scheduler of one SM. */
typedef struct {
	uint64_t slots;	     /* of its warps */
	uint32_t last;	     /* slot that issued last; slot 63 at first */
	const uint64_t *age; /* by slot: of its warp (scheduler_age), lower is older */
	void *own;	     /* the policy's; NULL: it has none */
} SchedulerState;

typedef struct {
	const char *name;    /* as in a config: two-level */
	const char *summary; /* one line */
	KeyTable keys;	     /* all 0: none */
	/* Its own state, from its own parameters; NULL: it has none. g_free. */
	void *(*new)(const void *parameters, uint64_t slots);
	size_t own_bytes; /* of it, no pointers and no times in them; else 0: failed attempts are not run
			     through (sim/sm/fast-forward.h) */
	/* The slot that issues: one of `ready`, which is not 0. */
	uint32_t (*pick)(SchedulerState *state, uint64_t ready);
} Scheduler;

#define X(name) extern const Scheduler scheduler_##name;
SCHEDULERS(X)
#undef X

extern const Scheduler *const schedulers[]; /* NULL-terminated, in the order of the list */

/* Readies the state of scheduler number `index` of `n_schedulers`: slot w belongs to scheduler
   w mod n_schedulers. parameters: by policy, as in a Machine. age: MAX_WARP_SLOTS entries, kept by the
   SM. */
void scheduler_init(const Scheduler *scheduler, SchedulerState *state, uint32_t index,
		    uint32_t n_schedulers, const void *const parameters[N_SCHEDULERS],
		    const uint64_t *age);
void scheduler_clear(SchedulerState *state);

/* Of a warp, by its number in its block and that of the block's arrival at the SM; and the block's. */
static inline uint64_t scheduler_age(uint64_t block, uint32_t warp)
{
	return block * MAX_WARP_SLOTS + warp;
}

static inline uint64_t scheduler_block_age(uint64_t age)
{
	return age / MAX_WARP_SLOTS;
}

/* The first slot of `ready` (not 0) after slot `last`, around the end. */
static inline uint32_t scheduler_next_slot(uint64_t ready, uint32_t last)
{
	uint64_t after = ready & UINT64_MAX << 1 << last;

	return (uint32_t)__builtin_ctzll(after ? after : ready);
}

/* The slot that issues: one of `ready`, which is not 0. Once an instruction, so the usual policy is
   here, too. */
static inline uint32_t scheduler_pick(const Scheduler *scheduler, SchedulerState *state,
				      uint64_t ready)
{
	return state->last = scheduler == &scheduler_lrr
				     ? scheduler_next_slot(ready, state->last)
				     : scheduler->pick(state, ready);
}

#endif
