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
	const char *point; /* what it is, for the data; NULL: nothing is said of any */
	gboolean alone;	   /* no line leads to it; the same of all of its series */
} SeriesPoint;

/*
 * Draws the points to `svg`, which must have a format of gnuplot.h; its data and gnuplot script are left beside it
 * with .csv and .gp, also when gnuplot is missing or fails. If all x are numbers they are where
 * their values are (on a scale of powers of two if they span more than 16 times the least), else
 * side by side, in the order in which they come. Errors: ATOMSIM_ERROR_IO.
 */
gboolean report_series(const char *svg, const char *title, const char *x_name,
		       const char *y_name, const SeriesPoint *points, guint n, GError **error);

/* Parts each series in two: the points of which no other has less x and no more y, or less y and no more x, and the others, which stand
   alone. All x must be numbers. Names are kept in `texts`. */
void series_part_front(SeriesPoint *points, guint n, GStringChunk *texts);

#endif
