/* SPDX-License-Identifier: MIT */
#include "trace/accelsim/cursor.h"

char *cursor_word(Cursor *cursor)
{
	char *word;

	cursor_skip_blanks(cursor);
	if (*cursor->at == '\0')
		return NULL;
	word = cursor->at;
	while (!cursor_ends_word(*cursor->at))
		cursor->at++;
	if (*cursor->at != '\0')
		*cursor->at++ = '\0';
	return word;
}

gboolean cursor_expected(Cursor *cursor, const char *what, const char *allowed, GError **error)
{
	const char *word = cursor_word(cursor);

	return lines_fail(cursor->lines, error, "%s: %s%.40s%s found; allowed: %s", what,
			  word ? "'" : "", word ? word : "the line's end", word ? "'" : "",
			  allowed);
}

guint64 cursor_decimal(const char *at, const char **end)
{
	guint64 value = 0;

	for (; *at >= '0' && *at <= '9' && value <= (G_MAXUINT64 - 9) / 10; at++)
		value = value * 10 + (guint64)(*at - '0');
	*end = at;
	return value;
}

/* In line: most of an import is reading addresses. */
static inline int hexadecimal_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static guint64 read_hexadecimal(const char *at, const char **end)
{
	guint64 value = 0;

	for (int digit; value >> 60 == 0 && (digit = hexadecimal_digit(*at)) >= 0; at++)
		value = value << 4 | (guint64)digit;
	*end = at;
	return value;
}

gboolean cursor_number(Cursor *cursor, unsigned base, guint64 max, guint64 *number,
		       const char *what, GError **error)
{
	g_autofree char *allowed = NULL;
	const char *start, *end;
	guint64 value;

	cursor_skip_blanks(cursor);
	start = cursor->at;
	if (base == 16 && start[0] == '0' && (start[1] == 'x' || start[1] == 'X'))
		start += 2;
	value = base == 16 ? read_hexadecimal(start, &end) : cursor_decimal(start, &end);
	if (end > start && cursor_ends_word(*end) && value <= max) {
		cursor->at = (char *)end;
		*number = value;
		return TRUE;
	}
	allowed = g_strdup_printf(base == 16 ? "a hexadecimal number up to %" G_GINT64_MODIFIER
					       "x"
					     : "a number from 0 to %" G_GINT64_MODIFIER "u",
				  max);
	return cursor_expected(cursor, what, allowed, error);
}

gboolean cursor_numbers(Cursor *cursor, unsigned base, guint64 max, guint64 *numbers, guint n,
			const char *what, GError **error)
{
	for (guint i = 0; i < n; i++)
		if (!cursor_number(cursor, base, max, &numbers[i], what, error))
			return FALSE;
	return TRUE;
}

gboolean cursor_uint32(Cursor *cursor, guint32 max, guint32 *number, const char *what,
		       GError **error)
{
	guint64 value;

	if (!cursor_number(cursor, 10, max, &value, what, error))
		return FALSE;
	*number = (guint32)value;
	return TRUE;
}

gboolean cursor_difference(Cursor *cursor, guint64 *difference, const char *what,
			   GError **error)
{
	gboolean negative;

	cursor_skip_blanks(cursor);
	negative = *cursor->at == '-';
	cursor->at += negative;
	if (!cursor_number(cursor, 10, G_MAXINT64, difference, what, error))
		return FALSE;
	if (negative)
		*difference = -*difference;
	return TRUE;
}
