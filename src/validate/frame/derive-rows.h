/* SPDX-License-Identifier: MIT */
/* A statistic of some rows of a table of measurements. Who may include it: derive.c. */
#ifndef ATOMSIM_VALIDATE_FRAME_DERIVE_ROWS_H
#define ATOMSIM_VALIDATE_FRAME_DERIVE_ROWS_H

#include "base/csv.h"

typedef struct {
	guint n;
	double value, least, most; /* the statistic; of what it is of */
} RowStatistic;

/*
 * Of the rows that meet all conditions: "warps=1 & op=ld|st & targets>=128", with = != < <= > >=. `of`: a column, a quotient
 * "cycles/accesses" or "1/cycles", a difference "a - b", and for slope and intercept "cycles by lines". `statistic`: median, mean, min, max, slope, intercept.
 * NULL, or what is wrong. g_free.
 */
char *row_statistic(const CsvTable *table, const char *rows, const char *of,
		    const char *statistic, RowStatistic *result);

#endif
