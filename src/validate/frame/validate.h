/* SPDX-License-Identifier: MIT */
/*
 * How right is a config? Measured points are simulated one by one, and the errors summed up.
 * Who may include it: explore and cli.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_VALIDATE_H
#define ATOMSIM_VALIDATE_FRAME_VALIDATE_H

#include <glib.h>

#include "sim/run/machine.h"

/* Of a point that says what is allowed. */
typedef enum { VERDICT_NONE, VERDICT_HOLDS, VERDICT_MISSES } Verdict;

/* One measured point. */
typedef struct {
	char *file;
	guint line;
	const char *operation; /* constant: "iadd_ret", ... */
	char *pattern;
	char *family; /* the pattern's name up to the first '/' */
	double measured_cycles;
	double simulated_cycles;
	double error;	    /* (simulated - measured) / measured */
	gboolean held_back; /* the file says so: no constant was fitted to it */
	const char *
		launch_class; /* constant: what replay/expected-error.h says of the run; NULL: nothing, or it is no run of a launch */
	/* Of published figures: what both values are, and what the simulated one may be. */
	char *unit;    /* NULL: cycles */
	char *allowed; /* "2.0 .. 3.1", "over 1"; NULL: nothing is said */
	Verdict verdict;
} ValidationPoint;

/* How far off a set of points is, by the size of the relative error. */
typedef struct {
	guint points;
	double mean_relative_error;
	double median_relative_error; /* of an even number: the mean of the middle two */
	double p90_relative_error;    /* nearest rank: the ceil(0.9 n)-th smallest */
	double max_relative_error;
} ErrorSummary;

#define VALIDATE_KERNEL "kernel" /* the operation of blocks of kernels */
/* Those of whole launches: cycles, and what the GPU's counters count. */
#define VALIDATE_LAUNCH	      "launch"
#define VALIDATE_INSTRUCTIONS "instructions"
#define VALIDATE_CONFLICTS    "conflicts"
#define VALIDATE_PUBLISHED    "published" /* figures of papers */
#define VALIDATE_LEAST_CYCLES 1e-3	  /* a relative error needs a measurement above 0 */

/* Rows of a file that are no points, and why: nothing is left out unsaid. */
typedef struct {
	char *file;
	guint first_line; /* of them */
	guint rows;	  /* 1 or more */
	const char *why;  /* constant, continues "passed over: " */
} PassedOver;

/* What came of some files. */
typedef struct {
	GPtrArray *points; /* ValidationPoint */
	GPtrArray *passed; /* PassedOver, one for each file and reason */
	gboolean sampled;  /* only a sample of large tables is simulated (sample.h) */
	guint left_out;	   /* rows that are not in it */
	guint n_threads; /* of the rows of a file; 0: as many as processors. The points do not depend on it */
	/* Asked on the thread that adds a file whether to go on: `done` of n rows of the file have been begun. NULL: always. */
	gboolean (*progress)(gpointer data, guint done, guint n);
	gpointer progress_data;
} Validation;

Validation *validation_new(void); /* without points */
void validation_free(Validation *validation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Validation, validation_free)

/* Adds a point and returns it, owned by the validation. operation: a constant. */
ValidationPoint *validate_point_add(Validation *validation, const char *file, guint line,
				    const char *operation, const char *pattern,
				    double measured_cycles, double simulated_cycles);
/* Counts a row that is no point. why: a constant. */
void validate_pass_over(Validation *validation, const char *file, guint line, const char *why);

/*
 * A file of measured points. A column `form` names the trace texts that its rows are compared with (form.h, docs/reference/trace-text.md); without
 * one its columns say what it has, else it is of the form `atomic`. Columns that are not named here are ignored, cycles are above 0.
 * - `trace`, `program`, `cycles`: each row is blocks of a kernel that share an SM, alone on it, whose trace
 *   is NAME.bin in the folder that is named as the file without .csv; rows without one are passed over.
 * - `trace`, `program`, `cycles_active` and, if they are there, `instructions` and `shared_conflicts`: each
 *   row is a whole launch on the whole GPU, its trace likewise; a point for each, but for those of 0.
 * - `id`, `workload`, `params`, `metric`, `value`, `unit`, `relation`, `tolerance`: each row is a figure as a
 *   paper states it, and what the runs that it names give (docs/papers/measured.md); `measured_cycles` and
 *   `simulated_cycles` of such a point are in its unit.
 * Columns that are named as keys, launch.l2, launch.place, launch.sms and launch.warps, say what the launch of a row found (docs/reference/configs.md); in
 * their place the config's launches find it. Nothing else of the machine is another than the config's. Single warps, blocks, figures of
 * papers and counters have no such columns.
 * In the last three a column `held_back` of 0 and 1 says which rows no constant was fitted to.
 */
typedef struct MeasuredFile MeasuredFile;

/* Reads it, its forms and the tables that they join, but neither traces nor rows. Errors:
   ATOMSIM_ERROR_IO, ATOMSIM_ERROR_INPUT. */
MeasuredFile *measured_file_read(const char *path, GError **error);
void measured_file_free(MeasuredFile *file);
const char *measured_file_path(const MeasuredFile *file); /* as it was given */
/* Rows that validate_add looks at: all, or of a large table its sample. */
guint measured_file_rows(const MeasuredFile *file, gboolean sampled);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MeasuredFile, measured_file_free)

/* Simulates its points and adds them to the set. Errors: ATOMSIM_ERROR_IO; ATOMSIM_ERROR_INPUT with
   file:line; ATOMSIM_ERROR_RUN if the machine cannot run a row. */
gboolean validate_add(Validation *validation, const Machine *machine, const MeasuredFile *file,
		      GError **error);
/* Reads and adds. */
gboolean validate_add_file(Validation *validation, const Machine *machine, const char *path,
			   GError **error);

/* Sums up the points of an operation and a family; NULL: of all. All zero if there are none. */
ErrorSummary validate_summarise(const GPtrArray *points, const char *operation,
				const char *family);

/* Sums up the points of an operation that were held back from every fit. */
ErrorSummary validate_summarise_held_back(const GPtrArray *points, const char *operation);

/* Whether the simulation puts variants in the order in which they were measured. */
typedef struct {
	guint pairs; /* of one operation and family whose measured cycles differ by over 5 % */
	guint right; /* of them: the same one is faster in the simulation */
} Ranking;

Ranking validate_rank(const GPtrArray *points, const char *operation);

/* The families, the operations in the order of their first points: NULL-terminated, owned by the
   points. The array itself: g_free. */
const char **validate_families(const GPtrArray *points);
const char **validate_operations(const GPtrArray *points);

/* The points by the size of their error, worst first; ties in the order of the points. The
   elements are owned by `points`. */
GPtrArray *validate_worst(const GPtrArray *points);

#endif
