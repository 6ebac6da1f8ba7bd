/* SPDX-License-Identifier: MIT */
/*
 * The lines of a sweep on disk: JSON Lines, one line a point, each beginning {"point":N,"status":"complete",
 * with N from 1 and ending in its sweep's identity and its checksum (seal.h). Those of results are whole; those of a journal
 * are brief, and results are made of them. Who may include it: explore's sweeps, cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_LINES_H
#define ATOMSIM_EXPLORE_SWEEP_LINES_H

#include <glib.h>

#include "explore/sweep/sweep.h"

#define SWEEP_LINE_START "{\"point\":"
#define SWEEP_COMPLETE	 "complete"

/* What a brief line has, and a whole one has not. */
#define SWEEP_COUNTS "counts"

/* Where a point's line is; length 0: nowhere. */
typedef struct {
	int fd;
	goffset offset;
	gsize length;	 /* with its newline */
	gboolean failed; /* its status is another than SWEEP_COMPLETE */
} SweepLine;

/* The number (from 1) that a line begins with, or 0. */
guint sweep_line_point(const char *line);
/* Whether its simulation could not go on. */
gboolean sweep_line_failed(const char *line);

/*
 * Finds the lines of a journal. Stops at the first that is cut off, has a NUL, is given twice or is no
 * point of the shard, for the end of a file can be like this when its writer was killed; *good is where
 * that begins. Errors: ATOMSIM_ERROR_IO; ATOMSIM_ERROR_INPUT, with the line, for a whole line that is
 * not as it was written, or of another sweep than `identity` (explore/sweep/seal.h).
 */
gboolean sweep_lines_find(const char *path, int fd, const SweepShard *shard, guint n_points,
			  const char *identity, SweepLine *lines, goffset *good,
			  GError **error);

/* The same of results, which have each point of the shard once and nothing else: all else is an
   error. */
gboolean sweep_lines_find_all(const char *path, int fd, const SweepShard *shard, guint n_points,
			      const char *identity, SweepLine *lines, GError **error);

#endif
