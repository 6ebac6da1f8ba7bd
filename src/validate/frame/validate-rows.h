/* SPDX-License-Identifier: MIT */
/* Rows of a table simulated side by side. Only the files beside it that add points may include it. */
#ifndef ATOMSIM_VALIDATE_FRAME_VALIDATE_ROWS_H
#define ATOMSIM_VALIDATE_FRAME_VALIDATE_ROWS_H

#include "base/csv.h"
#include "validate/frame/validate.h"
#include "sim/run/machine.h"

/* Work on one of n rows. On any thread; rows do not know of each other. */
typedef void (*EachRow)(gpointer data, guint i);

/* Does that for all rows i < n, on validation->n_threads threads of which the caller's is one. Errors: ATOMSIM_ERROR_RUN:
   validation->progress has ended it. */
gboolean measured_rows_each(const Validation *validation, guint n, EachRow each, gpointer data,
			    GError **error);

/* A row to simulate. */
typedef struct {
	guint row;	       /* of the table */
	gconstpointer program; /* what `simulate` runs */
	const char *operation; /* constant; NULL: the row is passed over, */
	const char *why;       /* constant: for that reason */
	char *pattern;
	double measured, simulated;
	gboolean held_back;	  /* no constant was chosen by it */
	const char *launch_class; /* of the last run; constant, or NULL */
	GError *error;		  /* of its run */
} MeasuredRow;

/* Simulates row->program into row->simulated, or sets row->error. On any thread. */
typedef void (*SimulateRow)(const Machine *machine, MeasuredRow *row);

/* So many MeasuredRow, all zero. g_array_unref. */
GArray *measured_points_new(guint n);
/* Simulates all and adds their points, in their order. Errors: that of the first row that has one; that of measured_rows_each. */
gboolean measured_rows_add(Validation *validation, const Machine *machine,
			   const CsvTable *table, GArray *rows, SimulateRow simulate,
			   GError **error);
/* Whether the machine has a memory side; else an error (ATOMSIM_ERROR_CONFIG). */
gboolean measured_rows_need_slices(const Machine *machine, const CsvTable *table,
				   GError **error);

/* --- Figures as papers state them, and what simulated runs of workloads give (validate-metric.c) --- */

/* Adds a point for each row of a table with the columns that docs/papers/measured.md describes that names a run and has a
   value. Errors as validate_add_file. */
gboolean validate_add_metrics(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error);

/* --- Whole kernels, measured and replayed (forms/validate-kernel.c) --- */

/* Adds a point for each row of a table with the columns `trace`, `program` and `cycles` whose trace is
   there: NAME.bin in the folder that is named as the table without .csv. Errors as
   validate_add_file. */
gboolean validate_add_kernels(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error);

/*
 * --- Which rows of a folder of measurements (atomsim measure) are simulated: all of a large table would take hours (sample.c) ---
 *
 * atomsim derive reads all rows, sampled or not; what is held out from it are whole files that no line of derive.csv reads.
 */

/* A table of fewer rows has one row of each kind: all of them are simulated. */
#define SAMPLE_LEAST_ROWS 200

/*
 * Whether the row is simulated: of a large table some 60 rows, a third of its cells or fewer, whole ones. A cell is what the columns left of the first measured one
 * say, so repeats of a cell stay together; which cells, a checksum of the file's name and the cell says. So it is the same on every day, and on
 * every GPU, but where a cell names what measure scales by the GPU, such as blocks.
 */
gboolean sample_has(const CsvTable *table, guint row);

/*
 * --- What the launch of a row found, as columns say it that are named as keys: launch.l2, launch.place, ... (launch-columns.c) ---
 *
 * A row says what it was measured in, whatever the config's launches find.
 */

/* Whether there are any. Their names are not looked at. */
gboolean launch_columns_are(const CsvTable *table);

/* Puts what the row says into *state. FALSE: ATOMSIM_ERROR_INPUT with file:line, what was found and what is allowed. */
gboolean launch_columns_read(const CsvTable *table, guint row, LaunchState *state,
			     GError **error);

/* What the launch of a row finds where no column says otherwise: what the machine's launches find, but the L2 warm where that is home,
   as programs that measure launch a kernel again and again. */
LaunchState launch_measured(const Machine *machine);

/* The same, but that its warps start together: for programs that are timed from behind a barrier on. Of a machine that is in the row's
   state already. */
LaunchState launch_together(const Machine *machine);

#endif
