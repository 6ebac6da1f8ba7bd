/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/csv-cell.h"
#include "base/error.h"
#include "base/input.h"

struct CsvTable {
	char *path;
	GPtrArray *cells; /* char *, row after row, the header first */
	GArray *lines;	  /* guint, of each row, the header first */
	guint n_columns;
};

/* Where the parser is. */
typedef struct {
	CsvTable *table;
	const char *at, *end, *line_start;
	guint line;
	GString *cell;
} Parser;

void csv_free(CsvTable *table)
{
	if (table == NULL)
		return;
	g_free(table->path);
	g_ptr_array_unref(table->cells);
	g_array_unref(table->lines);
	g_free(table);
}

static gboolean fail(const Parser *parser, const char *what, GError **error)
{
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s:%u:%u: %s", parser->table->path,
			    parser->line, (guint)(parser->at - parser->line_start) + 1, what);
}

static gboolean at_newline(const Parser *parser)
{
	return parser->at < parser->end &&
	       (*parser->at == '\n' ||
		(*parser->at == '\r' && parser->at + 1 < parser->end && parser->at[1] == '\n'));
}

static void skip_newline(Parser *parser)
{
	parser->at += *parser->at == '\r' ? 2 : 1;
	parser->line_start = parser->at;
	parser->line++;
}

/* The opening quote is next. */
static gboolean parse_quoted(Parser *parser, GError **error)
{
	Parser start = *parser;

	parser->at++;
	for (;;) {
		if (parser->at == parser->end)
			return fail(&start, "this quote is never closed", error);
		if (*parser->at == '"') {
			parser->at++;
			if (parser->at == parser->end || *parser->at != '"')
				return TRUE;
		}
		if (*parser->at == '\n') {
			parser->line++;
			parser->line_start = parser->at + 1;
		}
		g_string_append_c(parser->cell, *parser->at++);
	}
}

static gboolean parse_cell(Parser *parser, GError **error)
{
	g_string_truncate(parser->cell, 0);
	if (parser->at < parser->end && *parser->at == '"') {
		if (!parse_quoted(parser, error))
			return FALSE;
		if (parser->at < parser->end && *parser->at != ',' && !at_newline(parser))
			return fail(parser,
				    "text after a closing quote; allowed: a comma or the "
				    "line's end",
				    error);
	}
	while (parser->at < parser->end && *parser->at != ',' && !at_newline(parser)) {
		if (*parser->at == '"')
			return fail(parser,
				    "a quote within a cell that does not begin with one",
				    error);
		g_string_append_c(parser->cell, *parser->at++);
	}
	g_ptr_array_add(parser->table->cells, g_strdup(csv_unmark(parser->cell->str)));
	return TRUE;
}

static gboolean parse_row(Parser *parser, GError **error)
{
	CsvTable *table = parser->table;
	guint n_cells = 0, line = parser->line;

	for (;;) {
		if (!parse_cell(parser, error))
			return FALSE;
		n_cells++;
		if (parser->at == parser->end || *parser->at != ',')
			break;
		parser->at++;
	}
	g_array_append_val(table->lines, line);
	if (table->lines->len == 1)
		table->n_columns = n_cells;
	if (n_cells != table->n_columns)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s:%u: %u cells; the header has %u", table->path, line,
				    n_cells, table->n_columns);
	if (at_newline(parser))
		skip_newline(parser);
	return TRUE;
}

static gboolean check_header(const CsvTable *table, GError **error)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint column = 0; column < table->n_columns; column++) {
		char *name = g_ptr_array_index(table->cells, column);

		if (!g_hash_table_add(names, name))
			return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
					    "%s:%u: two columns are named '%s'", table->path,
					    g_array_index(table->lines, guint, 0), name);
	}
	return TRUE;
}

static void skip_line(Parser *parser)
{
	const char *end = memchr(parser->at, '\n', (gsize)(parser->end - parser->at));

	parser->at = parser->line_start = end != NULL ? end + 1 : parser->end;
	parser->line++;
}

CsvTable *csv_parse_among(const char *name, const char *text, gsize length,
			  gboolean (*is_row)(const char *line), GError **error)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	g_autoptr(CsvTable) table = g_new0(CsvTable, 1);
	g_autoptr(GString) cell = g_string_new(NULL);
	Parser parser = {.table = table, .line = 1, .cell = cell};

	parser.at = text != NULL ? text : ""; /* no bytes may have no place */
	parser.end = parser.at + length;
	table->path = g_strdup(name);
	table->cells = g_ptr_array_new_with_free_func(g_free);
	table->lines = g_array_new(FALSE, FALSE, sizeof(guint));
	if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0)
		parser.at += 3;
	parser.line_start = parser.at;
	if (!g_utf8_validate_len(parser.at, (gsize)(parser.end - parser.at), &parser.at)) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: byte %" G_GSIZE_FORMAT
			     " is no UTF-8 text; allowed: a table in CSV",
			     name, (gsize)(parser.at - text));
		return NULL;
	}
	parser.at = parser.line_start;
	if (parser.at == parser.end) {
		atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			     "%s: empty; allowed: CSV that begins with a header", name);
		return NULL;
	}
	while (parser.at < parser.end) {
		if (is_row != NULL && !is_row(parser.at)) {
			skip_line(&parser);
			continue;
		}
		if (!parse_row(&parser, error))
			return NULL;
		if (table->lines->len == 1 && !check_header(table, error))
			return NULL;
	}
	return g_steal_pointer(&table);
}

CsvTable *csv_read(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	gsize length = 0;

	if (!input_read(path, CSV_MAX_BYTES, "a table in CSV", &text, &length, error))
		return NULL;
	return csv_parse(path, text, length, error);
}

const char *csv_path(const CsvTable *table)
{
	return table->path;
}

guint csv_rows(const CsvTable *table)
{
	return table->lines->len - 1;
}

int csv_column(const CsvTable *table, const char *name)
{
	for (guint column = 0; column < table->n_columns; column++)
		if (strcmp(g_ptr_array_index(table->cells, column), name) == 0)
			return (int)column;
	return -1;
}

const char *csv_column_name(const CsvTable *table, guint column)
{
	return column < table->n_columns ? g_ptr_array_index(table->cells, column) : NULL;
}

gboolean csv_require(const CsvTable *table, const char *name, guint *column, GError **error)
{
	int found = csv_column(table, name);
	g_autoptr(GString) names = NULL;

	if (found >= 0) {
		*column = (guint)found;
		return TRUE;
	}
	names = g_string_new(NULL);
	for (guint i = 0; i < table->n_columns; i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
				       (char *)g_ptr_array_index(table->cells, i));
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
			    "%s:%u: no column '%s'; the columns are: %s", table->path,
			    g_array_index(table->lines, guint, 0), name, names->str);
}

gboolean csv_require_all(const CsvTable *table, const char *const *names, guint n,
			 guint *columns, GError **error)
{
	for (guint i = 0; i < n; i++)
		if (!csv_require(table, names[i], &columns[i], error))
			return FALSE;
	return TRUE;
}

const char *csv_cell(const CsvTable *table, guint row, guint column)
{
	g_assert(row < csv_rows(table) && column < table->n_columns);
	return g_ptr_array_index(table->cells, (row + 1) * table->n_columns + column);
}

guint csv_line(const CsvTable *table, guint row)
{
	g_assert(row < csv_rows(table));
	return g_array_index(table->lines, guint, row + 1);
}

gboolean csv_fail_cell(const CsvTable *table, guint row, guint column, GError **error,
		       const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list arguments;

	va_start(arguments, format);
	what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s:%u: %s: %s", table->path,
			    csv_line(table, row),
			    (char *)g_ptr_array_index(table->cells, column), what);
}

gboolean csv_number(const CsvTable *table, guint row, guint column, double lowest,
		    double *number, GError **error)
{
	const char *cell = csv_cell(table, row, column);
	char *end = NULL;

	*number = g_ascii_strtod(cell, &end);
	if (*cell != '\0' && !g_ascii_isspace(*cell) && *end == '\0' && isfinite(*number) &&
	    *number >= lowest)
		return TRUE;
	return csv_fail_cell(table, row, column, error,
			     "found '%s'; allowed: a number of at least %g", cell, lowest);
}
