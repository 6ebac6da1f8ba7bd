/* SPDX-License-Identifier: MIT */
/* Values of expressions, and the names that they are found by. */
#include <string.h>

#include "trace/text/expression.h"

TextValue text_value_of(const char *text)
{
	TextValue value = {.text = text};
	const char *digits = text + (*text == '-');
	gint64 number = 0;

	if ((*digits == '0' && digits[1] != '\0') || (*text == '-' && *digits == '0') ||
	    !g_ascii_string_to_signed(text, 10, G_MININT64 + 1, G_MAXINT64, &number, NULL))
		return value;
	return (TextValue){.number = number};
}

gboolean text_value_equal(const TextValue *a, const TextValue *b)
{
	if (a->text == NULL || b->text == NULL)
		return a->text == b->text && a->number == b->number;
	return strcmp(a->text, b->text) == 0;
}

char *text_value_print(const TextValue *value)
{
	return value->text ? g_strdup(value->text)
			   : g_strdup_printf("%" G_GINT64_FORMAT, value->number);
}

/* --- Names --- */

void text_scope_init(TextScope *scope)
{
	*scope = (TextScope){.names = g_ptr_array_new(),
			     .memory = g_ptr_array_new_with_free_func(g_free),
			     .outside = "param, let",
			     .asked_for = G_MAXUINT,
			     .lane = G_MAXUINT};
}

void text_scope_clear(TextScope *scope)
{
	g_ptr_array_unref(scope->names);
	g_ptr_array_unref(scope->memory);
}

gpointer text_scope_new(TextScope *scope, gsize bytes)
{
	gpointer memory = g_malloc0(bytes);

	g_ptr_array_add(scope->memory, memory);
	return memory;
}

char *text_scope_copy(TextScope *scope, const char *text, gsize length)
{
	char *copy = text_scope_new(scope, length + 1);

	memcpy(copy, text, length);
	return copy;
}

int text_scope_find(const TextScope *scope, const char *name, gsize length)
{
	for (guint i = 0; i < scope->names->len; i++) {
		const char *known = g_ptr_array_index(scope->names, i);

		if (strlen(known) == length && strncmp(known, name, length) == 0)
			return (int)i;
	}
	return -1;
}

guint text_scope_add(TextScope *scope, const char *name, gsize length)
{
	const int known = text_scope_find(scope, name, length);

	if (known >= 0)
		return (guint)known;
	g_ptr_array_add(scope->names, text_scope_copy(scope, name, length));
	return scope->names->len - 1;
}
