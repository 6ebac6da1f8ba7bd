/* SPDX-License-Identifier: MIT */
/* atomsim: picks the command and hands it the rest of the command line. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "base/error.h"
#include "trace/find.h"

const Command *const commands[] = {
#define X(name) &command_##name,
	COMMANDS(X)
#undef X
		NULL,
};

static const char *const variables[][2] = {
	{"ATOMSIM_CONFIG_PATH",
	 "Folders of configs, with colons between them; before the installed ones"},
	{"ATOMSIM_TRACE_PATH", "Folders of traces, likewise"},
	{"ATOMSIM_FORM_PATH", "Folders of forms of measured files, likewise"},
	{"NO_COLOR", "If set, --color auto adds no colors"},
};

static const Command *command_find(const char *name)
{
	for (guint i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static CliStatus print_help(void)
{
	g_autoptr(GString) text = g_string_new(
		"Usage: atomsim [run] --config CONFIG [OPTION]... TRACE\n"
		"  or:  atomsim COMMAND [OPTION]... [ARGUMENT]...\n"
		"Simulate GPU shared memory and its atomics by replaying warp traces.\n"
		"\n"
		"Commands:\n");

	for (guint i = 0; commands[i]; i++)
		help_row(text, 12, commands[i]->name, commands[i]->summary);
	g_string_append(text, "\n"
			      "Options:\n"
			      "  -h, --help     Show this help and exit\n"
			      "  -V, --version  Show the version and exit\n"
			      "\n"
			      "'atomsim help COMMAND' shows the options of a command.\n"
			      "A trace or config named - is read from standard input.\n"
			      "\n"
			      "Environment:\n");
	for (guint i = 0; i < G_N_ELEMENTS(variables); i++)
		help_row(text, 20, variables[i][0], variables[i][1]);
	help_end(text, NULL,
		 "atomsim --config h200 weighted\natomsim advise --config h200 weighted");
	fputs(text->str, stdout);
	return CLI_GOOD;
}

static CliStatus print_version(void)
{
	printf("atomsim %s\n"
	       "Copyright (C) 2026 The atomsim authors\n"
	       "License: MIT\n",
	       PACKAGE_VERSION);
	return CLI_GOOD;
}

static CliStatus unknown_command(const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *trace = trace_find(name);

	for (guint i = 0; commands[i]; i++)
		g_ptr_array_add(names, (char *)commands[i]->name);
	g_ptr_array_add(names, NULL);

	const char *similar = atomsim_suggest(name, (const char *const *)names->pdata);
	if (similar)
		g_printerr("atomsim: unknown command '%s'; did you mean '%s'?\n", name,
			   similar);
	else
		g_printerr("atomsim: unknown command '%s'\n", name);
	if (trace != NULL)
		g_printerr("To replay a trace: atomsim --config CONFIG %s\n", name);
	g_printerr("Try 'atomsim --help'\n");
	return CLI_USAGE;
}

static CliStatus run_command(int argc, char **argv)
{
	const Command *command = command_find(argv[0]);

	return command ? cli_run(command, argc, argv) : unknown_command(argv[0]);
}

/* help COMMAND... is COMMAND... --help. */
static CliStatus help(int argc, char **argv)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	if (argc == 2)
		return print_help();
	for (int i = 2; i < argc; i++)
		g_ptr_array_add(words, argv[i]);
	g_ptr_array_add(words, (char *)"--help");
	g_ptr_array_add(words, NULL);
	return run_command((int)words->len - 1, (char **)words->pdata);
}

int main(int argc, char **argv)
{
	/* Only LC_CTYPE: numbers must never get a decimal comma. */
	setlocale(LC_CTYPE, "");
	g_set_prgname("atomsim");
	cli_begin(argv);

	if (argc < 2) {
		g_printerr("atomsim: no command and no --config\nTry 'atomsim --help'\n");
		return CLI_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return print_help();
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return print_version();

	if (strcmp(argv[1], "--complete") == 0 && argc > 2)
		return complete(argc - 2, argv + 2);

	/* Options without a command are those of the main job. */
	if (argv[1][0] == '-') {
		const Command *run = command_find("run");
		if (!run)
			return unknown_command(argv[1]);
		argv[0] = (char *)run->name;
		return cli_run(run, argc, argv);
	}

	if (strcmp(argv[1], "help") == 0)
		return help(argc, argv);
	return run_command(argc - 1, argv + 1);
}
