/* SPDX-License-Identifier: MIT */
/*
 * The results of a sweep, made of the lines of its points: results.jsonl, and of that alone the table results.csv.
 * Who may include it: explore's sweeps, cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_RESULTS_H
#define ATOMSIM_EXPLORE_SWEEP_RESULTS_H

#include <glib.h>

#include "explore/sweep/lines.h"

struct cJSON;

#define SWEEP_RESULTS "results.jsonl"
#define SWEEP_TABLE   "results.csv"

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

/* Writes the lines that there are, in the order of their points, to results.jsonl and results.csv
   in the folder: each appears when it is complete, the table first. Errors: ATOMSIM_ERROR_IO,
   ATOMSIM_ERROR_INPUT for a line that does not say what it should. */
gboolean sweep_results_write(const char *folder, const SweepLines *lines,
			     const SweepWriter *writer, GError **error);
/* The table alone, made from lines that are results already. */
gboolean sweep_table_write(const char *folder, const SweepLines *lines,
			   const SweepWriter *writer, GError **error);

#endif
