/* SPDX-License-Identifier: MIT */
/* A statistic of some rows of a table of measurements. Who may include it: derive*.c. */
#ifndef ATOMSIM_VALIDATE_FRAME_DERIVE_ROWS_H
#define ATOMSIM_VALIDATE_FRAME_DERIVE_ROWS_H

#include "base/csv.h"

typedef struct {
	guint n;
	double value, least, most; /* the statistic; of what it is of */
	/* How far the rows contradict each other, as a part of the value: the distance of the quartiles; for a line, how far rows are from
	   it (root of the mean square) as a part of how far y ranges. */
	double apart;
} RowStatistic;

typedef struct {
	char *why;	  /* NULL: nothing is wrong. g_free */
	gboolean in_data; /* the measurements lack it; else the request itself is wrong */
} RowFault;

/*
 * Of the rows that meet all conditions: "warps=1 & op=ld|st & targets>=128", with = != < <= > >=; none: all rows. `of`: a column, a
 * quotient "cycles/accesses" or "1/cycles", a difference "a - b", and for slope and intercept "cycles by lines". `statistic`: median,
 * mean, min, max, slope, intercept; "upto F": of "cycles by bytes" the largest x up to which y is at most F times the least.
 */
RowFault row_statistic(const CsvTable *table, const char *rows, const char *of,
		       const char *statistic, RowStatistic *result);

/* The rows that meet all conditions, guint. g_array_unref. */
RowFault rows_that_meet(const CsvTable *table, const char *rows, GArray **met);

#endif
