/* SPDX-License-Identifier: MIT */
#include "base/csv-columns.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

struct CsvColumns {
	char **names;
	GArray *places; /* of each name in the table's rows, from 0; -1: it is not there. Empty before the header */
};

/* A cell as it is written, quotes included. */
typedef struct {
	const char *start;
	gsize length;
} Cell;

/* The cells of the row that `text` begins with; what is behind its line. */
static const char *read_row(const char *text, GArray *cells)
{
	gboolean quoted = FALSE;
	const char *start = text, *at;

	g_array_set_size(cells, 0);
	for (at = text; *at && (quoted || *at != '\n'); at++) {
		if (*at == '"') {
			quoted = !quoted;
		} else if (*at == ',' && !quoted) {
			g_array_append_val(cells, ((Cell){start, (gsize)(at - start)}));
			start = at + 1;
		}
	}
	g_array_append_val(cells, ((Cell){start, (gsize)(at - start)}));
	return *at ? at + 1 : at;
}

static gboolean check_names(char **names, const char *const *known, GError **error)
{
	for (guint i = 0; names[i]; i++) {
		const char *similar;

		if (g_strv_contains(known, names[i])) {
			for (guint k = 0; k < i; k++)
				if (strcmp(names[k], names[i]) == 0)
					return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
							    "--columns: %s is given twice",
							    names[i]);
			continue;
		}
		similar = atomsim_suggest(names[i], known);
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--columns: no column '%s'%s%s%s; allowed: names of the "
				    "header, as in --columns %s",
				    names[i], similar ? " (did you mean '" : "",
				    similar ? similar : "", similar ? "'?)" : "", known[0]);
	}
	return TRUE;
}

CsvColumns *csv_columns_new(const char *words, const char *const *known, GError **error)
{
	g_auto(GStrv) names = g_strsplit(words, ",", -1);
	CsvColumns *columns;

	/* "" has no name. */
	if (!names[0])
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "--columns: no name; allowed: names of the header, as in "
			     "--columns %s",
			     known[0]);
	if (!names[0] || !check_names(names, known, error))
		return NULL;
	columns = g_new0(CsvColumns, 1);
	columns->names = g_steal_pointer(&names);
	columns->places = g_array_new(FALSE, FALSE, sizeof(int));
	return columns;
}

void csv_columns_free(CsvColumns *columns)
{
	if (columns == NULL)
		return;
	g_strfreev(columns->names);
	g_array_unref(columns->places);
	g_free(columns);
}

static gboolean cell_is(const Cell *cell, const char *name)
{
	return strlen(name) == cell->length && memcmp(name, cell->start, cell->length) == 0;
}

static void find_places(CsvColumns *columns, const GArray *header)
{
	for (guint i = 0; columns->names[i]; i++) {
		int place = -1;

		for (guint k = 0; k < header->len; k++)
			if (cell_is(&g_array_index(header, Cell, k), columns->names[i]))
				place = (int)k;
		g_array_append_val(columns->places, place);
	}
}

static void append_header(const CsvColumns *columns, GString *text)
{
	g_autofree char *header = g_strjoinv(",", columns->names);

	g_string_append_printf(text, "%s\n", header);
}

static void append_chosen(const CsvColumns *columns, const GArray *cells, GString *text)
{
	for (guint i = 0; i < columns->places->len; i++) {
		const int place = g_array_index(columns->places, int, i);

		if (i > 0)
			g_string_append_c(text, ',');
		if (place >= 0 && (guint)place < cells->len) {
			const Cell *cell = &g_array_index(cells, Cell, place);

			g_string_append_len(text, cell->start, (gssize)cell->length);
		}
	}
	g_string_append_c(text, '\n');
}

void csv_columns_take(CsvColumns *columns, GString *text)
{
	g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(Cell));
	g_autoptr(GString) chosen = g_string_new(NULL);
	const char *at = text->str;

	if (columns == NULL || text->len == 0)
		return;
	if (columns->places->len == 0) {
		at = read_row(at, cells);
		find_places(columns, cells);
		append_header(columns, chosen);
	}
	while (*at) {
		at = read_row(at, cells);
		append_chosen(columns, cells, chosen);
	}
	g_string_assign(text, chosen->str);
}

static gboolean is_known(const char *const *known, const char *name)
{
	for (guint i = 0; known[i]; i++)
		if (strchr(known[i], '*') ? g_pattern_match_simple(known[i], name)
					  : strcmp(known[i], name) == 0)
			return TRUE;
	return FALSE;
}

#define MOST_HEADER 65536

gboolean csv_columns_are_of(const char *path, const char *const *known)
{
	g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(Cell));
	g_autofree char *header = g_malloc0(MOST_HEADER);
	FILE *file = fopen(path, "re");
	gboolean are = file != NULL && fgets(header, MOST_HEADER, file) != NULL;

	if (file != NULL)
		fclose(file);
	read_row(header, cells);
	for (guint i = 0; are && i < cells->len; i++) {
		const Cell *cell = &g_array_index(cells, Cell, i);
		g_autofree char *name = g_strndup(cell->start, cell->length);

		are = is_known(known, name);
	}
	return are;
}
