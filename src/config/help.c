/* SPDX-License-Identifier: MIT */
/* The table of keys, for people: on a terminal and in the manual. */

#include "config/config.h"
#include "config/keys.h"
#include "config/value.h"

#define HELP_WIDTH  80
#define HELP_INDENT 6

/* True at a key whose section differs from the key's before it. */
static gboolean starts_section(guint i)
{
	g_autofree char *section = key_section(key_at(i));
	g_autofree char *last = i ? key_section(key_at(i - 1)) : NULL;

	return g_strcmp0(section, last) != 0;
}

static void append_wrapped(GString *text, const char *paragraph)
{
	g_auto(GStrv) words = g_strsplit(paragraph, " ", -1);
	glong column = HELP_WIDTH;

	for (guint i = 0; words[i]; i++) {
		glong width = g_utf8_strlen(words[i], -1);

		if (column + 1 + width > HELP_WIDTH) {
			g_string_append_printf(text, "%s%*s", i ? "\n" : "", HELP_INDENT, "");
			column = HELP_INDENT;
		} else {
			g_string_append_c(text, ' ');
			column++;
		}
		g_string_append(text, words[i]);
		column += width;
	}
	g_string_append_c(text, '\n');
}

/* "dealt" is round_robin. */
static void append_former_values(GString *text, const KeyNames *names)
{
	for (guint i = 0; names && names->formerly && key_name(names, i); i++) {
		g_autofree char *line = g_strdup_printf("Formerly: \"%s\" for \"%s\".",
							names->formerly[i], key_name(names, i));

		if (!g_str_equal(names->formerly[i], key_name(names, i)))
			append_wrapped(text, line);
	}
}

static void append_help(GString *text, const Key *key)
{
	g_autofree char *allowed = value_allowed(key);
	g_autofree char *range = g_strdup_printf("Allowed: %s.", allowed);
	g_autofree char *source = g_strdup_printf(
		"%s: %s.", key->assumption ? "Assumption" : "Source", key->source);

	g_string_append_printf(text, "\n  %s = %s%s%s\n", key->path, key->default_value,
			       key->unit ? " " : "", key->unit ? key->unit : "");
	append_wrapped(text, key->doc);
	append_wrapped(text, range);
	append_wrapped(text, source);
	if (key->formerly) {
		g_autofree char *formerly = g_strdup_printf("Formerly: %s.", key->formerly);

		append_wrapped(text, formerly);
	}
	append_former_values(text, key->names);
}

void config_print_help(FILE *stream)
{
	g_autoptr(GString) text = g_string_new(
		"Keys of a config file, with their defaults: those of a GeForce GTX 580 "
		"(Fermi);\n"
		"for parts that it does not have, those that the source names; for the memory\n"
		"side (l2, network, dram), neutral values, which cost nothing. Dots separate\n"
		"objects of the file: sm.count is {\"sm\": {\"count\": ...}}. --set KEY=VALUE\n"
		"changes a key. An assumption is a value that no publication fixes.\n");

	for (guint i = 0; i < key_count(); i++) {
		g_autofree char *section = key_section(key_at(i));

		if (*section && starts_section(i))
			g_string_append_printf(text, "\n%s\n", section_doc(section));
		append_help(text, key_at(i));
	}
	fputs(text->str, stream);
}

char *config_markdown(void)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < key_count(); i++) {
		g_autofree char *section = key_section(key_at(i));
		g_autofree char *allowed = value_allowed(key_at(i));

		if (starts_section(i))
			g_string_append_printf(
				text,
				"%s### %s\n\n| key | default | meaning | allowed | source |\n"
				"| --- | --- | --- | --- | --- |\n",
				i ? "\n" : "",
				*section ? section_doc(section) : "The whole GPU");
		g_string_append_printf(
			text, "| `%s` | %s%s%s | %s | %s | %s%s |\n", key_at(i)->path,
			key_at(i)->default_value, key_at(i)->unit ? " " : "",
			key_at(i)->unit ? key_at(i)->unit : "", key_at(i)->doc, allowed,
			key_at(i)->assumption ? "**assumption**: " : "", key_at(i)->source);
	}
	return g_string_free(text, FALSE);
}
