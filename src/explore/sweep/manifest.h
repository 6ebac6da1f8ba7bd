/* SPDX-License-Identifier: MIT */
/* sweep.json: what a folder's results are results of. Who may include it: explore's sweeps, cli. */
#ifndef ATOMSIM_EXPLORE_SWEEP_MANIFEST_H
#define ATOMSIM_EXPLORE_SWEEP_MANIFEST_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "explore/sweep/points.h"

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

#endif
