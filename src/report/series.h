/* SPDX-License-Identifier: MIT */
/* A figure of lines: one value over another, a line for each series. Who may include it: report,
   cli. */
#ifndef ATOMSIM_REPORT_SERIES_H
#define ATOMSIM_REPORT_SERIES_H

#include <glib.h>

typedef struct {
	const char *series; /* name of its line; "" for the only one */
	const char *x;	    /* a number or a word */
	double y;
} SeriesPoint;

/*
 * Draws the points to `svg`, which must have a format of gnuplot.h; its data and gnuplot script are left beside it
 * with .csv and .gp, also when gnuplot is missing or fails. If all x are numbers they are where
 * their values are (on a scale of powers of two if they span more than 16 times the least), else
 * side by side, in the order in which they come. Errors: ATOMSIM_ERROR_IO.
 */
gboolean report_series(const char *svg, const char *title, const char *x_name,
		       const char *y_name, const SeriesPoint *points, guint n, GError **error);

#endif
