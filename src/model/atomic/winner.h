/* SPDX-License-Identifier: MIT */
/*
 * Which lane gets a free lock that several lanes of one warp try. The literature does not say, so
 * it is a rule with a name (key atomic.winner). Pure. Who may include it: model and above.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_WINNER_H
#define ATOMSIM_MODEL_ATOMIC_WINNER_H

#include <stdint.h>

#include "base/words.h"

typedef enum {
	WINNER_LOWEST,	/* the lowest active lane */
	WINNER_HIGHEST, /* the highest */
	WINNER_ROTATE, /* the first at or after the (round mod 32)-th active lane; mod 64 with over 32 */
	WINNER_RANDOM, /* any, by the seed */
	N_WINNER_RULES
} WinnerRule;

extern const char *const winner_names[N_WINNER_RULES];

/* A number that differs between atomics and depends on nothing else: for winner_pick. */
uint64_t winner_salt(uint64_t seed, uint64_t block, uint32_t warp, uint64_t atomic_index);

/* The winning lane, 0 .. 63, among `candidates` (not 0), of the atomic's n_lanes. round counts from 0; lock is the lock
   bit's number. */
uint32_t winner_pick(WinnerRule rule, LaneMask candidates, uint32_t n_lanes, uint64_t round,
		     uint32_t lock, uint64_t salt);

#endif
