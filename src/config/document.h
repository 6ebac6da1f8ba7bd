/* SPDX-License-Identifier: MIT */
/*
 * A JSON text whose values know where they stand.
 *
 * cJSON makes the tree; it neither says where a value stood nor minds duplicate keys, leading zeros
 * or text after the end. So a strict scanner (RFC 8259) goes over the text first, reports all of
 * that, and notes each value's place. Who may include it: config.
 */
#ifndef ATOMSIM_CONFIG_DOCUMENT_H
#define ATOMSIM_CONFIG_DOCUMENT_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "config/problems.h"

#define DOCUMENT_MAX_BYTES (1024 * 1024)
#define DOCUMENT_MAX_DEPTH 32 /* a hash's row lies at depth 4 */

typedef struct {
	guint line, column; /* from 1; columns count characters */
	gsize start, end;   /* bytes of the text */
	gboolean bad;	    /* already reported: a number that cannot be one */
} Span;

typedef struct {
	char *place;	    /* of problems: a file's name, or "--set key=value" */
	gboolean has_lines; /* a file: places are place:line:column */
	char *text;
	cJSON *root;	     /* NULL if the text is not JSON */
	GArray *spans;	     /* Span, in the order of the text */
	GHashTable *span_of; /* cJSON item -> its Span */
} Document;

/* Never NULL; what is wrong goes to `problems`. `text` may hold any bytes. document_free. */
Document *document_parse(const char *place, gboolean has_lines, const char *text, gsize length,
			 Problems *problems);
void document_free(Document *document);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Document, document_free)

const Span *document_span(const Document *document, const cJSON *item);

/* "file:line:column", or the place alone when it has no lines. g_free. */
char *document_place(const Document *document, const Span *span);

/* The item as it was written, for an error: a scalar's text, shortened; "an object". g_free. */
char *document_quote(const Document *document, const cJSON *item);

#endif
