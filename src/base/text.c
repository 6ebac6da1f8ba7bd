/* SPDX-License-Identifier: MIT */
#include "base/text.h"

static gboolean is_plain(const char *text)
{
	while (g_ascii_isprint(*text))
		text++;
	return *text == '\0';
}

static char *printable(const char *text, gboolean keep_lines)
{
	g_autofree char *valid = NULL;
	GString *result = NULL;

	if (text != NULL && is_plain(text))
		return g_strdup(text);
	valid = g_utf8_make_valid(text != NULL ? text : "", -1);
	result = g_string_new(NULL);

	for (const char *c = valid; *c != '\0'; c = g_utf8_next_char(c)) {
		gunichar character = g_utf8_get_char(c);
		GUnicodeType type = g_unichar_type(character);
		/* g_unichar_isprint takes the separators for printable. */
		gboolean good = g_unichar_isprint(character) &&
				type != G_UNICODE_LINE_SEPARATOR &&
				type != G_UNICODE_PARAGRAPH_SEPARATOR;

		if (good || (keep_lines && character == '\n'))
			g_string_append_unichar(result, character);
		else
			g_string_append_c(result, '?');
	}
	return g_string_free(result, FALSE);
}

char *text_printable(const char *text)
{
	return printable(text, FALSE);
}

char *text_printable_lines(const char *text)
{
	return printable(text, TRUE);
}

/* Columns of the line that `text` ends with. */
static glong column_of(const GString *text)
{
	const char *line = strrchr(text->str, '\n');

	return g_utf8_strlen(line ? line + 1 : text->str, -1);
}

void text_wrap(GString *to, const char *words, guint indent, guint width)
{
	while (*words != '\0') {
		const gsize length = strcspn(words, " \n");
		const glong column = column_of(to);

		if (length > 0 && column > (glong)indent &&
		    column + g_utf8_strlen(words, (gssize)length) > (glong)width) {
			while (to->len > 0 && to->str[to->len - 1] == ' ')
				g_string_truncate(to, to->len - 1);
			g_string_append_printf(to, "\n%*s", (int)indent, "");
		}
		g_string_append_len(to, words, (gssize)length);
		words += length;
		if (*words == '\n')
			g_string_append_printf(to, "\n%*s", (int)indent, "");
		else if (*words == ' ')
			g_string_append_c(to, ' ');
		words += *words != '\0';
	}
}
