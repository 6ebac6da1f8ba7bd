/* SPDX-License-Identifier: MIT */
/* What commands share: --help, in 80 columns, its options in groups. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define WIDTH	   80
#define MOST_NAMES 16
#define COLUMN	   26 /* of what an option does; a longer option has a line of its own */

/* An option has one name and one group in all commands; one that is in none is the command's own. */
static const struct {
	const char *title;
	const char *names[MOST_NAMES];
} groups[] = {
	{"Options", {NULL}},
	{"Runs",
	 {"seed", "jobs", "causes", "no-baseline", "within", "all-sms", "sequence", "resume",
	  "shard", "shards", "emit", NULL}},
	{"Output",
	 {"format", "columns", "output", "plot", "report", "advice", "timeline",
	  "timeline-window", "utilization", "reproducible", "color", "force", NULL}},
	{"Help", {"help-config", "help", NULL}},
};

static guint group_of(const char *name)
{
	for (guint i = 1; i < G_N_ELEMENTS(groups); i++)
		if (g_strv_contains(groups[i].names, name))
			return i;
	return 0;
}

static void append_option(GString *text, const GOptionEntry *entry)
{
	const gsize start = text->len;

	g_string_append(text, "  ");
	if (entry->short_name)
		g_string_append_printf(text, "-%c, ", entry->short_name);
	g_string_append_printf(text, "--%s", entry->long_name);
	if (entry->arg_description)
		g_string_append_printf(text, "=%s", entry->arg_description);
	if (text->len - start + 2 > COLUMN)
		g_string_append_printf(text, "\n%*s", COLUMN, "");
	else
		g_string_append_printf(text, "%*s", (int)(COLUMN - (text->len - start)), "");
	text_wrap(text, entry->description, COLUMN, WIDTH);
	g_string_append_c(text, '\n');
}

static void append_group(GString *text, guint group, const GOptionEntry *const *tables)
{
	gboolean any = FALSE;

	for (; *tables; tables++)
		for (const GOptionEntry *entry = *tables; entry->long_name; entry++) {
			if (*entry->long_name == '\0' || group_of(entry->long_name) != group)
				continue;
			if (!any)
				g_string_append_printf(text, "\n%s:\n", groups[group].title);
			any = TRUE;
			append_option(text, entry);
		}
}

void help_row(GString *text, guint width, const char *name, const char *what)
{
	g_string_append_printf(text, "  %-*s ", (int)width, name);
	text_wrap(text, what, width + 3, WIDTH);
	g_string_append_c(text, '\n');
}

void help_end(GString *text, const char *failure, const char *examples)
{
	g_autofree char *status = g_strdup_printf(
		"Exit status: %d success; %d failure%s%s; %d wrong usage; %d interrupted.",
		CLI_GOOD, CLI_FAILED, failure ? ", or " : "", failure ? failure : "", CLI_USAGE,
		CLI_INTERRUPTED);
	g_auto(GStrv) lines = g_strsplit(examples ? examples : "", "\n", -1);

	g_string_append_c(text, '\n');
	text_wrap(text, status, 0, WIDTH);
	g_string_append(text, examples ? "\n\nExamples:\n" : "\n");
	for (guint i = 0; lines[i]; i++)
		g_string_append_printf(text, "  %s\n", lines[i]);
}

void help_print(const Command *command, const char *list, const GOptionEntry *const *tables)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *usage =
		g_strdup_printf("Usage: atomsim %s %s", command->name, command->synopsis);

	text_wrap(text, usage, strlen("Usage: atomsim "), WIDTH);
	g_string_append_c(text, '\n');
	text_wrap(text, command->summary, 0, WIDTH);
	g_string_append(text, ".\n");
	if (*list)
		g_string_append_printf(text, "\n%s", list);
	for (guint i = 0; i < G_N_ELEMENTS(groups); i++)
		append_group(text, i, tables);
	if (command->notes)
		g_string_append_printf(text, "\n%s", command->notes);
	help_end(text, command->failure, command->examples);
	fputs(text->str, stdout);
}
