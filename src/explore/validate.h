/* SPDX-License-Identifier: MIT */
/*
 * How right is a config? Measured points are simulated one by one, and the errors summed up.
 * Who may include it: explore and cli.
 */
#ifndef ATOMSIM_EXPLORE_VALIDATE_H
#define ATOMSIM_EXPLORE_VALIDATE_H

#include <glib.h>

#include "sim/machine.h"

/* One measured point. */
typedef struct {
	char *file;
	guint line;
	char *pattern;
	char *family; /* the pattern's name up to the first '/' */
	double measured_cycles;
	double simulated_cycles;
	double error; /* (simulated - measured) / measured */
} ValidationPoint;

/* How far off a set of points is, by the size of the relative error. */
typedef struct {
	guint points;
	double median_relative_error; /* of an even number: the mean of the middle two */
	double p90_relative_error;    /* nearest rank: the ceil(0.9 n)-th smallest */
	double max_relative_error;
} ErrorSummary;

/* An empty set of points, and what frees it: g_ptr_array_unref. */
GPtrArray *validate_points_new(void);

/*
 * Reads and simulates a file of one-warp points and adds them to the set. Columns: `pattern`,
 * `cycles` (measured, above 0) and `addresses` (word indexes of up to 32 lanes from lane 0 on,
 * separated by blanks, - for an idle lane); others are ignored. Each row is one warp that does one
 * 32-bit integer atomic add. Errors: ATOMSIM_ERROR_IO; ATOMSIM_ERROR_INPUT with file:line;
 * ATOMSIM_ERROR_RUN if the machine cannot run a row.
 */
gboolean validate_add_file(GPtrArray *points, const Machine *machine, const char *path,
			   GError **error);

/* Sums up the points of a family, or all for NULL. All zero if there are none. */
ErrorSummary validate_summarise(const GPtrArray *points, const char *family);

/* The families in the order of their first points: NULL-terminated, owned by the points. The
   array itself: g_free. */
const char **validate_families(const GPtrArray *points);

/* The points by the size of their error, worst first; ties in the order of the points. The
   elements are owned by `points`. */
GPtrArray *validate_worst(const GPtrArray *points);

#endif
