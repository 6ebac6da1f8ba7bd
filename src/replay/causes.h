/* SPDX-License-Identifier: MIT */
/*
 * Why a run takes its time, by elimination: it is repeated with one thing ideal at a time (model/ideals.h), and what that
 * saves is what the thing costs. What cannot matter, as its counters say, is not run.
 * Costs of several things overlap: two that are waited for at the same time each save little alone. So all together are run, too.
 * Who may include it: replay and every layer above.
 */
#ifndef ATOMSIM_REPLAY_CAUSES_H
#define ATOMSIM_REPLAY_CAUSES_H

#include <glib.h>

#include "replay/ideal-runs.h"

/* Of runs that execute no more warp instructions than this causes are found where nobody says otherwise: such a run takes
   under two seconds on an ordinary machine. */
#define CAUSES_MOST_INSTRUCTIONS UINT64_C(8000000)

#define CAUSES_ALL "all" /* what reports call all of them together */

typedef enum { WANTED_NO, WANTED_AUTO, WANTED_YES } Wanted;

/* Without one thing, or several. */
typedef struct {
	bool known;	 /* it can matter, and the run without it reached its end */
	uint64_t cycles; /* of that run; no more than the run's */
	RunOrderKind
		order; /* in which its warps come. ORDER_ORIGINAL: in every other one it takes longer than the run; what that did can
	               be done with less to wait for, too, and saves nothing */
} Cause;

typedef struct {
	Cause without[N_IDEALS];
	Cause all; /* without any of them: what is left; not known if none can matter */
} Causes;

/* Cycles that a run of so many takes less without it; 0 if it takes more. */
uint64_t cause_saves(const Cause *cause, uint64_t cycles);

/* Whether the thing, IDEAL_*, can have cost that run anything. */
bool cause_applies(unsigned i, const Machine *machine, const SimResult *run);

/*
 * Finds them. runs: of the run, whose machine is as it was asked for. contention_free: the same run with all contention
 * ideal; NULL: it is not known. Returns false, with *causes of no use, if progress ends it.
 */
bool causes_find(IdealRuns *runs, const SimResult *contention_free, Causes *causes);

#endif
