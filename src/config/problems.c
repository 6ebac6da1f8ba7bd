/* SPDX-License-Identifier: MIT */
#include "config/problems.h"

#include "base/text.h"

#define NAME_SHOWN 60 /* bytes of an unknown key's name */

void problems_init(Problems *problems)
{
	problems->lines = g_ptr_array_new_with_free_func(g_free);
	problems->n_problems = 0;
	problems->is_usage = FALSE;
}

void problems_clear(Problems *problems)
{
	g_clear_pointer(&problems->lines, g_ptr_array_unref);
}

gboolean problems_wanted(const Problems *problems)
{
	return problems->n_problems < PROBLEMS_SHOWN;
}

void problems_add(Problems *problems, const char *place, const char *pointer,
		  const char *format, ...)
{
	g_autofree char *text = NULL, *line = NULL;
	gboolean wanted = problems_wanted(problems);
	va_list arguments;

	problems->n_problems++;
	if (!wanted)
		return;
	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	line = pointer ? g_strdup_printf("%s: %s: %s", place, pointer, text)
		       : g_strdup_printf("%s: %s", place, text);
	/* Names of files come as they were given. */
	g_ptr_array_add(problems->lines, text_printable(line));
}

char *problems_text(const Problems *problems)
{
	GString *text = NULL;

	if (!problems->n_problems)
		return NULL;
	text = g_string_new(NULL);
	for (guint i = 0; i < problems->lines->len; i++)
		g_string_append_printf(text, "%s%s", i ? "\n" : "",
				       (const char *)g_ptr_array_index(problems->lines, i));
	if (problems->n_problems > problems->lines->len)
		g_string_append_printf(text, "\nand %u more problems",
				       problems->n_problems - problems->lines->len);
	return g_string_free(text, FALSE);
}

char *pointer_join(const char *parent, const char *name)
{
	GString *pointer = g_string_new(parent);

	g_string_append_c(pointer, '/');
	for (const char *c = name; *c; c++) {
		/* Cut between characters, never within one. */
		if (c - name >= NAME_SHOWN && ((guchar)*c & 0xc0) != 0x80) {
			g_string_append(pointer, "...");
			break;
		}
		if (*c == '~')
			g_string_append(pointer, "~0");
		else if (*c == '/')
			g_string_append(pointer, "~1");
		else if ((guchar)*c < 0x20 || *c == 0x7f)
			g_string_append_printf(pointer, "\\u%04x", (guchar)*c);
		else
			g_string_append_c(pointer, *c);
	}
	return g_string_free(pointer, FALSE);
}
