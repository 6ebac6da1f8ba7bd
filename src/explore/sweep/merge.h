/* SPDX-License-Identifier: MIT */
/* The shards of a sweep become one again. Who may include it: explore, cli. */
#ifndef ATOMSIM_EXPLORE_SWEEP_MERGE_H
#define ATOMSIM_EXPLORE_SWEEP_MERGE_H

#include <glib.h>

#include "explore/sweep/results.h"

typedef struct {
	guint n_points, n_failed;
} SweepMerged;

/*
 * Fills `output` with the results of the folders, byte for byte those of a sweep without shards. Of the
 * writer only `row` is needed, for results have whole lines.
 * Errors: ATOMSIM_ERROR_IO; ATOMSIM_ERROR_INPUT for a shard that is missing, given twice, not
 * finished, or of another sweep.
 */
gboolean sweep_merge_folders(const char *output, const char *const *folders,
			     const SweepWriter *writer, SweepMerged *merged, GError **error);

#endif
