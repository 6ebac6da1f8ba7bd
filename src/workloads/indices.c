/* SPDX-License-Identifier: MIT */
#include "workloads/indices.h"

#include "base/error.h"

/* What a column without a header begins with. */
static gboolean is_bare(const CsvTable *table)
{
	int64_t number;

	return csv_column_name(table, 1) == NULL &&
	       g_ascii_string_to_signed(csv_column_name(table, 0), 10, G_MININT64, G_MAXINT64,
					&number, NULL);
}

gboolean indices_are_in(const CsvTable *table)
{
	return csv_column(table, "index") >= 0 || is_bare(table);
}

/* Also *index of a cell. Returns NULL, or what is wrong (g_free). */
static char *read_index(const char *cell, int64_t most, int64_t *index)
{
	if (g_ascii_string_to_signed(cell, 10, IDLE_INDEX, most, index, NULL))
		return NULL;
	return g_strdup_printf("'%s' found; allowed: 0 to %" G_GINT64_FORMAT
			       ", or -1 for an idle thread",
			       cell, most);
}

gboolean indices_append(const CsvTable *table, int64_t most, GArray *indices, GError **error)
{
	guint column = 0;
	int64_t index;

	if (is_bare(table)) {
		g_autofree char *problem = read_index(csv_column_name(table, 0), most, &index);

		if (problem)
			return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s:1: %s",
					    csv_path(table), problem);
		g_array_append_val(indices, index);
	} else if (!csv_require(table, "index", &column, error)) {
		return FALSE;
	}
	for (guint row = 0; row < csv_rows(table); row++) {
		g_autofree char *problem =
			read_index(csv_cell(table, row, column), most, &index);

		if (problem)
			return csv_fail_cell(table, row, column, error, "%s", problem);
		g_array_append_val(indices, index);
	}
	return TRUE;
}

gboolean indices_words(const WorkloadParameters *parameters, uint64_t most, uint64_t *n_words,
		       GError **error)
{
	const uint64_t needed = *n_words;

	if (!workload_has(parameters, "words"))
		return TRUE;
	*n_words = (uint64_t)workload_integer(parameters, "words");
	if (*n_words >= needed && *n_words <= most)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "--words: %" G_GUINT64_FORMAT " found; allowed: %" G_GUINT64_FORMAT
			    " (the highest index and 1) to %" G_GUINT64_FORMAT,
			    *n_words, needed, most);
}
