/* SPDX-License-Identifier: MIT */
/*
 * Keys that a sweep varied without effect, found in its table alone: points that differ in nothing else and have the same
 * figures. Figures are all columns but those that say what the point is. Who may include it: cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_IDLE_H
#define ATOMSIM_EXPLORE_SWEEP_IDLE_H

#include <glib.h>

typedef struct {
	char *key;   /* what was varied; several, where they were varied together: "A, B" */
	char *trace; /* its name */
	char *words; /* "every figure is the same with 64 and 1024" */
	gboolean
		some; /* no effect between some values, or in some combinations: `words` says which */
} SweepIdle;

/* Of each trace, key by key in the order of the columns; an empty array if all had an effect, or the table, which a sweep
   has written, cannot be read. GPtrArray of SweepIdle. g_ptr_array_unref. */
GPtrArray *sweep_idle_find(const char *table);

#endif
