/* SPDX-License-Identifier: MIT */
/* --plot of atomsim sweep: columns of the results as a figure. */
#include <string.h>

#include "cli/sweep/sweep.h"
#include "base/error.h"
#include "base/csv.h"
#include "report/gnuplot.h"
#include "report/series.h"

static const char *const names[] = {
	"x=", "y=", "series=", "file=", "front=", "title=", "xlabel=", "ylabel=", "label="};
enum { X, Y, SERIES, FILE_NAME, FRONT, TITLE, X_LABEL, Y_LABEL, LABEL };

static int name_of(const char *word)
{
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (g_str_has_prefix(word, names[i]))
			return (int)i;
	return -1;
}

gboolean sweep_is_plot_word(const char *word)
{
	return name_of(word) >= 0;
}

/* The word's value, or NULL: the last of those given. */
static const char *find(const char *const *words, int name)
{
	const char *value = NULL;

	for (guint i = 0; words[i] != NULL; i++)
		if (name_of(words[i]) == name)
			value = words[i] + strlen(names[name]);
	return value;
}

/* Where the plot goes, or NULL. g_free. */
static char *path_of(const char *const *words, const char *folder)
{
	const char *file = find(words, FILE_NAME);

	if (file == NULL && folder == NULL)
		return NULL;
	return file != NULL ? g_strdup(file) : g_build_filename(folder, "plot.svg", NULL);
}

/* That none of the plot's files is one of the sweep's own, which may not be there yet. */
static gboolean check_apart(const char *svg, const char *folder, GError **error)
{
	g_autofree char *csv = gnuplot_sibling(svg, ".csv");
	g_autofree char *table = g_build_filename(folder, SWEEP_TABLE, NULL);
	g_autofree char *path = g_canonicalize_filename(csv, NULL);
	g_autofree char *other = g_canonicalize_filename(table, NULL);

	if (strcmp(path, other) != 0)
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_USAGE,
		"--plot file=%s: its data would be %s, the sweep's table; allowed: another "
		"name",
		svg, table);
}

gboolean sweep_check_plot(const char *const *words, const char *folder, GError **error)
{
	const char *file = find(words, FILE_NAME);
	const char *problem = NULL;
	g_autofree char *svg = path_of(words, folder);

	if (name_of(words[0]) < 0 || find(words, X) == NULL || find(words, Y) == NULL)
		problem = "allowed: --plot x=KEY y=KEY [series=KEY] [front=yes] "
			  "[file=FILE.svg] [title=TEXT] [xlabel=TEXT] [ylabel=TEXT] "
			  "[label=TEXT]";
	else if (find(words, LABEL) != NULL && find(words, SERIES) == NULL)
		problem = "label= names the key of series=; allowed: both";
	else if (find(words, FRONT) != NULL && !g_str_equal(find(words, FRONT), "yes"))
		problem = "allowed: front=yes";
	else if (svg == NULL)
		problem = "without --output it needs file=FILE.svg";
	else if (file != NULL && !gnuplot_has_format(file))
		problem = "allowed: file=NAME that ends in .svg, .pdf or .png";
	if (problem == NULL && folder != NULL && !check_apart(svg, folder, error))
		return FALSE;
	/* The sweep makes its folder. */
	if (problem == NULL)
		return (file == NULL && !g_file_test(folder, G_FILE_TEST_EXISTS)) ||
		       gnuplot_check(svg, error);
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "--plot %s: %s", words[0], problem);
}

/* A key's column: as varied, of the statistics, or of the config. */
static gboolean find_column(const CsvTable *table, const char *key, guint *column,
			    GError **error)
{
	static const char *const prefixes[] = {"varied.", "", "config."};

	for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		g_autofree char *name = g_strconcat(prefixes[i], key, NULL);
		int found = csv_column(table, name);

		if (found >= 0) {
			*column = (guint)found;
			return TRUE;
		}
	}
	return csv_require(table, key, column, error);
}

gboolean sweep_check_columns(const char *const *words, const Sweep *sweep, GError **error)
{
	g_autofree char *header = sweep_columns(sweep);
	g_autoptr(CsvTable) table = csv_parse(SWEEP_TABLE, header, strlen(header), error);

	for (int name = X; table != NULL && name <= SERIES; name++) {
		const char *key = find(words, name);
		guint column;

		if (key == NULL || find_column(table, key, &column, NULL))
			continue;
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"--plot %s%s: no such column; allowed: a key that is varied, or a "
			"column of " SWEEP_TABLE ", such as cycles",
			names[name], key);
	}
	return table != NULL;
}

static gboolean differs(const CsvTable *table, guint column)
{
	for (guint row = 1; row < csv_rows(table); row++)
		if (strcmp(csv_cell(table, row, column), csv_cell(table, 0, column)) != 0)
			return TRUE;
	return FALSE;
}

/* A column that parts the points into lines. */
typedef struct {
	const char *key, *label; /* and its name in the legend */
	gboolean asked_for;	 /* as series */
	guint column;
} Part;

/* The series asked for, then all else that varies, but for traces not where a front is wanted: points that differ in it are not of one
   line. */
static gboolean find_parts(GArray *parts, const CsvTable *table, const char *const *words,
			   guint x, const SweepPlan *plan, GError **error)
{
	const char *series = find(words, SERIES);
	const guint first = find(words, FRONT) != NULL ? plan->axes->len : 0;
	const char *label = find(words, LABEL);
	Part part = {series, label != NULL ? label : series, TRUE, 0};

	if (series != NULL) {
		if (!find_column(table, series, &part.column, error))
			return FALSE;
		g_array_append_val(parts, part);
	}
	part.asked_for = FALSE;
	for (guint i = first; i <= plan->axes->len; i++) {
		const SweepAxis *axis =
			i < plan->axes->len ? g_ptr_array_index(plan->axes, i) : NULL;

		part.key = part.label = axis != NULL ? axis->key : "trace.name";
		if (g_strcmp0(part.key, series) != 0 &&
		    find_column(table, part.key, &part.column, NULL) && part.column != x &&
		    differs(table, part.column))
			g_array_append_val(parts, part);
	}
	return TRUE;
}

/* "mod" says what it is, "1" does not. */
static gboolean says_enough(const char *value)
{
	return !g_ascii_isdigit(*value) && *value != '-';
}

/* g_free. */
static char *series_name(const CsvTable *table, guint row, const GArray *parts)
{
	GString *name = g_string_new(NULL);

	for (guint i = 0; i < parts->len; i++) {
		const Part *part = &g_array_index(parts, Part, i);
		const char *value = csv_cell(table, row, part->column);
		const gboolean alone = part->asked_for && says_enough(value);

		g_string_append_printf(name, "%s%s%s%s", i > 0 ? ", " : "",
				       alone ? "" : part->label, alone ? "" : "=", value);
	}
	return g_string_free(name, FALSE);
}

/* The varied keys of a point: "atomic.locks=64, sm.count=2". g_free. */
static char *point_name(const CsvTable *table, guint row, const SweepPlan *plan)
{
	GString *name = g_string_new(NULL);

	for (guint i = 0; i < plan->axes->len; i++) {
		const SweepAxis *axis = g_ptr_array_index(plan->axes, i);
		guint column;

		if (find_column(table, axis->key, &column, NULL))
			g_string_append_printf(name, "%s%s=%s", name->len > 0 ? ", " : "",
					       axis->key, csv_cell(table, row, column));
	}
	return g_string_free(name, FALSE);
}

static gboolean take_points(GArray *points, GStringChunk *texts, const CsvTable *table, guint x,
			    guint y, const GArray *parts, const SweepPlan *plan, GError **error)
{
	guint status;

	if (!csv_require(table, "status", &status, error))
		return FALSE;
	for (guint row = 0; row < csv_rows(table); row++) {
		SeriesPoint point = {.x = csv_cell(table, row, x)};
		g_autofree char *name = series_name(table, row, parts);
		g_autofree char *varied = point_name(table, row, plan);

		if (strcmp(csv_cell(table, row, status), SWEEP_COMPLETE) != 0)
			continue;
		if (!csv_number(table, row, y, -G_MAXDOUBLE, &point.y, error))
			return FALSE;
		point.series = g_string_chunk_insert_const(texts, name);
		point.point = g_string_chunk_insert_const(texts, varied);
		g_array_append_val(points, point);
	}
	if (points->len == 0)
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: no point to plot: none was simulated to its end",
			     csv_path(table));
	return points->len > 0;
}

static gboolean part_front(const char *const *words, GArray *points, GStringChunk *texts,
			   GError **error)
{
	SeriesPoint *first = (SeriesPoint *)(gpointer)points->data;

	if (find(words, FRONT) == NULL)
		return TRUE;
	for (guint i = 0; i < points->len; i++) {
		if (g_ascii_isdigit(*first[i].x) || *first[i].x == '-')
			continue;
		return atomsim_fail(
			error, ATOMSIM_ERROR_USAGE,
			"--plot front=yes: x is '%s'; allowed: an x of numbers, such as "
			"cost_bits",
			first[i].x);
	}
	series_part_front(first, points->len, texts);
	return TRUE;
}

gboolean sweep_plot(const char *const *words, const char *folder, const SweepPlan *plan,
		    GError **error)
{
	const char *x_key = find(words, X), *y_key = find(words, Y);
	g_autofree char *path = g_build_filename(folder, SWEEP_TABLE, NULL);
	g_autofree char *svg = path_of(words, folder);
	g_autofree char *over = g_strdup_printf("%s over %s", y_key, x_key);
	g_autofree char *x_words = sweep_axis_words(x_key);
	g_autofree char *y_words = sweep_axis_words(y_key);
	const char *title = find(words, TITLE), *x_label = find(words, X_LABEL),
		   *y_label = find(words, Y_LABEL);
	g_autoptr(CsvTable) table = csv_read(path, error);
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Part));
	g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(SeriesPoint));
	g_autoptr(GStringChunk) texts = g_string_chunk_new(256);
	guint x, y;

	return table != NULL && find_column(table, x_key, &x, error) &&
	       find_column(table, y_key, &y, error) &&
	       find_parts(parts, table, words, x, plan, error) &&
	       take_points(points, texts, table, x, y, parts, plan, error) &&
	       part_front(words, points, texts, error) &&
	       report_series(svg, title ? title : over, x_label ? x_label : x_words,
			     y_label ? y_label : y_words, (const SeriesPoint *)points->data,
			     points->len, error);
}
