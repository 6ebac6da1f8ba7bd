/* SPDX-License-Identifier: MIT */
/*
 * Results of a sweep on disk: JSON Lines, one line a point, each beginning {"point":N,"status":"complete",
 * with N from 1 and ending in its sweep's identity and its checksum (seal.h). The lines of a journal are so,
 * too, and brief: results are made of them. The CSV is made from the results alone. Who may include it:
 * explore's sweeps, cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_RESULTS_H
#define ATOMSIM_EXPLORE_SWEEP_RESULTS_H

#include <glib.h>

#include "explore/sweep/sweep.h"

struct cJSON;

#define SWEEP_RESULTS "results.jsonl"
#define SWEEP_TABLE   "results.csv"

#define SWEEP_COMPLETE "complete"

/* What a brief line has, and a whole one has not. */
#define SWEEP_COUNTS "counts"

/* Where a point's line is; length 0: nowhere. */
typedef struct {
	int fd;
	goffset offset;
	gsize length;	 /* with its newline */
	gboolean failed; /* its status is another than SWEEP_COMPLETE */
} SweepLine;

/* What results are made with. */
typedef struct {
	/* The whole line of a point (from 0) of which a journal has a brief one, with a SWEEP_COUNTS. NULL
	   and *error if that does not say it. cJSON_Delete. NULL: all lines must be whole. */
	struct cJSON *(*whole)(gpointer data, guint point, const struct cJSON *brief,
			       GError **error);
	gpointer data;
	/* Appends a whole line as a row of the table, after the header if asked for. May take parts of
	   it out. */
	void (*row)(GString *text, struct cJSON *line, gboolean with_header);
} SweepWriter;

/* The lines of all points that results are made of. */
typedef struct {
	const SweepLine *lines; /* n_points */
	guint n_points;
	const char *identity; /* of the sweep */
} SweepLines;

/* "FOLDER/NAME: WHAT: REASON" for errno, as an ATOMSIM_ERROR_IO. Returns FALSE. */
gboolean sweep_io_error(GError **error, const char *path, const char *what, int reason);

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

/* Writes the lines that there are, in the order of their points, to results.jsonl and results.csv
   in the folder: each appears when it is complete, the table first. Errors: ATOMSIM_ERROR_IO,
   ATOMSIM_ERROR_INPUT for a line that does not say what it should. */
gboolean sweep_results_write(const char *folder, const SweepLines *lines,
			     const SweepWriter *writer, GError **error);
/* The table alone, made from lines that are results already. */
gboolean sweep_table_write(const char *folder, const SweepLines *lines,
			   const SweepWriter *writer, GError **error);

#endif
