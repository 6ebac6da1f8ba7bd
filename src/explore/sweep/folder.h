/* SPDX-License-Identifier: MIT */
/*
 * The folder that a sweep fills, and survives in:
 *
 *   sweep.json     what was asked for, and which counters a line of the journal has; a folder belongs to one
 *                  sweep and one shard of it
 *   journal.jsonl  the points done so far, as they finished; each on the disk before it counts. A line has
 *                  what a run counted: the rest of its result follows from what was asked for
 *   results.jsonl  all points in order; when it is there the journal goes
 *   results.csv    the same as a table
 *   .lock          held by the process that writes, so freed by its death, however that comes
 *
 * Who may include it: explore's sweeps, cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_FOLDER_H
#define ATOMSIM_EXPLORE_SWEEP_FOLDER_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "explore/sweep/points.h"
#include "explore/sweep/results.h"

/* --- sweep.json: what a folder's results are results of (manifest.c) --- */

/* What a manifest says of its shard is the one thing in which the shards of one sweep differ. */
#define SWEEP_MANIFEST	      "sweep.json"
#define SWEEP_MANIFEST_SHARD  "shard"
#define SWEEP_MANIFEST_POINTS "points"

/* What a folder's sweep.json says. counts: of which counters the numbers in a line of the journal are;
   taken. Errors: of a trace that cannot be read. cJSON_Delete. */
cJSON *sweep_manifest_new(const Sweep *sweep, const char *version, cJSON *counts,
			  GError **error);

/* Reads a folder's manifest. cJSON_Delete. */
cJSON *sweep_manifest_read(const char *folder, GError **error);
/* What distinguishes the sweep from others: of all that the manifest says, but of which shard. g_free. */
char *sweep_manifest_identity(const cJSON *manifest);
/* "config.atomic.locks: 64, not 128": the first thing in which `found` is not `wanted`; NULL if none
   is. g_free. */
char *sweep_manifest_difference(const cJSON *found, const cJSON *wanted);

/* --- The folder --- */

#define SWEEP_JOURNAL "journal.jsonl"
#define SWEEP_LOCK    ".lock"

typedef struct SweepFolder SweepFolder;

/*
 * Whether there is a folder of what the manifest says: then its points have been checked, for a manifest is
 * written behind that.
 */
gboolean sweep_folder_is_of(const char *path, const cJSON *manifest);

/*
 * Makes or opens the folder and locks it. `manifest` says what is asked for; what there is must be
 * of the same, and `resume` must have been asked for if there is something. Errors:
 * ATOMSIM_ERROR_INPUT for results of something else, or a second writer; ATOMSIM_ERROR_IO.
 */
SweepFolder *sweep_folder_open(const char *path, const cJSON *manifest, const SweepShard *shard,
			       guint n_points, gboolean resume, GError **error);
void sweep_folder_close(SweepFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepFolder, sweep_folder_close)

/* Whether the point's line (from 0) is safe. */
gboolean sweep_folder_has(const SweepFolder *folder, guint point);

/* Points that are there but could not be simulated to their end. */
guint sweep_folder_n_failed(const SweepFolder *folder);

/* Appends whole lines of points that are not there yet and returns when they are on the disk. On an
   error those count that were written whole, and the journal ends behind them. */
gboolean sweep_folder_append(SweepFolder *folder, const char *lines, gsize length,
			     GError **error);

/* Takes lines that are elsewhere for those of all points; their files must stay open until the folder
   is finished. Without effect on a folder that has its results. */
void sweep_folder_adopt(SweepFolder *folder, const SweepLine *lines);

/* Writes the results when all points of the shard are there. */
gboolean sweep_folder_finish(SweepFolder *folder, const SweepWriter *writer, GError **error);

/* The identity of the folder's sweep, with which its lines end (seal.h). Owned by the folder. */
const char *sweep_folder_identity(const SweepFolder *folder);

#endif
