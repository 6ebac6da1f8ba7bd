/* SPDX-License-Identifier: MIT */
/*
 * Loops in steady state are skipped in time: a launch of blocks that are all resident at once is simulated until the cycles that a
 * batch of its records takes are known, the records of the same kind that follow are left out, and what comes behind is simulated
 * again. docs/guide/within.md says how, and how often that was right.
 * Who may include it: replay.
 */
#ifndef ATOMSIM_REPLAY_LOOPS_H
#define ATOMSIM_REPLAY_LOOPS_H

#include "sim/run/run.h"
#include "trace/reader.h"

typedef struct Loops Loops;

/* What was left out, and what that would have taken. */
typedef struct {
	uint64_t records;  /* left out, of all warps; 0: the launch was simulated whole */
	double cycles;	   /* that the launch lacks, */
	double half_width; /* and half of the interval of the launch's with 95 % confidence */
} Skipped;

/* For a request whose blocks are all resident at once and of one shape. Looks at all records. NULL: nothing of it can be left out, *why
   says why (constant). */
Loops *loops_new(const SimRequest *request, TraceReader *reader, double within,
		 const char **why);
void loops_free(Loops *loops);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Loops, loops_free)

/* Runs it, leaving out what can be. The result is that of what was simulated. */
SimStatus loops_run(Loops *loops, SimResult *result, Skipped *skipped);

#endif
