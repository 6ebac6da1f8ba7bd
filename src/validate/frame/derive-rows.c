/* SPDX-License-Identifier: MIT */
#include "validate/frame/derive-rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Which rows --- */

typedef enum { IS, IS_NOT, BELOW, AT_MOST, ABOVE, AT_LEAST } Relation;

typedef struct {
	guint column;
	Relation relation;
	char **values; /* one of them; the last four relations know one number */
	double number;
} Condition;

static void condition_clear(gpointer condition)
{
	g_strfreev(((Condition *)condition)->values);
}

/* A cell that is a number, all of it. */
static gboolean number_of(const char *cell, double *number)
{
	char *end = NULL;

	*number = g_ascii_strtod(cell, &end);
	return end != cell && *end == '\0';
}

static Relation relation_of(const char *at, gsize *length)
{
	static const struct {
		const char *sign;
		Relation relation;
	} signs[] = {{"!=", IS_NOT}, {"<=", AT_MOST}, {">=", AT_LEAST},
		     {"<", BELOW},   {">", ABOVE},    {"=", IS}};
	guint i = 0;

	while (!g_str_has_prefix(at, signs[i].sign) && i + 1 < G_N_ELEMENTS(signs))
		i++;
	*length = strlen(signs[i].sign);
	return signs[i].relation;
}

static char *read_condition(const CsvTable *table, const char *text, Condition *condition)
{
	const gsize name = strcspn(text, "!<>=");
	g_autofree char *column = g_strstrip(g_strndup(text, name));
	int found = csv_column(table, column);
	gsize length;

	if (text[name] == '\0')
		return g_strdup_printf("'%s' has no relation; allowed: = != < <= > >=", text);
	if (found < 0)
		return g_strdup_printf("%s has no column '%s'", csv_path(table), column);
	condition->column = (guint)found;
	condition->relation = relation_of(text + name, &length);
	condition->values = g_strsplit(text + name + length, "|", -1);
	if (condition->relation >= BELOW &&
	    (!condition->values[0] || !number_of(condition->values[0], &condition->number)))
		return g_strdup_printf("'%s' does not compare with a number", text);
	return NULL;
}

static char *read_conditions(const CsvTable *table, const char *rows, GArray *conditions)
{
	g_auto(GStrv) texts = g_strsplit(rows, " & ", -1);

	for (guint i = 0; texts[i]; i++) {
		Condition condition = {0};
		char *why = read_condition(table, texts[i], &condition);

		g_array_append_val(conditions, condition);
		if (why)
			return why;
	}
	return NULL;
}

static gboolean meets(const Condition *condition, const char *cell)
{
	const gboolean named = g_strv_contains((const char *const *)condition->values, cell);
	double number = 0;

	if (condition->relation == IS || condition->relation == IS_NOT)
		return named == (condition->relation == IS);
	if (!number_of(cell, &number))
		return FALSE;
	switch (condition->relation) {
	case BELOW:
		return number < condition->number;
	case AT_MOST:
		return number <= condition->number;
	case ABOVE:
		return number > condition->number;
	default:
		return number >= condition->number;
	}
}

static gboolean meets_all(const GArray *conditions, const CsvTable *table, guint row)
{
	for (guint i = 0; i < conditions->len; i++) {
		const Condition *condition = &g_array_index(conditions, Condition, i);

		if (!meets(condition, csv_cell(table, row, condition->column)))
			return FALSE;
	}
	return TRUE;
}

/* --- What of them --- */

typedef struct {
	int y, x;	  /* columns; -1: none */
	int other;	  /* that y is divided by, or less by; -1: none */
	gboolean divided; /* "cycles/accesses" */
	gboolean inverse; /* "1/cycles" */
} Columns;

static char *read_columns(const CsvTable *table, const char *of, gboolean line,
			  Columns *columns)
{
	g_auto(GStrv) by = g_strsplit(of, " by ", 2);
	const gboolean less = strstr(of, " - ") != NULL;
	g_auto(GStrv) two = g_strsplit(by[0] ? by[0] : "", less ? " - " : "/", 2);
	const gboolean both = two[0] && two[1];

	if (line != (by[0] && by[1]))
		return g_strdup_printf(
			"'%s' found; allowed: %s", of,
			line ? "a column by another"
			     : "a column, a quotient of two or their difference");
	columns->divided = both && !less;
	columns->inverse = columns->divided && strcmp(two[0], "1") == 0;
	columns->y = two[0] && !columns->inverse ? csv_column(table, two[0]) : -1;
	columns->other = both ? csv_column(table, two[1]) : -1;
	columns->x = line ? csv_column(table, by[1]) : -1;
	if ((columns->y < 0 && !columns->inverse) || (both && columns->other < 0) ||
	    (line && columns->x < 0))
		return g_strdup_printf("%s has no columns '%s'", csv_path(table), of);
	return NULL;
}

typedef struct {
	double x, y;
} Point;

static gboolean read_cell(const CsvTable *table, guint row, int column, double *number)
{
	return column < 0 || number_of(csv_cell(table, row, (guint)column), number);
}

static char *read_point(const CsvTable *table, guint row, const Columns *columns, Point *point)
{
	double other = columns->divided ? 1 : 0;

	*point = (Point){0, 1};
	if (!read_cell(table, row, columns->y, &point->y) ||
	    !read_cell(table, row, columns->x, &point->x) ||
	    !read_cell(table, row, columns->other, &other) || (columns->divided && other == 0))
		return g_strdup_printf("%s:%u: no number where one is asked for",
				       csv_path(table), csv_line(table, row));
	if (columns->divided)
		point->y /= other;
	else
		point->y -= other;
	return NULL;
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

static char *take_rows(const CsvTable *table, const char *rows, const Columns *columns,
		       GArray *points)
{
	g_autoptr(GArray) conditions = g_array_new(FALSE, FALSE, sizeof(Condition));
	char *why;

	g_array_set_clear_func(conditions, condition_clear);
	why = read_conditions(table, rows, conditions);
	for (guint row = 0; !why && row < csv_rows(table); row++) {
		Point point;

		if (!meets_all(conditions, table, row))
			continue;
		why = read_point(table, row, columns, &point);
		g_array_append_val(points, point);
	}
	if (!why && points->len == 0)
		return g_strdup_printf("%s has no row with %s", csv_path(table), rows);
	return why;
}

char *row_statistic(const CsvTable *table, const char *rows, const char *of,
		    const char *statistic, RowStatistic *result)
{
	g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(Point));
	Columns columns = {0};
	guint s = 0;
	char *why;

	while (s < G_N_ELEMENTS(statistics) && strcmp(statistics[s].name, statistic) != 0)
		s++;
	if (s == G_N_ELEMENTS(statistics))
		return g_strdup_printf("'%s' found; allowed: median, mean, min, max, slope, "
				       "intercept",
				       statistic);
	why = read_columns(table, of, statistics[s].line, &columns);
	if (!why)
		why = take_rows(table, rows, &columns, points);
	if (why)
		return why;
	g_array_sort(points, compare_points);
	*result = (RowStatistic){
		points->len,
		statistics[s].of(&g_array_index(points, Point, 0), points->len),
		g_array_index(points, Point, 0).y,
		g_array_index(points, Point, points->len - 1).y,
	};
	if (!isfinite(result->value))
		return g_strdup_printf("%s: all rows with %s have the same x: %s",
				       csv_path(table), rows, of);
	return NULL;
}
