/* SPDX-License-Identifier: MIT */
/*
 * The points of a sweep: its combinations of values, each on its traces, and the config of each. Who may include it:
 * explore, cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_POINTS_H
#define ATOMSIM_EXPLORE_SWEEP_POINTS_H

#include <glib.h>

#include "config/config.h"
#include "explore/sweep/sweep.h"
#include "trace/reader.h"

/* A trace that points run on; shared by all of them. */
typedef struct {
	TraceReader *reader;
	char *name;	       /* without folders */
	const cJSON *metadata; /* the reader's */
} SweepInput;

SweepInput *sweep_input_new(TraceReader *reader, const char *name);
void sweep_input_free(SweepInput *input);

typedef struct {
	const SweepPlan *plan;
	const Config *config; /* what the plan's settings are laid over */
	GHashTable *configs;  /* by name, where the plan varies configs: in place of it; NULL */
	GPtrArray *inputs;    /* of SweepInput */
	/* Generated traces: the input of each combination. NULL: each combination runs on each
	   input, and points are numbered input by input. */
	const guint *input_of;
	guint64 seed;
	SweepShard shard;
} Sweep;

guint sweep_n_points(const Sweep *sweep);
/* The effective config of a combination. Errors: ATOMSIM_ERROR_CONFIG. config_free. */
Config *sweep_config(const Sweep *sweep, guint combination, GError **error);
guint sweep_combination(const Sweep *sweep, guint point);
guint sweep_input(const Sweep *sweep, guint point); /* its place in inputs */

/* Checks the config of every point; generated traces need not be there yet. Errors: ATOMSIM_ERROR_CONFIG, naming the points. */
gboolean sweep_check(const Sweep *sweep, GError **error);

#endif
