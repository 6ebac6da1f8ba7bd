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

#endif
