/* SPDX-License-Identifier: MIT */
/* What files of advise share. */
#ifndef ATOMSIM_EXPLORE_ADVISE_INTERNAL_H
#define ATOMSIM_EXPLORE_ADVISE_INTERNAL_H

#include "config/acts.h"
#include "explore/advise/advise.h"
#include "transform/arrays.h"

/* A change worth a try. */
typedef struct {
	AdviceCause cause;
	bool of_design;
	char *change;
	char *words;
	const SharedArray *array; /* NULL: a design */
} Candidate;

/* Whether tries of spin locks are in vain, by lanes of the same warp or of others. */
bool advice_locks_contend(const SimResult *result);

/* The changes that fit the causes which the unchanged run shows, and that can act on it, of Candidate. */
GPtrArray *advice_candidates(const KeyRun *run, const GPtrArray *arrays, uint32_t n_warps);

/* Fills in what is known of such changes on this machine. */
void advice_set_known_errors(Advice *advice, const Machine *machine);

#endif
