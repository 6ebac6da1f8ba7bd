/* SPDX-License-Identifier: MIT */
/* atomsim demo: a few commands on shipped traces, shown as they would be typed, and what they print. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

typedef struct {
	const char *words; /* what it shows */
	const Command *command;
	const char *arguments[8];
} Step;

static const Step steps[] = {
	{"A histogram kernel, captured on an H200, on a GPU of 2010: where does its time go?",
	 &command_run,
	 {"--config", "fermi", "--reproducible", "histogram.bin"}},
	{"The same trace on the GPU it was captured on.",
	 &command_diff,
	 {"--config", "fermi", "--config", "h200", "histogram.bin"}},
	{"A transpose without and with a column of padding.",
	 &command_diff,
	 {"--config", "h200", "transpose.bin", "transpose-padded.bin"}},
	{"And for five lanes of one warp, round by round:",
	 &command_model,
	 {"--config", "fermi", "--addresses", "0 1024 2 3 4"}},
};

static CliStatus run_step(const Step *step)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_autofree char **copy = NULL;
	g_auto(GStrv) argv = NULL;

	g_ptr_array_add(words, (char *)step->command->name);
	printf("%s\n\n$ atomsim %s", step->words, step->command->name);
	for (guint i = 0; step->arguments[i] != NULL; i++) {
		gboolean quoted = strchr(step->arguments[i], ' ') != NULL;

		g_ptr_array_add(words, (char *)step->arguments[i]);
		printf(" %s%s%s", quoted ? "\"" : "", step->arguments[i], quoted ? "\"" : "");
	}
	printf("\n");
	g_ptr_array_add(words, NULL);
	argv = g_strdupv((char **)words->pdata);
	/* Parsing takes words out of the array, but frees none. */
	copy = g_memdup2(argv, words->len * sizeof(*argv));
	return cli_run(step->command, (int)words->len - 1, copy);
}

static CliStatus run(GError **error)
{
	(void)error;
	for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
		if (i > 0)
			printf("\n");
		CliStatus status = run_step(&steps[i]);
		if (status != CLI_GOOD)
			return status;
	}
	return CLI_GOOD;
}

const Command command_demo = {
	.name = "demo",
	.synopsis = "[OPTION]...",
	.summary = "Demonstrate atomsim on bundled traces",
	.examples = "atomsim demo\n"
		    "atomsim demo | less",
	.run = run,
};
