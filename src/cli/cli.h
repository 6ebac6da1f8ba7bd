/* SPDX-License-Identifier: MIT */
/*
 * What commands share. One command is one file in cli/: a const Command at its end, everything else
 * static. Only cli/ and main.c print or exit: stdout is data, stderr is talk.
 */
#ifndef ATOMSIM_CLI_CLI_H
#define ATOMSIM_CLI_CLI_H

#include <glib.h>

typedef enum { CLI_GOOD = 0, CLI_FAILED = 1, CLI_USAGE = 2 } CliStatus;

typedef struct {
	const char *name;     /* as typed: "run", "gen", ... */
	const char *synopsis; /* after the name: "[OPTION]... WORKLOAD" */
	const char *summary;  /* one line, no full stop */
	/* argv[0] is the command's name. */
	CliStatus (*run)(int argc, char **argv);
} Command;

/* The table in main.c's order, NULL-terminated. */
extern const Command *const commands[];

/* Each at the end of its file, listed in main.c when it exists. */
extern const Command command_run, command_gen, command_trace, command_capture, command_model,
	command_validate, command_calibrate, command_sweep, command_search, command_list,
	command_config;

/* Prints "atomsim: MESSAGE" on stderr (each line of a message of several), and returns the exit
   status for the error's code: USAGE 2, all others 1. */
CliStatus cli_fail(const GError *error);

/* A GOptionContext with the command's synopsis and summary, GNU style: --help, `--` ends options. */
GOptionContext *cli_options(const Command *command, const GOptionEntry *entries);

/* Parses, and serves --help. Operands are taken with a G_OPTION_REMAINING entry; without one they
   are errors. On failure prints the error and "Try 'atomsim COMMAND --help'", and gives CLI_USAGE
   in *status. Returns false when the command must return *status. */
gboolean cli_parse(GOptionContext *context, int *argc, char ***argv, CliStatus *status);

/* Where --output goes: `path` or, for NULL or "-", stdout. The text appears under `path` only when
   it is written whole. */
gboolean cli_write_output(const char *path, const char *text, gsize length, GError **error);

/* That --output names none of the files that are read: the config, by path or name, and the
   NULL-terminated `inputs`. Any may be NULL. A usage error if it does. */
gboolean cli_check_output(const char *output, const char *config, char *const *inputs,
			  GError **error);

/* Progress on stderr when it is a terminal, from the second second on: a bar with percent and time
   left. `unit` names what is counted. Cleared by a call with done == total. Also says whether to
   go on: false after SIGINT. */
gboolean cli_progress(const char *unit, guint64 done, guint64 total);

/* Makes the process fail, at its end, if what it printed on stdout did not get out. Once, by main. */
void cli_check_stdout_at_exit(void);

/* Number of threads for --jobs: `jobs` if positive, else the processors at hand. */
guint cli_jobs(int jobs);

#endif
