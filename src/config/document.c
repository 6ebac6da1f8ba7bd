/* SPDX-License-Identifier: MIT */
#include "config/document.h"

#include <string.h>

#define QUOTE_SHOWN 40 /* characters */

/* The tree has the values in the order in which the scanner met them. */
static void assign_spans(Document *document, const cJSON *item, guint *next)
{
	g_hash_table_insert(document->span_of, (gpointer)item,
			    &g_array_index(document->spans, Span, *next));
	++*next;
	for (const cJSON *child = item->child; child; child = child->next)
		assign_spans(document, child, next);
}

Document *document_parse(const char *place, gboolean has_lines, const char *text, gsize length,
			 Problems *problems)
{
	Document *document = g_new0(Document, 1);
	guint next = 0;

	document->place = (SpanPlace){g_strdup(place), has_lines};
	document->text = g_malloc(length + 1);
	if (length)
		memcpy(document->text, text, length);
	document->text[length] = '\0';
	document->spans = g_array_new(FALSE, FALSE, sizeof(Span));
	document->span_of = g_hash_table_new(NULL, NULL);
	if (!scan_text(&document->place, document->text, length, document->spans, problems))
		return document;
	document->root = cJSON_Parse(document->text);
	g_assert(document->root);
	assign_spans(document, document->root, &next);
	g_assert(next == document->spans->len);
	return document;
}

void document_free(Document *document)
{
	if (!document)
		return;
	g_free(document->place.name);
	g_free(document->text);
	cJSON_Delete(document->root);
	g_array_unref(document->spans);
	g_hash_table_unref(document->span_of);
	g_free(document);
}

const Span *document_span(const Document *document, const cJSON *item)
{
	return g_hash_table_lookup(document->span_of, item);
}

char *document_place(const Document *document, const Span *span)
{
	return span_place(&document->place, span);
}

char *document_quote(const Document *document, const cJSON *item)
{
	const Span *span = document_span(document, item);
	g_autofree char *text = NULL;

	if (cJSON_IsObject(item))
		return g_strdup("an object");
	if (cJSON_IsArray(item))
		return g_strdup("an array");
	text = g_strndup(document->text + span->start, span->end - span->start);
	if (g_utf8_strlen(text, -1) > QUOTE_SHOWN) {
		*g_utf8_offset_to_pointer(text, QUOTE_SHOWN) = '\0';
		return g_strconcat(text, "...", NULL);
	}
	return g_steal_pointer(&text);
}

void document_refuse(const Document *document, const cJSON *item, const char *pointer,
		     const char *allowed, Problems *problems)
{
	g_autofree char *place = document_place(document, document_span(document, item));
	g_autofree char *found = document_quote(document, item);

	problems_add(problems, place, pointer, "found %s; allowed: %s", found, allowed);
}
