/* SPDX-License-Identifier: MIT */
/*
 * What commands share. One command is one file in cli/: a const Command at its end, everything else
 * static. Only cli/ and main.c print or exit: stdout is data, stderr is talk.
 */
#ifndef ATOMSIM_CLI_CLI_H
#define ATOMSIM_CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/output.h"

/* 130 is what shells give for a process that SIGINT ended. */
typedef enum { CLI_GOOD = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 } CliStatus;

typedef struct Command Command;
struct Command {
	const char *name;     /* as typed: "run", "gen", ... */
	const char *synopsis; /* after the name: "[OPTION]... WORKLOAD" */
	const char *summary;  /* one line, no full stop */
	gboolean has_colors;  /* --color: for its --format text on standard output */
	const char *examples; /* two command lines, with a line end between them */
	const char *failure;  /* what else exit status 1 means; NULL: nothing */
	/* What it takes, static, 0 until it is given; NULL: what all commands have. Texts in it are
	   freed, and NULL again, when `run` has ended. */
	const GOptionEntry *options;
	/* Once the options are read. An error that it sets is printed, and gives the exit status. */
	CliStatus (*run)(GError **error);
	/* In place of `run`: with the command line as it is; argv[0] is the command's name. */
	CliStatus (*run_words)(int argc, char **argv);
	/* For --help. */
	const Command *const *commands; /* "NAME WORD" each, NULL-terminated; NULL: none */
	const char *notes;		/* whole lines; NULL: none */
};

/* All of them, in the order of the help: command_run is at the end of run's file. */
#define COMMANDS(X)                                                                            \
	X(run)                                                                                 \
	X(diff)                                                                                \
	X(table)                                                                               \
	X(gen)                                                                                 \
	X(trace)                                                                               \
	X(capture)                                                                             \
	X(model)                                                                               \
	X(validate)                                                                            \
	X(measure)                                                                             \
	X(verify)                                                                              \
	X(calibrate)                                                                           \
	X(derive)                                                                              \
	X(search)                                                                              \
	X(sweep)                                                                               \
	X(advise)                                                                              \
	X(explain)                                                                             \
	X(config)                                                                              \
	X(list)                                                                                \
	X(demo)

#define X(name) extern const Command command_##name;
COMMANDS(X)
#undef X

extern const Command *const commands[]; /* NULL-terminated */

/* Once, by main: what is said on stderr is fit for terminals, signals leave nothing half done, inputs
   are not overwritten, and what does not get out on stdout fails. The command line is kept. */
void cli_begin(char **argv);
void cli_handle_signals(void);

/* Prints on stderr the command line that goes on with interrupted work, for a shell: the one of this process, and `more`
   at its end (NULL: nothing). */
void cli_print_resume(const char *more);

/* Whether SIGINT has asked a command to stop that has called cli_progress. */
gboolean cli_interrupted(void);

/* Prints on stdout what holds names or other text from outside, fit for terminals. */
void cli_print(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Prints "atomsim: MESSAGE" on stderr (each line of a message of several), and returns the exit
   status: 130 when interrupted, else that for the error's code: USAGE 2, all others 1. */
CliStatus cli_fail(const GError *error);

/* Runs a command. argv[0] is its name. */
CliStatus cli_run(const Command *command, int argc, char **argv);

/* Reads the command's options, GNU style, and runs it: --help, `--` ends options; with --force if it has
   --output or --plot. Operands are taken with a G_OPTION_REMAINING entry; without one they are errors. Of
   wrong usage prints the error and "Try 'atomsim COMMAND --help'". */
CliStatus cli_run_options(const Command *command, int argc, char **argv);

/* Prints the command's --help with its options and those that all such commands have. `list`: whole
   lines; NULL: its commands, if it has any. */
void cli_print_help(const Command *command, const char *list);

/* What a command of a command is called there: "info" of "trace info". */
const char *cli_word(const Command *command);

/* Whether the command writes files. */
gboolean cli_has_output(const Command *command);

/* Whether --output `path` is stdout: NULL or "-". */
gboolean cli_is_stdout(const char *path);

/* What --color says (NULL: auto), and whether the output is text for people. A usage error for another word. */
gboolean cli_color_begin(const char *when, gboolean text, GError **error);
/* The text with colors; NULL if it gets none. g_free. */
char *cli_color(const char *text);

/* Where --output goes: `path` (base/output.h) or stdout. */
gboolean cli_write_output(const char *path, const OutputKind *kind, const char *text,
			  gsize length, GError **error);

/* Before the work: that --output can be written (overwrite_plan), and names none of the files that will be
   read: the config, by path or name, and the NULL-terminated `inputs`. Any may be NULL. */
gboolean cli_check_output(const char *output, const OutputKind *kind, const char *config,
			  char *const *inputs, GError **error);

/* Progress on stderr when it is a terminal, from the second second on: a bar with percent and time
   left. `unit` names what is counted. Cleared by a call with done == total. Also says whether to
   go on: false after SIGINT. */
gboolean cli_progress(const char *unit, guint64 done, guint64 total);

/* The same of a replay's blocks: a ReplayProgress. */
bool cli_on_blocks(void *data, uint64_t blocks_done, uint64_t n_blocks);

/* Makes the process fail, at its end, if what it printed on stdout did not get out. */
void cli_check_stdout_at_exit(void);

/* Number of threads for --jobs: `jobs` if positive, else the processors at hand. */
guint cli_jobs(int jobs);

#endif
