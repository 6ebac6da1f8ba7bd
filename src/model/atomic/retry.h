/* SPDX-License-Identifier: MIT */
/*
 * Who tries again when, of the lanes that find their lock set, or their word reserved: all, one of a warp's, or in the order of asking;
 * and how long a warp backs off. Designs that no GPU is known to have (keys retry, back_off_cycles, back_off_doublings).
 * Who may include it: mechanisms whose lanes try again (lock-bits, cas-loop, cas-loop of global words), and tests.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_RETRY_H
#define ATOMSIM_MODEL_ATOMIC_RETRY_H

#include "base/key.h"
#include "model/atomic/mechanism.h"

typedef enum {
	RETRY_ALL,
	RETRY_ONE_WINNER, /* none before its lock is free, and one of those that want it */
	RETRY_FIFO,	  /* the same, in the order in which lanes have asked for it */
	N_RETRIES
} Retry;

extern const KeyNames retry_names;

typedef struct {
	Retry who;
	uint32_t
		back_off_cycles; /* after a lost round a warp waits for a time drawn up to this; 0: none */
	uint32_t back_off_doublings;
} RetryParameters;

/* What the keys of a mechanism's `retry`, a RetryParameters of its parameters (owner), have in common; prefix: "atomic.cas_loop". */
#define RETRY_KEY_WHO(prefix, owner)                                                           \
	.path = prefix ".retry", KEY_FIELD(KEY_CHOICE, Retry, owner, retry.who),               \
	.names = &retry_names, .default_value = "all"
#define RETRY_KEY_BACK_OFF(prefix, owner)                                                      \
	.path = prefix ".back_off_cycles", KEY_CYCLES(owner, retry.back_off_cycles, 0),        \
	.default_value = "0"
#define RETRY_KEY_DOUBLINGS(prefix, owner)                                                     \
	.path = prefix ".back_off_doublings",                                                  \
	KEY_NUMBER(owner, retry.back_off_doublings, 0, 20), .default_value = "6",              \
	.needs = prefix ".back_off_cycles", .doc = "Most doublings of the longest back-off.",  \
	.neutral = true, .source = "a design"

/* For rules: what is not allowed of them together ("allowed: ..."), or NULL. */
const char *retry_problem_of(const RetryParameters *parameters);

#define LOCK_HELD   UINT64_MAX /* free_at of a lock that is set until nobody knows yet when */
#define LOCK_NOBODY UINT16_MAX /* first of a lock's queue: it is empty */

/* What lanes wait for: locks, numbered from 0, and from when on each is free. */
typedef struct {
	uint32_t n;
	const uint16_t *of_word; /* NULL: each word is a lock of its own */
	const Cycle *free_at;
} RetryLocks;

/* Who waits for what, in an SM. */
typedef struct RetryWaits RetryWaits;

RetryWaits *retry_waits_new(const RetryParameters *parameters, const RetryLocks *locks);
void retry_waits_free(RetryWaits *waits);

/* By lock the first lane of its queue, or LOCK_NOBODY. */
const uint16_t *retry_queues(const RetryWaits *waits);

/* The slot's warp begins an atomic. */
void retry_begin(RetryWaits *waits, uint32_t slot);
/* Of these lanes, those that may try at `start`: they have not waited yet, or what they wait for is free. 0: none. */
LaneMask retry_may_try(const RetryWaits *waits, const Atomic *atomic, LaneMask lanes,
		       Cycle start);
/* Of these lanes, those of this lock. */
LaneMask retry_lanes_of(const RetryWaits *waits, const Atomic *atomic, LaneMask lanes,
			uint32_t lock);
/* Which of these lanes, all of one lock, is first in its queue; MAX_LANES: none. */
uint32_t retry_first_of(const RetryWaits *waits, const Atomic *atomic, LaneMask lanes,
			uint32_t lock);
/* Whether the lane would get its lock at `start`. */
bool retry_is_free(const RetryWaits *waits, const Atomic *atomic, uint32_t lane, Cycle start);
/* The lane has not got its lock: it waits, where lanes do. */
void retry_wait(RetryWaits *waits, const Atomic *atomic, uint32_t lane);
/* The lane has got it. */
void retry_won(RetryWaits *waits, const Atomic *atomic, uint32_t lane);

/* A lock will be free from `at` on, which is later than the instruction being executed: wakes who is parked for it. */
void retry_freed(RetryWaits *waits, const AtomicUnit *unit, uint32_t lock, Cycle at);
/* When a warp goes on that could at `ready`, after a round of which it has won something or not; by `salt`, another one each
   time, its wait is drawn. *failed_rounds: how many it has lost one behind the other; 0 before the first. */
Cycle retry_back_off(const RetryParameters *parameters, uint32_t *failed_rounds, bool won,
		     uint64_t salt, Cycle ready);
/* When a warp with lanes left begins its next round, which it could at `ready`; NEVER: it is parked. won: a lane of it has won
   the round that ends. */
Cycle retry_next(RetryWaits *waits, const AtomicUnit *unit, const Atomic *atomic, bool won,
		 Cycle ready);

/* Hardware of both designs, for rows of costs: counters of a back-off; */
void retry_count_back_off(const RetryParameters *parameters, const CostMachine *machine,
			  CostPart *part);
/* and which lanes of resident warps wait for which of n_locks, or, in a queue, who is next. */
void retry_count_lanes(const RetryParameters *parameters, const CostMachine *machine,
		       uint32_t n_locks, CostPart *part);

#endif
