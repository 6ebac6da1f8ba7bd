/* SPDX-License-Identifier: MIT */
#include "cli/complete.h"

#include <string.h>

#include "cli/list/list.h"
#include "cli/trace/trace.h"
#include "workloads/workload.h"

static const char *word;	    /* to complete */
static const char *previous;	    /* the word before it, or "" */
static gboolean of_list, of_traces; /* what the command's operands are */

/* --- Options and operands --- */

static gboolean is_of(const char *text, const GOptionEntry *entry)
{
	return (g_str_has_prefix(text, "--") && strcmp(text + 2, entry->long_name) == 0) ||
	       (text[0] == '-' && text[1] && text[1] == entry->short_name && !text[2]);
}

/* Those that commands have besides their own. */
static void offer_common(gboolean writes)
{
	if (*word == '-' && writes)
		offer("--", "force", "", NULL);
	if (*word == '-')
		offer("--", "help", "", NULL);
}

static void complete_options(const Command *command)
{
	const GOptionEntry *own = command->options;

	for (const GOptionEntry *entry = own; entry && entry->long_name; entry++)
		if (*entry->long_name && entry->arg != G_OPTION_ARG_NONE &&
		    is_of(previous, entry)) {
			offer_value(entry);
			return;
		}
	if (command->has_colors && strcmp(previous, "--color") == 0) {
		offer_named("auto always never");
	} else if (*word == '-') {
		for (const GOptionEntry *entry = own; entry && entry->long_name; entry++)
			if (*entry->long_name)
				offer("--", entry->long_name, "", entry->description);
		offer_common(cli_has_output(command));
		if (command->has_colors)
			offer("--", "color", "", NULL);
	} else if (of_list) {
		for (const ListTable *table = list_tables; table->name; table++)
			offer("", table->name, "", table->heading);
	} else if (of_traces) {
		offer_traces();
	}
}

/* gen reads its options by the workload's rows. */
static void offer_of_workload(const Workload *workload)
{
	const WorkloadOption *const rows[] = {workload->options, workload_common_options};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		for (const WorkloadOption *option = rows[i]; option->name; option++) {
			g_auto(GStrv) choices =
				g_strsplit(option->choices ? option->choices : "", "|", -1);

			if (*word == '-')
				offer("--", option->name, "", option->doc);
			else if (g_str_has_prefix(previous, "--") &&
				 strcmp(previous + 2, option->name) == 0)
				for (guint k = 0; choices[k]; k++)
					offer("", choices[k], "", NULL);
		}
}

static void offer_commands(void)
{
	for (guint i = 0; commands[i]; i++)
		offer("", commands[i]->name, "", commands[i]->summary);
}

static void complete_gen(int n, char **words)
{
	g_autoptr(GError) error = NULL;
	const Workload *workload = n > 2 ? workload_find(words[1], &error) : NULL;

	if (n == 2)
		offer_workloads();
	else if (workload)
		offer_of_workload(workload);
	if (*word == '-')
		offer("--", "output", "", NULL);
	offer_common(TRUE);
}

static void complete_command(const Command *command)
{
	of_list = strcmp(command->name, "list") == 0;
	of_traces = strstr(command->synopsis, "TRACE") != NULL ||
		    g_str_has_prefix(command->name, "trace ") ||
		    strcmp(command->name, "diff") == 0;
	complete_options(command);
}

static void complete_trace(int n, char **words)
{
	if (n == 2)
		offer_common(FALSE);
	for (guint i = 0; trace_commands[i]; i++) {
		const char *name = cli_word(trace_commands[i]);

		if (n == 2)
			offer("", name, "", trace_commands[i]->summary);
		else if (strcmp(words[1], name) == 0)
			complete_command(trace_commands[i]);
	}
}

CliStatus complete(int n, char **words)
{
	const gboolean named = words[0][0] != '-';

	word = words[n - 1];
	offer_for(word);
	previous = n > 1 ? words[n - 2] : "";
	if (n == 1 && named)
		offer_commands();
	else if (n == 1)
		offer("--", "version", "", NULL);
	if (named && n > 1 && strcmp(words[0], "gen") == 0)
		complete_gen(n, words);
	else if (named && n > 1 && strcmp(words[0], "trace") == 0)
		complete_trace(n, words);
	else if (!named || n > 1)
		for (guint i = 0; commands[i]; i++)
			if (strcmp(commands[i]->name, named ? words[0] : "run") == 0)
				complete_command(commands[i]);
	return CLI_GOOD;
}
