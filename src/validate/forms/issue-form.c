/* SPDX-License-Identifier: MIT */
#include "validate/forms/issue-form.h"

#include <string.h>

#include "validate/frame/validate-cells.h"
#include "validate/frame/validate.h"

gboolean issue_read_wholes(const CsvTable *table, guint i, const guint *columns,
			   const guint *max, guint *const *numbers, guint n, GError **error)
{
	for (guint k = 0; k < n; k++)
		if (!measured_whole(table, i, columns[k], 1, max[k], numbers[k], error))
			return FALSE;
	return TRUE;
}

gboolean issue_find_reference(const CsvTable *table, const guint *columns,
			      const char *const cells[ISSUE_N_KEYS], double *cycles,
			      GError **error)
{
	*cycles = 0;
	for (guint k = 0; k < csv_rows(table); k++) {
		guint c = 0;

		while (c < ISSUE_N_KEYS &&
		       strcmp(csv_cell(table, k, columns[c]), cells[c]) == 0)
			c++;
		if (c == ISSUE_N_KEYS)
			return csv_number(table, k, columns[ISSUE_N_KEYS],
					  VALIDATE_LEAST_CYCLES, cycles, error);
	}
	return TRUE;
}
