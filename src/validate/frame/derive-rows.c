/* SPDX-License-Identifier: MIT */
#include "validate/frame/derive-internal.h"

#include <math.h>
#include <string.h>

#define UPTO "upto "

/* --- What of the rows --- */

#define MOST_OTHERS 4

typedef struct {
	int y, x;		 /* columns; -1: none */
	int others[MOST_OTHERS]; /* that y is divided by, or less by */
	guint n_others;
	gboolean divided; /* "cycles/accesses" */
} Columns;

/* "cycles/blocks/threads", "1/cycles", "far - near". FALSE: the table has no such column. */
static gboolean find_columns(const CsvTable *table, const char *of, Columns *columns)
{
	const gboolean less = strstr(of, " - ") != NULL;
	g_auto(GStrv) names = g_strsplit(of, less ? " - " : "/", 1 + MOST_OTHERS);
	const gboolean inverse = !less && names[0] && names[1] && !strcmp(names[0], "1");

	columns->divided = !less;
	columns->y = names[0] && !inverse ? csv_column(table, names[0]) : -1;
	for (guint i = 1; names[0] && names[i]; i++) {
		columns->others[i - 1] = csv_column(table, names[i]);
		if (columns->others[i - 1] < 0)
			return FALSE;
		columns->n_others++;
	}
	return columns->y >= 0 || inverse;
}

static RowFault read_columns(const CsvTable *table, const char *of, gboolean line,
			     Columns *columns)
{
	g_auto(GStrv) by = g_strsplit(of, " by ", 2);
	const gboolean found = by[0] && find_columns(table, by[0], columns);

	if (line != (by[0] && by[1]))
		return (RowFault){
			g_strdup_printf(
				"'%s' found; allowed: %s", of,
				line ? "a column by another"
				     : "a column, a quotient of two or their difference"),
			FALSE};
	columns->x = line ? csv_column(table, by[1]) : -1;
	if (!found || (line && columns->x < 0))
		return (RowFault){
			g_strdup_printf("%s has no columns '%s'", csv_path(table), of), TRUE};
	return (RowFault){NULL, FALSE};
}

typedef struct {
	double x, y;
} Point;

static gboolean read_cell(const CsvTable *table, guint row, int column, double *number)
{
	const char *cell = column < 0 ? NULL : csv_cell(table, row, (guint)column);
	char *end = NULL;

	if (cell == NULL)
		return TRUE;
	*number = g_ascii_strtod(cell, &end);
	return end != cell && *end == '\0';
}

static RowFault read_point(const CsvTable *table, guint row, const Columns *columns,
			   Point *point)
{
	gboolean good;

	*point = (Point){0, 1};
	good = read_cell(table, row, columns->y, &point->y) &&
	       read_cell(table, row, columns->x, &point->x);
	for (guint i = 0; good && i < columns->n_others; i++) {
		double other = 0;

		good = read_cell(table, row, columns->others[i], &other) &&
		       (other != 0 || !columns->divided);
		point->y = columns->divided ? point->y / other : point->y - other;
	}
	if (good)
		return (RowFault){NULL, FALSE};
	return (RowFault){g_strdup_printf("%s:%u: no number where one is asked for",
					  csv_path(table), csv_line(table, row)),
			  TRUE};
}

/* --- Statistics --- */

static gint compare_points(gconstpointer a, gconstpointer b)
{
	const Point *p = a, *q = b;

	return (p->y > q->y) - (p->y < q->y);
}

static double mean_of(const Point *points, guint n)
{
	double sum = 0;

	for (guint i = 0; i < n; i++)
		sum += points[i].y;
	return sum / n;
}

/* A line by least squares; NAN: all have one x. */
static double line_of(const Point *points, guint n, gboolean slope)
{
	double x = 0, xx = 0, xy = 0, y = mean_of(points, n);

	for (guint i = 0; i < n; i++)
		x += points[i].x / n;
	for (guint i = 0; i < n; i++) {
		xx += (points[i].x - x) * (points[i].x - x);
		xy += (points[i].x - x) * (points[i].y - y);
	}
	return slope ? xy / xx : y - xy / xx * x;
}

/* What a part of the points, from 0 to 1, is at most. */
static double quantile_of(const Point *sorted, guint n, double part)
{
	const double at = part * (n - 1), below = floor(at);
	const guint i = (guint)below;

	return sorted[i].y + (at - below) * (sorted[MIN(i + 1, n - 1)].y - sorted[i].y);
}

static double median_of(const Point *sorted, guint n)
{
	return (sorted[(n - 1) / 2].y + sorted[n / 2].y) / 2;
}

static double min_of(const Point *sorted, guint n)
{
	(void)n;
	return sorted[0].y;
}

static double max_of(const Point *sorted, guint n)
{
	return sorted[n - 1].y;
}

static double slope_of(const Point *points, guint n)
{
	return line_of(points, n, TRUE);
}

static double intercept_of(const Point *points, guint n)
{
	return line_of(points, n, FALSE);
}

static const struct {
	const char *name;
	gboolean line;
	double (*of)(const Point *sorted, guint n);
} statistics[] = {
	{"median", FALSE, median_of}, {"mean", FALSE, mean_of},
	{"min", FALSE, min_of},	      {"max", FALSE, max_of},
	{"slope", TRUE, slope_of},    {"intercept", TRUE, intercept_of},
};

/* The largest x that no point with a y above the limit is at or below. */
static double upto_of(const Point *sorted, guint n, double times)
{
	double first_above = INFINITY, largest = NAN;

	for (guint i = 0; i < n; i++)
		if (sorted[i].y > times * sorted[0].y)
			first_above = MIN(first_above, sorted[i].x);
	for (guint i = 0; i < n; i++)
		if (sorted[i].x < first_above && !(sorted[i].x <= largest))
			largest = sorted[i].x;
	/* Where nothing is above, the end was not seen. */
	return isfinite(first_above) ? largest : NAN;
}

static double apart_of(const Point *sorted, guint n, gboolean line, double value)
{
	const double slope = line ? slope_of(sorted, n) : 0;
	const double start = line ? intercept_of(sorted, n) : 0;
	const double range = sorted[n - 1].y - sorted[0].y;
	double squares = 0;

	if (!line)
		return (quantile_of(sorted, n, 0.75) - quantile_of(sorted, n, 0.25)) /
		       MAX(fabs(value), 1e-9);
	for (guint i = 0; i < n; i++) {
		const double off = sorted[i].y - start - slope * sorted[i].x;

		squares += off * off / n;
	}
	return range > 0 ? sqrt(squares) / range : 0;
}

static RowFault take_points(const CsvTable *table, const char *rows, const Columns *columns,
			    GArray *points)
{
	GArray *met;
	RowFault fault = rows_that_meet(table, rows, &met);

	for (guint i = 0; !fault.why && i < met->len; i++) {
		Point point;

		fault = read_point(table, g_array_index(met, guint, i), columns, &point);
		g_array_append_val(points, point);
	}
	g_array_unref(met);
	return fault;
}

/* The row of statistics; their number for "upto F", whose F goes to *times. False: it is none. */
static gboolean find_statistic(const char *name, guint *s, double *times)
{
	char *end = NULL;

	for (*s = 0; *s < G_N_ELEMENTS(statistics); ++*s)
		if (strcmp(statistics[*s].name, name) == 0)
			return TRUE;
	if (!g_str_has_prefix(name, UPTO))
		return FALSE;
	*times = g_ascii_strtod(name + strlen(UPTO), &end);
	return *end == '\0' && *times >= 1;
}

RowFault row_statistic(const CsvTable *table, const char *rows, const char *of,
		       const char *statistic, RowStatistic *result)
{
	g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(Point));
	const guint upto = G_N_ELEMENTS(statistics);
	Columns columns = {0};
	double times = 0, value;
	RowFault fault;
	const Point *sorted;
	guint s;

	if (!find_statistic(statistic, &s, &times))
		return (RowFault){
			g_strdup_printf("'%s' found; allowed: median, mean, min, max, slope, "
					"intercept, upto and a factor",
					statistic),
			FALSE};
	fault = read_columns(table, of, s == upto || statistics[s].line, &columns);
	if (!fault.why)
		fault = take_points(table, rows, &columns, points);
	if (fault.why)
		return fault;
	g_array_sort(points, compare_points);
	sorted = &g_array_index(points, Point, 0);
	value = s == upto ? upto_of(sorted, points->len, times)
			  : statistics[s].of(sorted, points->len);
	*result = (RowStatistic){
		points->len, value, sorted[0].y, sorted[points->len - 1].y,
		s == upto ? 0 : apart_of(sorted, points->len, statistics[s].line, value)};
	if (s == upto)
		result->least = result->most = value;
	if (isfinite(value))
		return fault;
	return (RowFault){
		s == upto ? g_strdup_printf(
				    "%s: no row with %s is more than %g times the least: %s",
				    csv_path(table), rows, times, of)
			  : g_strdup_printf("%s: all rows with %s have the same x: %s",
					    csv_path(table), rows, of),
		TRUE};
}
