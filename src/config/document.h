/* SPDX-License-Identifier: MIT */
/*
 * A JSON text whose values know where they are.
 *
 * cJSON makes the tree; it neither says where a value is nor minds duplicate keys, leading zeros
 * or text after the end. So a strict scanner (RFC 8259) goes over the text first, reports all of
 * that, and notes each value's place. Who may include it: config.
 */
#ifndef ATOMSIM_CONFIG_DOCUMENT_H
#define ATOMSIM_CONFIG_DOCUMENT_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "config/problems.h"
#include "config/scan.h"

typedef struct {
	SpanPlace place;
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

/* A problem with the item: "found ...; allowed: ...". `pointer` may be NULL. */
void document_refuse(const Document *document, const cJSON *item, const char *pointer,
		     const char *allowed, Problems *problems);

/* The item as it was written, for an error: a scalar's text, shortened; "an object". g_free. */
char *document_quote(const Document *document, const cJSON *item);

#endif
