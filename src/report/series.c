/* SPDX-License-Identifier: MIT */
#include "report/series.h"

#include <string.h>

#include "base/csv-cell.h"
#include "report/gnuplot.h"
#include "report/report.h"

#define WIDE_SPAN 16 /* from where on a logarithmic scale reads better */

static const char *const colors[] = {"#4477aa", "#cc6677", "#228833", "#ccbb44",
				     "#66ccee", "#aa3377", "#777777"};

/* What the lines have in common. */
typedef struct {
	const SeriesPoint *points;
	guint n;
	GPtrArray *series, *words; /* names as they come: of lines, of x */
	gboolean numeric, wide;
} Figure;

static guint place_of(GPtrArray *names, const char *name)
{
	guint i = 0;

	while (i < names->len && strcmp(g_ptr_array_index(names, i), name) != 0)
		i++;
	if (i == names->len)
		g_ptr_array_add(names, (char *)name);
	return i;
}

static gboolean parse(const char *text, double *number)
{
	char *end = NULL;

	if (!g_ascii_isdigit(*text) && *text != '-')
		return FALSE;
	*number = g_ascii_strtod(text, &end);
	return *end == '\0';
}

static void look(Figure *figure)
{
	double least = G_MAXDOUBLE, most = 0, x = 0;

	figure->numeric = TRUE;
	for (guint i = 0; i < figure->n; i++) {
		place_of(figure->series, figure->points[i].series);
		place_of(figure->words, figure->points[i].x);
		figure->numeric = figure->numeric && parse(figure->points[i].x, &x);
		least = MIN(least, x);
		most = MAX(most, x);
	}
	figure->wide = figure->numeric && least > 0 && most / least >= WIDE_SPAN;
}

static double position(const Figure *figure, const SeriesPoint *point)
{
	double x = 0;

	if (figure->numeric)
		parse(point->x, &x);
	else
		x = place_of(figure->words, point->x);
	return x;
}

static int compare(gconstpointer a, gconstpointer b, gpointer data)
{
	const SeriesPoint *p = a, *q = b;
	const Figure *figure = data;
	guint s = place_of(figure->series, p->series), t = place_of(figure->series, q->series);
	double x = position(figure, p), y = position(figure, q);

	if (s != t)
		return s < t ? -1 : 1;
	return (x > y) - (x < y);
}

/* A row a point, in the order in which the lines run. `line` numbers the series from 1. */
static char *series_data(const Figure *figure)
{
	g_autofree SeriesPoint *sorted =
		g_memdup2(figure->points, figure->n * sizeof(*figure->points));
	const gboolean named = figure->points[0].point != NULL;
	GString *csv = g_string_new("line,series,x,position,y");

	g_string_append(csv, named ? ",point\n" : "\n");

	g_qsort_with_data(sorted, (gint)figure->n, sizeof(*sorted), compare, (gpointer)figure);
	for (guint i = 0; i < figure->n; i++) {
		char number[G_ASCII_DTOSTR_BUF_SIZE];

		g_string_append_printf(csv, "%u,",
				       place_of(figure->series, sorted[i].series) + 1);
		csv_append_cell(csv, sorted[i].series);
		g_string_append_c(csv, ',');
		csv_append_cell(csv, sorted[i].x);
		g_string_append_c(csv, ',');
		g_ascii_formatd(number, sizeof(number), "%.15g", position(figure, &sorted[i]));
		g_string_append_printf(csv, "%s,", number);
		g_ascii_formatd(number, sizeof(number), "%.15g", sorted[i].y);
		g_string_append_printf(csv, "%s%s", number, named ? "," : "");
		if (named)
			csv_append_cell(csv, sorted[i].point);
		g_string_append_c(csv, '\n');
	}
	return g_string_free(csv, FALSE);
}

static void append_x_axis(GString *gp, const Figure *figure)
{
	if (figure->wide)
		g_string_append(gp, "set logscale x 2\n");
	if (figure->numeric)
		return;
	g_string_append_printf(gp, "set xrange [-0.5:%u.5]\nset xtics (",
			       figure->words->len - 1);
	for (guint i = 0; i < figure->words->len; i++) {
		g_autofree char *word = gnuplot_quote(g_ptr_array_index(figure->words, i));

		g_string_append_printf(gp, "%s%s %u", i > 0 ? ", " : "", word, i);
	}
	g_string_append(gp, ")\n");
}

static gboolean is_alone(const Figure *figure, guint series)
{
	for (guint i = 0; i < figure->n; i++)
		if (place_of(figure->series, figure->points[i].series) == series)
			return figure->points[i].alone;
	g_assert_not_reached();
}

static void append_lines(GString *gp, const Figure *figure)
{
	g_string_append(gp, "plot ");
	for (guint i = 0; i < figure->series->len; i++) {
		g_autofree char *name = gnuplot_quote(g_ptr_array_index(figure->series, i));
		g_autofree char *title = strcmp(name, "''") == 0
						 ? g_strdup("notitle")
						 : g_strconcat("title ", name, NULL);

		g_string_append_printf(gp,
				       "%sdata using ($1 == %u ? $4 : NaN):5 with %s "
				       "pointtype %u linecolor rgb '%s' %s",
				       i > 0 ? ", \\\n\t" : "", i + 1,
				       is_alone(figure, i) ? "points"
							   : "linespoints linewidth 2",
				       4 + i % 10, colors[i % G_N_ELEMENTS(colors)], title);
	}
	g_string_append(gp, "\n");
}

/* Of the height, above the points: a line of the key is a sixteenth of it. */
static double key_room(const Figure *figure)
{
	return 0.05 + 0.065 * MIN(figure->series->len, 8);
}

static char *script(const Figure *figure, const char *title, const char *x_name,
		    const char *y_name)
{
	g_autofree char *heading = gnuplot_quote(title);
	g_autofree char *x = gnuplot_quote(x_name);
	g_autofree char *y = gnuplot_quote(y_name);
	GString *gp = g_string_new(NULL);

	g_string_append_printf(gp,
			       "set grid x y linecolor '#dddddd'\n"
			       "set key top right opaque\n"
			       "set offsets graph 0.02, graph 0.02, graph %.2f, 0\n"
			       "set title %s\n"
			       "set xlabel %s\n"
			       "set ylabel %s\n"
			       "set yrange [0:*]\n",
			       key_room(figure), heading, x, y);
	append_x_axis(gp, figure);
	append_lines(gp, figure);
	return g_string_free(gp, FALSE);
}

gboolean report_series(const char *svg, const char *title, const char *x_name,
		       const char *y_name, const SeriesPoint *points, guint n, GError **error)
{
	g_autoptr(GPtrArray) series = g_ptr_array_new();
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	Figure figure = {points, n, series, words, FALSE, FALSE};
	g_autofree char *data = NULL;
	g_autofree char *text = NULL;

	g_assert(n > 0);
	look(&figure);
	data = series_data(&figure);
	text = script(&figure, title, x_name, y_name);
	return gnuplot_draw(svg, (GnuplotSize){960, 600}, text, data, error);
}

/* Whether p is no better than q in either, and worse in one. */
static gboolean is_behind(const SeriesPoint *p, const SeriesPoint *q)
{
	double x_of_p = 0, x_of_q = 0;

	if (strcmp(p->series, q->series) != 0)
		return FALSE;
	parse(p->x, &x_of_p);
	parse(q->x, &x_of_q);
	return x_of_q <= x_of_p && q->y <= p->y && (x_of_q < x_of_p || q->y < p->y);
}

void series_part_front(SeriesPoint *points, guint n, GStringChunk *texts)
{
	for (guint i = 0; i < n; i++)
		for (guint k = 0; k < n && !points[i].alone; k++)
			points[i].alone = is_behind(&points[i], &points[k]);
	for (guint i = 0; i < n; i++) {
		const char *name = points[i].series;
		g_autofree char *whole =
			g_strconcat(name, *name != '\0' ? ", " : "",
				    points[i].alone ? "dominated" : "front", NULL);

		points[i].series = g_string_chunk_insert_const(texts, whole);
	}
}
