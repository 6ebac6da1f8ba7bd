/* SPDX-License-Identifier: MIT */
#include "explore/sweep/idle-table.h"

#include <string.h>

#include <xxhash.h>

#include "explore/sweep/results.h"

typedef enum {
	COLUMN_FIGURE,
	COLUMN_AXIS,
	COLUMN_TRACE,
	COLUMN_SHA256,
	COLUMN_STATUS,
	COLUMN_OTHER,
} Column;

#define AXIS "varied."

static Column column_of(const char *name)
{
	static const char *const others[] = {"point",	"problem", "schema",
					     "version", "seed",	   "cost_bits"};

	if (g_str_has_prefix(name, AXIS))
		return COLUMN_AXIS;
	if (g_str_equal(name, "trace.name"))
		return COLUMN_TRACE;
	if (g_str_equal(name, "trace.sha256"))
		return COLUMN_SHA256;
	if (g_str_equal(name, "status"))
		return COLUMN_STATUS;
	for (guint i = 0; i < G_N_ELEMENTS(others); i++)
		if (g_str_equal(name, others[i]))
			return COLUMN_OTHER;
	/* The expected error and what the launch finds go by the config, too. */
	return g_str_has_prefix(name, "config.") || g_str_has_prefix(name, "launch.") ||
			       g_str_has_prefix(name, "expected_error.")
		       ? COLUMN_OTHER
		       : COLUMN_FIGURE;
}

static void names_init(IdleNames *names)
{
	names->numbers = g_hash_table_new(g_str_hash, g_str_equal);
	names->texts = g_ptr_array_new_with_free_func(g_free);
}

static void names_clear(IdleNames *names)
{
	g_hash_table_unref(names->numbers);
	g_ptr_array_unref(names->texts);
}

static guint32 names_number(IdleNames *names, const char *text)
{
	gpointer number = NULL;

	if (!g_hash_table_lookup_extended(names->numbers, text, NULL, &number)) {
		char *copy = g_strdup(text);

		number = GUINT_TO_POINTER(names->texts->len);
		g_ptr_array_add(names->texts, copy);
		g_hash_table_insert(names->numbers, copy, number);
	}
	return GPOINTER_TO_UINT(number);
}

void idle_table_clear(IdleTable *table)
{
	for (guint i = 0; i < table->keys->len; i++)
		names_clear(&table->values[i]);
	g_free(table->values);
	names_clear(&table->traces);
	names_clear(&table->sha256s);
	g_ptr_array_unref(table->lists);
	g_array_unref(table->columns);
	g_ptr_array_unref(table->keys);
	g_array_unref(table->rows);
	g_array_unref(table->places);
}

/* Takes a cell off the text, up to its comma or the line's end, unquoted; *at is behind what ends it. FALSE: it was the
   line's last. */
static gboolean take_cell(const char **at, const char *end, GString *cell)
{
	gboolean quoted = FALSE;

	g_string_truncate(cell, 0);
	for (; *at < end; (*at)++) {
		const char c = **at;

		if (c == '"' && quoted && *at + 1 < end && (*at)[1] == '"') {
			g_string_append_c(cell, c); /* two of them stand for one */
			(*at)++;
		} else if (c == '"') {
			quoted = !quoted;
		} else if (!quoted && (c == ',' || c == '\n')) {
			(*at)++;
			return c == ',';
		} else {
			g_string_append_c(cell, c);
		}
	}
	return FALSE;
}

static void take_header(IdleTable *table, const char **at, const char *end)
{
	g_autoptr(GString) cell = g_string_new(NULL);
	gboolean more = TRUE;

	while (more) {
		Column column;

		more = take_cell(at, end, cell);
		column = column_of(cell->str);
		g_array_append_val(table->columns, column);
		if (column == COLUMN_AXIS)
			g_ptr_array_add(table->keys, g_strdup(cell->str + strlen(AXIS)));
	}
	table->values = g_new(IdleNames, table->keys->len);
	for (guint i = 0; i < table->keys->len; i++)
		names_init(&table->values[i]);
}

static void add_row(IdleTable *table, guint32 trace, const IdleRow *row, const guint32 *places)
{
	if (trace == table->lists->len)
		g_ptr_array_add(table->lists, g_array_new(FALSE, FALSE, sizeof(guint)));
	g_array_append_val(table->lists->pdata[trace], table->rows->len);
	g_array_append_vals(table->rows, row, 1);
	g_array_append_vals(table->places, places, table->keys->len);
}

static void take_row(IdleTable *table, const char **at, const char *end)
{
	g_autoptr(GString) cell = g_string_new(NULL);
	gboolean more = TRUE, complete = FALSE;
	g_autofree guint32 *places = g_new(guint32, table->keys->len);
	g_autofree char *trace = NULL;
	guint axis = 0;
	IdleRow row = {0};

	for (guint i = 0; more && i < table->columns->len; i++) {
		more = take_cell(at, end, cell);
		switch (g_array_index(table->columns, Column, i)) {
		case COLUMN_FIGURE:
			row.figures = XXH64(cell->str, cell->len + 1, row.figures);
			break;
		case COLUMN_AXIS:
			places[axis] = names_number(&table->values[axis], cell->str);
			axis++;
			break;
		case COLUMN_TRACE:
			trace = g_strdup(cell->str);
			break;
		case COLUMN_SHA256:
			row.sha256 = names_number(&table->sha256s, cell->str);
			break;
		case COLUMN_STATUS:
			complete = g_str_equal(cell->str, SWEEP_COMPLETE);
			break;
		case COLUMN_OTHER:
			break;
		}
	}
	if (complete && axis == table->keys->len && trace != NULL)
		add_row(table, names_number(&table->traces, trace), &row, places);
}

gboolean idle_table_read(IdleTable *table, const char *path)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
	const char *at, *end;

	table->columns = g_array_new(FALSE, FALSE, sizeof(Column));
	table->keys = g_ptr_array_new_with_free_func(g_free);
	table->rows = g_array_new(FALSE, FALSE, sizeof(IdleRow));
	table->places = g_array_new(FALSE, FALSE, sizeof(guint32));
	table->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	names_init(&table->traces);
	names_init(&table->sha256s);
	if (file != NULL && g_mapped_file_get_length(file) > 0) {
		at = g_mapped_file_get_contents(file);
		end = at + g_mapped_file_get_length(file);
		take_header(table, &at, end);
		while (at < end)
			take_row(table, &at, end);
	}
	return table->rows->len > 0;
}

const guint32 *idle_places(const IdleTable *table, guint row)
{
	return &g_array_index(table->places, guint32, (gsize)row * table->keys->len);
}
