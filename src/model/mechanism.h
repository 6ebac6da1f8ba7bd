/* SPDX-License-Identifier: MIT */
#ifndef ATOMSIM_MODEL_MECHANISM_H
#define ATOMSIM_MODEL_MECHANISM_H

#include <stdint.h>

#include "model/hash.h"

typedef struct Mechanism Mechanism;

/* A rule that picks, among the lanes that try one free lock, the lane that gets it. */
typedef enum { WINNER_LOWEST, WINNER_HIGHEST, WINNER_ROTATE, WINNER_RANDOM, N_WINNER_RULES } WinnerRule;

typedef struct {
	const Mechanism *mechanism;
	uint32_t locks;             /* lock bits of an SM's table: 1 .. HASH_MAX_SIZE */
	HashSpec lock_hash;         /* word -> lock bit */
	WinnerRule winner;
	uint32_t t_base_cycles;     /* one warp, one round, no conflict */
	uint32_t t_position_cycles; /* each further round: t_base plus the branch back */
	uint32_t lk_cycles;         /* of t_base: load-and-lock until its data are there */
	uint32_t operation_cycles;  /* of t_base: the operation; the rest is store-and-unlock */
	uint32_t hold_cycles;       /* a lock stays set for this long after its unlocking store */
} AtomicParameters;

struct Mechanism {
	const char *name;
	const char *summary;
};

extern const Mechanism *const mechanisms[]; /* NULL-terminated */
const Mechanism *mechanism_find(const char *name);

extern const char *const winner_names[]; /* N_WINNER_RULES names */

#endif
