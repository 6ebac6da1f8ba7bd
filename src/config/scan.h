/* SPDX-License-Identifier: MIT */
/*
 * The strict scanner (RFC 8259) behind document.h: what is wrong with a text, and where its values are.
 * Who may include it: config.
 */
#ifndef ATOMSIM_CONFIG_SCAN_H
#define ATOMSIM_CONFIG_SCAN_H

#include <glib.h>

#include "config/problems.h"

#define DOCUMENT_MAX_BYTES (1024 * 1024)
#define DOCUMENT_MAX_DEPTH 32 /* a hash's row lies at depth 4 */

typedef struct {
	guint line, column; /* from 1; columns count characters */
	gsize start, end;   /* bytes of the text */
	gboolean bad;	    /* already reported: a number that cannot be one */
} Span;

/* What a text is called in problems: a file's name, or "--set key=value", which has no lines. */
typedef struct {
	char *name;
	gboolean has_lines;
} SpanPlace;

/* "file:line:column", or the name alone when it has no lines. g_free. */
char *span_place(const SpanPlace *place, const Span *span);

/*
 * Goes over `text` (`length` bytes, then a NUL) and appends each value's Span, in the order of the text. A malformed
 * number is reported and overwritten by 0, text after the value is reported and cut off, so that
 * the rest can still be checked. Returns false if the text is not JSON.
 */
gboolean scan_text(const SpanPlace *place, char *text, gsize length, GArray *spans,
		   Problems *problems);

/* --- Strings, numbers and words, held to RFC 8259 (token.c) --- */

/* `text` starts with a quote and ends in a NUL. NULL, and *length is the string's with both quotes;
   or what is wrong, and *length is how far in. */
const char *token_string(const char *text, gsize *length);

/* `text` starts like a number and ends in a NUL. *length is that of all that was meant as a number;
   returns what is wrong with it, or NULL. */
const char *token_number(const char *text, gsize *length);

/* The length of true, false or null, 0 if `text` begins with none. */
gsize token_word(const char *text);

/* What is between the quotes of a string that token_string found good, `length` bytes with them; unescaped by cJSON, so that
   "a" and "\u0061" are seen to be the same. g_free. */
char *token_unquote(const char *quoted, gsize length);

#endif
