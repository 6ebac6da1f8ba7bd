/* SPDX-License-Identifier: MIT */
#include "validate/frame/validate-cells.h"

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
