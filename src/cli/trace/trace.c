/* SPDX-License-Identifier: MIT */
/* atomsim trace: picks the sub-command that looks at, verifies or converts traces. */
#include "cli/trace/trace.h"

#include <string.h>

#include "base/error.h"

const Command *const trace_commands[] = {
	&command_trace_info,
	&command_trace_check,
	&command_trace_dump,
	&command_trace_import,
	&command_trace_pack,
	&command_trace_assemble,
	NULL,
};

static CliStatus unknown(const char *word)
{
	const char *words[G_N_ELEMENTS(trace_commands)] = {NULL};
	g_autofree char *list = NULL;
	const char *similar;

	for (guint i = 0; trace_commands[i]; i++)
		words[i] = cli_word(trace_commands[i]);
	list = g_strjoinv(", ", (char **)words);
	similar = word ? atomsim_suggest(word, words) : NULL;
	if (!word)
		g_printerr("atomsim: trace: no command given\n");
	else if (similar)
		g_printerr("atomsim: trace: unknown command '%s'; did you mean '%s'?\n", word,
			   similar);
	else
		g_printerr("atomsim: trace: unknown command '%s'; there are: %s\n", word, list);
	g_printerr("Try 'atomsim trace --help'\n");
	return CLI_USAGE;
}

static CliStatus run(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	if (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
		cli_print_help(&command_trace, NULL);
		return CLI_GOOD;
	}
	for (guint i = 0; word && trace_commands[i]; i++)
		if (strcmp(cli_word(trace_commands[i]), word) == 0)
			return cli_run(trace_commands[i], argc - 1, argv + 1);
	return unknown(word);
}

const Command command_trace = {
	.name = "trace",
	.synopsis = "COMMAND [OPTION]... FILE...",
	.summary = "Inspect, verify and convert traces",
	.examples = "atomsim trace info weighted\n"
		    "atomsim trace dump --limit 5 weighted",
	.run_words = run,
	.commands = trace_commands,
	.notes = "'atomsim trace COMMAND --help' shows the options of a command.\n",
};
