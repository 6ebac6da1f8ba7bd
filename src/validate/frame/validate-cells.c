/* SPDX-License-Identifier: MIT */
#include "validate/frame/validate-cells.h"

#include <string.h>

#include "base/lanes.h"

#define WORD_BYTES 4

gboolean measured_addresses(const CsvTable *table, guint row, guint column, Lanes *lanes,
			    GError **error)
{
	const guint max_word = TRACE_MAX_SHARED_BYTES / WORD_BYTES - 1;
	LanesFault fault;

	switch (lanes_read(csv_cell(table, row, column), " \t", TRACE_MAX_LANES, max_word,
			   lanes, &fault)) {
	case LANES_GOOD:
		return TRUE;
	case LANES_TOO_MANY:
		csv_set_cell_error(table, row, column, error,
				   "more than %d addresses; a warp has %d lanes",
				   TRACE_MAX_LANES, TRACE_MAX_LANES);
		break;
	case LANES_NO_NUMBER:
		csv_set_cell_error(
			table, row, column, error,
			"address %u is '%s'; allowed: a word index 0 .. %u, or - for "
			"an idle lane",
			fault.lane + 1, fault.found, max_word);
		break;
	case LANES_NONE:
		csv_set_cell_error(table, row, column, error,
				   "no addresses; allowed: 1 to %d word indexes",
				   TRACE_MAX_LANES);
		break;
	}
	return FALSE;
}

char *measured_place(const CsvTable *table, guint row)
{
	return g_strdup_printf("%s:%u", csv_path(table), csv_line(table, row));
}

gboolean measured_whole(const CsvTable *table, guint row, guint column, guint min, guint max,
			guint *number, GError **error)
{
	guint64 value = 0;

	if (!g_ascii_string_to_unsigned(csv_cell(table, row, column), 10, min, max, &value,
					NULL)) {
		csv_set_cell_error(table, row, column, error,
				   "found '%s'; allowed: a whole number from %u to %u",
				   csv_cell(table, row, column), min, max);
		return FALSE;
	}
	*number = (guint)value;
	return TRUE;
}

gboolean measured_word(const CsvTable *table, guint row, guint column, const char *const *words,
		       guint *found, GError **error)
{
	const char *cell = csv_cell(table, row, column);
	g_autofree char *allowed = NULL;

	for (*found = 0; words[*found]; (*found)++)
		if (strcmp(cell, words[*found]) == 0)
			return TRUE;
	allowed = g_strjoinv(", ", (char **)words);
	csv_set_cell_error(table, row, column, error, "found '%s'; allowed: %s", cell, allowed);
	return FALSE;
}

const BenchmarkOperation *measured_operation(const CsvTable *table, guint row, guint column,
					     GError **error)
{
	const char *name = csv_cell(table, row, column);
	const BenchmarkOperation *operation = benchmark_operation(name);

	if (operation == NULL)
		csv_set_cell_error(table, row, column, error,
				   "found '%s'; allowed: an operation such as %s or %s", name,
				   benchmark_operations[0].name, benchmark_operations[1].name);
	return operation;
}
