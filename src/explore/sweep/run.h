/* SPDX-License-Identifier: MIT */
/*
 * Runs the points of a sweep on all processors, each on one thread, and keeps the results in a
 * folder as they come. Who may include it: explore, cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_RUN_H
#define ATOMSIM_EXPLORE_SWEEP_RUN_H

#include <glib.h>

#include "explore/sweep/folder.h"
#include "explore/sweep/points.h"
#include "sim/run/run.h"

/* A point that has been run. */
typedef struct {
	const Sweep *sweep;
	guint point; /* from 0 */
	guint combination;
	const SweepInput *input;
	const Config *config; /* effective */
	const SimResult *result;
	const char
		*problem; /* why the simulation could not go on, in a line; NULL if it could */
} SweepPoint;

typedef struct {
	guint n_threads;
	/* The point's line of the journal, {"point":N,"status": first and a newline last; called from
	   several threads at once. g_free. */
	char *(*line)(const SweepPoint *point);
	/* From the caller's thread, now and then; FALSE interrupts. */
	gboolean (*progress)(gpointer data, guint64 done, guint64 total);
	gpointer progress_data;
	/* Called for each point that was run, from several threads at once. NULL: nobody asks. */
	void (*seen)(gpointer data, const SweepPoint *point);
	gpointer data; /* for seen */
} SweepHooks;

typedef struct {
	guint n_done;	  /* points run now */
	guint n_found;	  /* points that were there already */
	guint n_shared;	  /* of n_done: their run is another's (share.h) */
	guint64 executed; /* warp instructions of the runs */
} SweepTally;

/*
 * Runs what the folder does not have yet. A point whose simulation cannot go on (a deadlock, a
 * block too large) is a result like the others. Errors: of a trace that cannot be read, of the
 * folder, ATOMSIM_ERROR_RUN when interrupted; what was done until then is safe in the folder.
 */
gboolean sweep_run(const Sweep *sweep, SweepFolder *folder, const SweepHooks *hooks,
		   SweepTally *tally, GError **error);

#endif
