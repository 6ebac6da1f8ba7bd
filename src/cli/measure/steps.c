/* SPDX-License-Identifier: MIT */
/* The table of what is measured, steps.csv: a row for each file; rows one behind the other of one program with the same arguments are one run. */
#include "cli/measure/measure.h"

#include <string.h>

#include "base/csv.h"

enum { STEP, PROGRAM, ARGUMENTS, FROM, FILE_NAME, FORM, NEEDS, SECONDS, SPREAD, N_COLUMNS };
static const char *const column_names[N_COLUMNS] = {
	"step", "program", "arguments", "from", "file", "form", "needs", "seconds", "spread"};

static void free_file(gpointer data)
{
	MeasureFile *file = data;

	g_free(file->from);
	g_free(file->file);
	g_free(file->form);
	g_free(file);
}

static void free_run(gpointer data)
{
	MeasureRun *run = data;

	g_free(run->step);
	g_free(run->program);
	g_free(run->arguments);
	g_free(run->needs);
	g_free(run->why);
	g_ptr_array_unref(run->files);
	g_free(run);
}

static const char *cell(const CsvTable *table, guint row, const guint *columns, guint name)
{
	return csv_cell(table, row, columns[name]);
}

/* "sms>=8 compute_capability>=80": a name, and a number behind it; empty: nothing is needed. */
static gboolean check_needs(const CsvTable *table, guint row, guint column, GError **error)
{
	g_auto(GStrv) list = g_strsplit(csv_cell(table, row, column), " ", -1);

	for (guint i = 0; list[i] != NULL; i++) {
		const char *sign = strstr(list[i], ">=");
		char *end = NULL;

		if (sign != NULL)
			g_ascii_strtod(sign + 2, &end);
		if (sign == NULL || sign == list[i] || end == sign + 2 || *end != '\0')
			return csv_fail_cell(table, row, column, error,
					     "found '%s'; allowed: a fact of the GPU, >= and a "
					     "number, as in sms>=8, with a space between them",
					     list[i]);
	}
	return TRUE;
}

/* A word, or a table in the private folder. */
static gboolean check_from(const CsvTable *table, guint row, guint column, GError **error)
{
	static const char *const words[] = {"stdout", "stderr", MEASURE_LIST, NULL};
	const char *from = csv_cell(table, row, column);

	if (g_strv_contains(words, from) ||
	    (g_str_has_suffix(from, ".csv") && strchr(from, '/') == NULL))
		return TRUE;
	return csv_fail_cell(table, row, column, error,
			     "found '%s'; allowed: stdout, stderr, " MEASURE_LIST
			     ", or the name of a file, as in cycles.csv",
			     from);
}

static MeasureRun *new_run(const CsvTable *table, guint row, const guint *columns,
			   GError **error)
{
	MeasureRun *run = g_new0(MeasureRun, 1);

	run->step = g_strdup(cell(table, row, columns, STEP));
	run->program = g_strdup(cell(table, row, columns, PROGRAM));
	run->arguments = g_strdup(cell(table, row, columns, ARGUMENTS));
	run->needs = g_strdup(cell(table, row, columns, NEEDS));
	run->files = g_ptr_array_new_with_free_func(free_file);
	run->spread = -1;
	if (check_needs(table, row, columns[NEEDS], error) &&
	    csv_number(table, row, columns[SECONDS], 0, &run->estimate, error))
		return run;
	free_run(run);
	return NULL;
}

static gboolean add_file(MeasureRun *run, const CsvTable *table, guint row,
			 const guint *columns, GError **error)
{
	MeasureFile *file = g_new0(MeasureFile, 1);

	g_ptr_array_add(run->files, file);
	file->from = g_strdup(cell(table, row, columns, FROM));
	file->file = g_strdup(cell(table, row, columns, FILE_NAME));
	file->form = g_strdup(cell(table, row, columns, FORM));
	file->spread = -1;
	return check_from(table, row, columns[FROM], error) &&
	       (*cell(table, row, columns, SPREAD) == '\0' ||
		csv_number(table, row, columns[SPREAD], 0, &file->spread, error));
}

/* Whether the row is of that run, too. */
static gboolean continues(const MeasureRun *run, const CsvTable *table, guint row,
			  const guint *columns)
{
	return run != NULL && strcmp(run->step, cell(table, row, columns, STEP)) == 0 &&
	       strcmp(run->program, cell(table, row, columns, PROGRAM)) == 0 &&
	       strcmp(run->arguments, cell(table, row, columns, ARGUMENTS)) == 0;
}

GPtrArray *measure_steps_read(const char *path, GError **error)
{
	g_autoptr(CsvTable) table = csv_read(path, error);
	g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(free_run);
	guint columns[N_COLUMNS];
	MeasureRun *run = NULL;

	if (table == NULL || !csv_require_all(table, column_names, N_COLUMNS, columns, error))
		return NULL;
	for (guint row = 0; row < csv_rows(table); row++) {
		if (!continues(run, table, row, columns)) {
			run = new_run(table, row, columns, error);
			if (run == NULL)
				return NULL;
			g_ptr_array_add(runs, run);
		}
		if (!add_file(run, table, row, columns, error))
			return NULL;
	}
	return g_steal_pointer(&runs);
}

char **measure_step_names(const GPtrArray *runs)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < runs->len; i++) {
		const MeasureRun *run = g_ptr_array_index(runs, i);

		if (!g_ptr_array_find_with_equal_func(names, run->step, g_str_equal, NULL))
			g_ptr_array_add(names, g_strdup(run->step));
	}
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}
