/* SPDX-License-Identifier: MIT */
#include "base/csv-cell.h"

#include <string.h>

/* Whether the text is, behind any apostrophes, what a spreadsheet takes for a formula. */
static gboolean is_formula(const char *text)
{
	const char *start = text + strspn(text, "'");
	char *end = NULL;

	if (*start == '\0' || start[1] == '\0' || strchr("=+-@\t\r\n", *start) == NULL)
		return FALSE;
	if (start > text || !(g_ascii_isdigit(start[1]) || start[1] == '.'))
		return TRUE;
	g_ascii_strtod(start, &end);
	return *end != '\0';
}

char *csv_mark(const char *text)
{
	return g_strconcat(is_formula(text) ? "'" : "", text, NULL);
}

const char *csv_unmark(const char *cell)
{
	return *cell == '\'' && is_formula(cell) ? cell + 1 : cell;
}

static void append_quoted(GString *line, const char *text)
{
	g_string_append_c(line, '"');
	for (; *text != '\0'; text++) {
		if (*text == '"')
			g_string_append_c(line, '"');
		g_string_append_c(line, *text);
	}
	g_string_append_c(line, '"');
}

void csv_append_cell(GString *line, const char *text)
{
	g_autofree char *cell = csv_mark(text);

	if (strpbrk(cell, ",\"\r\n") != NULL)
		append_quoted(line, cell);
	else
		g_string_append(line, cell);
}
