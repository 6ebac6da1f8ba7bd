/* SPDX-License-Identifier: MIT */
/* Files of the map as numbers. */
#include "validate/frame/derive-internal.h"

gboolean l2_map_fail(L2Map *map, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_free(map->why);
	map->why = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return FALSE;
}

double *l2_map_read(L2Map *map, const DeriveFiles *files, const char *name,
		    const char *const *columns, guint *n)
{
	g_autoptr(GError) error = NULL;
	const CsvTable *table = derive_table(files, name, &error);
	const guint n_columns = g_strv_length((char **)columns);
	double *numbers;

	*n = table ? csv_rows(table) : 0;
	numbers = g_new(double, (gsize)*n *n_columns + 1);
	for (guint c = 0; table && !error && c < n_columns; c++) {
		guint column;

		if (!csv_require(table, columns[c], &column, &error))
			break;
		for (guint row = 0; row < *n && !error; row++)
			csv_number(table, row, column, -1, &numbers[(gsize)c * *n + row],
				   &error);
	}
	if (!error)
		return numbers;
	l2_map_fail(map, "%s", error->message);
	g_free(numbers);
	return NULL;
}
