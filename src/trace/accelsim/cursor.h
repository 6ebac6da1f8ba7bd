/* SPDX-License-Identifier: MIT */
/* Words and numbers of a line of text. For accelsim/. */
#ifndef ATOMSIM_TRACE_ACCELSIM_CURSOR_H
#define ATOMSIM_TRACE_ACCELSIM_CURSOR_H

#include <glib.h>

#include "trace/lines.h"

typedef struct {
	LineReader *lines;
	char *at;
} Cursor;

static inline void cursor_skip_blanks(Cursor *cursor)
{
	while (*cursor->at == ' ' || *cursor->at == '\t')
		cursor->at++;
}

static inline gboolean cursor_ends_word(char c)
{
	return c == ' ' || c == '\t' || c == '\0';
}

/* The next word, cut off from what follows; NULL if there is none. */
char *cursor_word(Cursor *cursor);
/* An error of what comes next. FALSE. */
gboolean cursor_expected(Cursor *cursor, const char *what, const char *allowed, GError **error);
/* Digits from `at` on; *end is behind the last that fits 64 bits. */
guint64 cursor_decimal(const char *at, const char **end);
/* A number of at most `max` in decimal or, for base 16, hexadecimal with or without 0x. */
gboolean cursor_number(Cursor *cursor, unsigned base, guint64 max, guint64 *number,
		       const char *what, GError **error);
/* n of them. */
gboolean cursor_numbers(Cursor *cursor, unsigned base, guint64 max, guint64 *numbers, guint n,
			const char *what, GError **error);
gboolean cursor_uint32(Cursor *cursor, guint32 max, guint32 *number, const char *what,
		       GError **error);
/* A stride or a difference, as what is added to an address. */
gboolean cursor_difference(Cursor *cursor, guint64 *difference, const char *what,
			   GError **error);

#endif
