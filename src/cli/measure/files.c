/* SPDX-License-Identifier: MIT */
/* From what a program printed to a file of the folder: whole or not at all, with the form that its rows are compared with. */
#include "cli/measure/measure.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/output.h"

static const OutputKind table_kind = {"a table", {",", NULL}};

static char *file_source(const Measurement *m, const MeasureFile *file)
{
	const char *name =
		strcmp(file->from, "stdout") == 0 || strcmp(file->from, MEASURE_LIST) == 0
			? "run.out"
		: strcmp(file->from, "stderr") == 0 ? "run.err"
						    : file->from;

	return g_build_filename(m->work, name, NULL);
}

/* --- The spread between repeats --- */

static int find_column(const CsvTable *table, const char *const *names)
{
	int column = -1;

	for (guint i = 0; names[i] != NULL && column < 0; i++)
		column = csv_column(table, names[i]);
	return column;
}

static gint compare(gconstpointer a, gconstpointer b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Per cent of the larger that least and most of a row's repeats are apart, at the median row; 0 for a table that has neither. */
static double spread_of(const CsvTable *table)
{
	static const char *const least_names[] = {"cycles_min", "min", "least", NULL};
	static const char *const most_names[] = {"cycles_max", "max", "most", NULL};
	const int least = find_column(table, least_names),
		  most = find_column(table, most_names);
	g_autoptr(GArray) spreads = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint row = 0; least >= 0 && most >= 0 && row < csv_rows(table); row++) {
		double low, high, percent;

		if (!csv_number(table, row, (guint)least, -HUGE_VAL, &low, NULL) ||
		    !csv_number(table, row, (guint)most, -HUGE_VAL, &high, NULL) || high <= 0)
			continue;
		percent = 100 * (high - low) / high;
		g_array_append_val(spreads, percent);
	}
	g_array_sort(spreads, compare);
	return spreads->len ? g_array_index(spreads, double, spreads->len / 2) : 0;
}

/* --- Writing --- */

/* The text with one more cell in each line, "form" in the first. */
static GString *with_form(const char *text, const char *form)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *out = g_string_new(NULL);

	for (guint i = 0; lines[i] != NULL; i++)
		if (*lines[i] != '\0')
			g_string_append_printf(out, "%s,%s\n", lines[i],
					       i == 0 ? "form" : form);
	return out;
}

/* Rows of a file that several programs write: those that were there of others, and these. */
static GString *with_others(const char *path, const char *text)
{
	const char *rows = strchr(text, '\n') + 1;
	const gsize mine = strcspn(rows, ",") + 1;
	g_autofree char *old = NULL;
	g_auto(GStrv) lines = NULL;
	GString *out = g_string_new(NULL);

	g_string_append_len(out, text, rows - text);
	if (g_file_get_contents(path, &old, NULL, NULL) &&
	    strncmp(old, text, rows - text) == 0) {
		lines = g_strsplit(old + (rows - text), "\n", -1);
		for (guint i = 0; lines[i] != NULL; i++)
			if (*lines[i] != '\0' && strncmp(lines[i], rows, mine) != 0)
				g_string_append_printf(out, "%s\n", lines[i]);
	}
	g_string_append(out, rows);
	return out;
}

static gboolean write_file(const Measurement *m, MeasureRun *run, const MeasureFile *file,
			   GError **error)
{
	g_autofree char *source = file_source(m, file), *text = NULL, *folder = NULL;
	g_autofree char *path = g_build_filename(m->folder, file->file, NULL);
	const gboolean is_list = strcmp(file->from, MEASURE_LIST) == 0;
	g_autoptr(CsvTable) table = NULL;
	g_autoptr(GString) whole = NULL;
	gsize length = 0;

	if (!g_file_get_contents(source, &text, &length, NULL) || length == 0)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "it has printed no %s",
				    file->file);
	table = csv_parse(file->file, text, length, error);
	if (table == NULL)
		return FALSE;
	if (csv_rows(table) == 0)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s has no rows", file->file);
	if (file->spread >= 0)
		run->spread = MAX(run->spread, spread_of(table));
	whole = is_list		      ? with_others(path, text)
		: *file->form != '\0' ? with_form(text, file->form)
				      : g_string_new(text);
	folder = g_path_get_dirname(path);
	if (g_mkdir_with_parents(folder, 0777) != 0)
		return atomsim_fail(error, ATOMSIM_ERROR_IO, "%s cannot be made", folder);
	return output_write_file(path, &table_kind, whole->str, whole->len, error);
}

void measure_files_clear(const Measurement *m, const MeasureRun *run)
{
	for (guint i = 0; i < run->files->len; i++) {
		g_autofree char *source = file_source(m, g_ptr_array_index(run->files, i));

		g_unlink(source);
	}
}

gboolean measure_files_write(const Measurement *m, MeasureRun *run, GError **error)
{
	run->spread = -1;
	for (guint i = 0; i < run->files->len; i++)
		if (!write_file(m, run, g_ptr_array_index(run->files, i), error))
			return FALSE;
	return TRUE;
}
