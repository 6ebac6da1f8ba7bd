/* SPDX-License-Identifier: MIT */
/*
 * Sweeps: what is varied, and which points that makes. Everything here is a pure function of the
 * user's words. Who may include it: explore, cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_SWEEP_H
#define ATOMSIM_EXPLORE_SWEEP_SWEEP_H

#include <glib.h>

#include "transform/what-if.h"

#define SWEEP_MAX_POINTS  1000000
#define SWEEP_CONFIG_AXIS "config" /* the axis whose values are whole configs */
#define SWEEP_WHAT_IF	  "what_if."
#define SWEEP_MAX_SHARDS  1000 /* a merge has one file of each open */

/* One key and the values it takes. */
typedef struct {
	char *key;	      /* atomic.locks; or an option of the workload */
	char **values;	      /* as --set takes them, NULL-terminated */
	guint n_values;	      /* 1 or more */
	gboolean of_workload; /* set by whoever knows the workload */
} SweepAxis;

/*
 * Parses "KEY=VALUES": values separated by commas, each a value as --set takes it or a range of
 * whole numbers FROM..TO (steps of one), FROM..TO:+STEP or FROM..TO:*FACTOR, TO included when it is
 * met. Errors: ATOMSIM_ERROR_USAGE.
 */
SweepAxis *sweep_axis_parse(const char *text, GError **error);
/* The same with the values still to be filled in by sweep_axis_add. */
SweepAxis *sweep_axis_new(const char *key);
/* Appends values written as above. Errors do not name the key. */
gboolean sweep_axis_add(SweepAxis *axis, const char *values, GError **error);
/* Appends one value as it is. */
void sweep_axis_add_value(SweepAxis *axis, const char *value);
void sweep_axis_free(SweepAxis *axis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepAxis, sweep_axis_free)
/* Whether an axis changes the traces: its key begins with SWEEP_WHAT_IF. */
gboolean sweep_axis_is_what_if(const SweepAxis *axis);

typedef enum {
	SWEEP_PRODUCT, /* every value with every other; the last axis changes fastest */
	SWEEP_ZIP,     /* the i-th value of each axis together */
	SWEEP_SAMPLE,  /* a Latin hypercube: each axis' values equally often, shuffled */
} SweepMode;

/* The combinations of values; a sweep runs each on each of its traces. */
typedef struct {
	GPtrArray *axes; /* of SweepAxis */
	SweepMode mode;
	guint n_combinations;
	guint32 *sampled; /* SWEEP_SAMPLE: [combination * axes->len + axis] */
} SweepPlan;

/*
 * Takes the axes (GPtrArray of SweepAxis with its free function). n_samples and seed are for
 * SWEEP_SAMPLE. Errors: ATOMSIM_ERROR_USAGE for a key given twice, axes of unequal length to be
 * zipped, a sample larger than the product, and more than SWEEP_MAX_POINTS points.
 */
SweepPlan *sweep_plan_new(GPtrArray *axes, SweepMode mode, guint64 n_samples, guint64 seed,
			  GError **error);
void sweep_plan_free(SweepPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepPlan, sweep_plan_free)

/* The value of an axis in a combination (from 0). Owned by the plan. */
const char *sweep_plan_value(const SweepPlan *plan, guint combination, guint axis);
/* The changes of a combination: what_if.NAME=VALUE is NAME=VALUE of transform/what-if.h, except that
   what_if.map and a what_if.pad without a colon belong to what_if.replicate; the value none leaves a
   change out. Errors: ATOMSIM_ERROR_USAGE. */
WhatIf *sweep_plan_what_if(const SweepPlan *plan, guint combination, GError **error);
/* The config that a combination runs on, by name, where configs are varied (SWEEP_CONFIG_AXIS); NULL:
   they are not. Owned by the plan. */
const char *sweep_plan_config(const SweepPlan *plan, guint combination);
/* "key=value" of the workload's or of the config's axes, NULL-terminated. g_strfreev. */
char **sweep_plan_settings(const SweepPlan *plan, guint combination, gboolean of_workload);
/* "atomic.locks=64, sm.count=2": for messages. g_free. */
char *sweep_plan_describe(const SweepPlan *plan, guint combination);

/* Shard I of N has the points (counted from 1) whose number is I modulo N: so 0/N .. N-1/N and
   1/N .. N/N both are all of them. 1/1 is everything. */
typedef struct {
	guint index; /* 0 .. count; count and 0 mean the same */
	guint count; /* 1 .. SWEEP_MAX_SHARDS */
} SweepShard;

/* Parses "I/N". Errors: ATOMSIM_ERROR_USAGE. */
gboolean sweep_shard_parse(const char *text, SweepShard *shard, GError **error);
/* The shard that Slurm's environment names (SLURM_ARRAY_TASK_ID, _COUNT, ...), or 1/1 outside of an
   array. `get` looks up a variable, as g_getenv does. */
gboolean sweep_shard_from_slurm(const char *(*get)(const char *name), SweepShard *shard,
				GError **error);
/* Whether a point (from 0) is of the shard. */
gboolean sweep_shard_has(const SweepShard *shard, guint point);

#endif
