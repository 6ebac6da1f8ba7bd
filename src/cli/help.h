/* SPDX-License-Identifier: MIT */
/* The layout of every help text: 80 columns, the same parts in the same order. Who may include it: commands and main.c. */
#ifndef ATOMSIM_CLI_HELP_H
#define ATOMSIM_CLI_HELP_H

#include "cli/cli.h"

/* A row of a list (commands, workloads): a name of up to `width` characters, and what it is. */
void help_row(GString *text, guint width, const char *name, const char *what);

/* The last parts of a help text: exit status, and examples (command lines with line ends between them; NULL: none).
   `failure`: Command.failure. */
void help_end(GString *text, const char *failure, const char *examples);

/* Prints a command's --help: usage, summary, `list` (whole lines, or ""), options of the NULL-terminated tables by group, its notes,
   the end. */
void help_print(const Command *command, const char *list, const GOptionEntry *const *tables);

#endif
