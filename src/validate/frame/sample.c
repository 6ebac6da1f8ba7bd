/* SPDX-License-Identifier: MIT */
#include "validate/frame/validate-rows.h"

#include <string.h>

#define LEAST_SHARE 3  /* one of so many */
#define MOST_ROWS   60 /* about, of a table */

/* FNV-1a, 32 bits. */
static guint32 add_text(guint32 hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = (hash ^ (guint8)*text) * 16777619u;
	return (hash ^ ',') * 16777619u;
}

/* Whether a column of that name was measured; what is left of the first one says what was. */
static gboolean is_measured(const char *name)
{
	static const char *const names[] = {
		"cycles",     "span",	   "min",   "max",	  "value",
		"least",      "most",	   "ld",    "wavefronts", "own_issue",
		"all_issued", "first_min", "start", "trial",	  "lock_cycles"};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(name, names[i]) == 0)
			return TRUE;
	return g_str_has_prefix(name, "cycles_") || g_str_has_suffix(name, "_cycles") ||
	       strstr(name, "_after_") != NULL;
}

/* One of so many cells of the table is simulated. */
static guint32 share_of(const CsvTable *table)
{
	if (csv_rows(table) < SAMPLE_LEAST_ROWS)
		return 1;
	return MAX(LEAST_SHARE, (guint32)(csv_rows(table) / MOST_ROWS));
}

gboolean sample_has(const CsvTable *table, guint row)
{
	g_autofree char *file = g_path_get_basename(csv_path(table));
	guint32 hash = add_text(2166136261u, file);
	const char *name;

	for (guint i = 0; (name = csv_column_name(table, i)) != NULL && !is_measured(name); i++)
		hash = add_text(hash, csv_cell(table, row, i));
	return hash % share_of(table) == 0;
}
