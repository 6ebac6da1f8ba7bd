/* SPDX-License-Identifier: MIT */
/* What differs between two reports. */
#include "report/diff.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/fields.h"
#include "report/lines.h"

/* --- Rows --- */

static void row_free(gpointer data)
{
	DiffRow *row = data;

	g_free(row->name);
	g_free(row);
}

static void add_row(GPtrArray *rows, const char *name, double before, double after)
{
	DiffRow *row = g_new0(DiffRow, 1);

	*row = (DiffRow){g_strdup(name), before, after};
	g_ptr_array_add(rows, row);
}

/* The one of that name, added if there is none. */
static DiffRow *row_of(GPtrArray *rows, const char *name)
{
	for (guint i = 0; i < rows->len; i++) {
		DiffRow *row = g_ptr_array_index(rows, i);

		if (strcmp(row->name, name) == 0)
			return row;
	}
	add_row(rows, name, 0, 0);
	return g_ptr_array_index(rows, rows->len - 1);
}

static gint compare_changes(gconstpointer a, gconstpointer b)
{
	const DiffRow *x = *(const DiffRow *const *)a, *y = *(const DiffRow *const *)b;
	double change_x = fabs(x->after - x->before), change_y = fabs(y->after - y->before);

	return change_x > change_y ? -1 : change_x < change_y;
}

static gboolean is_of_part(const Field *field, DiffPart part)
{
	static const char *const no_outcome[] = {"schema",	 "seed",
						 "cycles",	 "blocks",
						 "busy_cycles",	 "elapsed_cycles",
						 "trace.",	 "resident_warp_cycles",
						 "warp_",	 "contention_free.",
						 "performance.", "expected_error.",
						 "cost_bits",	 "estimates.",
						 "launch."};
	gboolean is_state = g_str_has_prefix(field->path, "warp_cycles.");

	if (field->type != FIELD_COUNT || field->of_row != NULL)
		return FALSE;
	if (part == DIFF_STATES)
		return is_state;
	for (guint i = 0; i < G_N_ELEMENTS(no_outcome); i++)
		if (g_str_has_prefix(field->path, no_outcome[i]))
			return g_str_has_suffix(field->path, "warp_instructions") &&
			       !g_str_has_prefix(field->path, "trace.");
	return TRUE;
}

/* "file:line function", or what of it the report knows. g_free. */
static char *line_of(const cJSON *site)
{
	const char *file = cJSON_GetStringValue(diff_item(site, "file"));
	const char *function = cJSON_GetStringValue(diff_item(site, "function"));
	const cJSON *line = diff_item(site, "line");

	if (file != NULL && line != NULL)
		return g_strdup_printf("%s:%.0f%s%s", file, diff_number(site, "line"),
				       function ? " " : "", function ? function : "");
	if (function != NULL)
		return g_strdup(function);
	if (diff_number(site, "site") == 0)
		return g_strdup(LINE_NONE);
	return g_strdup_printf("site %.0f", diff_number(site, "site"));
}

/* Adds what each cause costs to its row. */
static void add_causes(GPtrArray *rows, const cJSON *report, gboolean is_after)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, diff_item(report, "causes"))
	{
		const char *name = cJSON_GetStringValue(diff_item(item, "cause"));
		DiffRow *row = name != NULL ? row_of(rows, name) : NULL;

		if (row != NULL)
			*(is_after ? &row->after : &row->before) +=
				diff_number(item, "saves_cycles");
	}
}

/* Adds each site's cycles to its line's row. */
static void add_sites(GPtrArray *rows, const cJSON *report, gboolean is_after)
{
	const cJSON *site;

	cJSON_ArrayForEach(site, diff_item(report, "hot_spots.sites"))
	{
		g_autofree char *name = line_of(site);
		double cycles = diff_number(site, "cycles");
		DiffRow *row = row_of(rows, name);

		*(is_after ? &row->after : &row->before) += cycles;
	}
}

static gboolean is_of_fields(DiffPart part)
{
	return part == DIFF_STATES || part == DIFF_COUNTS;
}

/* Whether both have it: a run of which figures are estimated has null for what it does not know. */
static gboolean both_have(const DiffPair *pair, const char *path)
{
	return !cJSON_IsNull(diff_item(pair->before, path)) &&
	       !cJSON_IsNull(diff_item(pair->after, path));
}

GPtrArray *diff_rows(const DiffPair *pair, DiffPart part)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);

	if (part == DIFF_CAUSES && both_have(pair, "causes")) {
		add_causes(rows, pair->before, FALSE);
		add_causes(rows, pair->after, TRUE);
	}
	if (part == DIFF_LINES && both_have(pair, "hot_spots.sites")) {
		add_sites(rows, pair->before, FALSE);
		add_sites(rows, pair->after, TRUE);
	}
	for (guint i = 0; is_of_fields(part) && i < n_report_fields; i++) {
		const char *path = report_fields[i].path;
		double before = diff_number(pair->before, path);
		double after = diff_number(pair->after, path);

		if (is_of_part(&report_fields[i], part) && both_have(pair, path) &&
		    (before != 0 || after != 0))
			add_row(rows, path, before, after);
	}
	if (part != DIFF_COUNTS)
		g_ptr_array_sort(rows, compare_changes);
	return rows;
}

/* --- Configs --- */

static gboolean is_word(const char *key)
{
	static const char *const words[] = {"description", "provenance", "$schema",
					    "gpu",	   "sources",	 NULL};

	return g_strv_contains(words, key);
}

/* A key's value in a line; a map of the L2 is too long for one. g_free. */
static char *key_text(const char *key, const cJSON *item)
{

	if (item == NULL)
		return g_strdup("not there");
	if (cJSON_IsObject(item) && strcmp(key, "l2.map") == 0)
		return g_strdup("a map");
	return json_line(item);
}

static void add_keys(GPtrArray *lines, const char *path, const cJSON *before,
		     const cJSON *after)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, before)
	{
		const cJSON *other = cJSON_GetObjectItemCaseSensitive(after, item->string);
		g_autofree char *key = *path ? g_strconcat(path, ".", item->string, NULL)
					     : g_strdup(item->string);
		g_autofree char *a = NULL, *b = NULL;

		if (is_word(item->string) || cJSON_Compare(item, other, TRUE))
			continue;
		if (cJSON_IsObject(item) && cJSON_IsObject(other) &&
		    !g_str_has_suffix(key, "_hash") && strcmp(key, "l2.map") != 0) {
			add_keys(lines, key, item, other);
			continue;
		}
		a = key_text(key, item);
		b = key_text(key, other);
		g_ptr_array_add(lines, g_strdup_printf("%s: %s -> %s", key, a,
						       strcmp(a, b) != 0 ? b : "another"));
	}
}

GPtrArray *diff_config(const DiffPair *pair)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

	add_keys(lines, "", diff_item(pair->before, "config"),
		 diff_item(pair->after, "config"));
	return lines;
}
