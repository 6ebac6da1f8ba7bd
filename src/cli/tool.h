/* SPDX-License-Identifier: MIT */
/* Tools of the CUDA toolkit, and programs that are run by them. Who may include it: commands that run them. */
#ifndef ATOMSIM_CLI_TOOL_H
#define ATOMSIM_CLI_TOOL_H

#include <glib.h>

/* The path of a tool: what the variable names, else in PATH, else in the toolkit's folder. NULL: it is not there. g_free. */
char *cli_find_tool(const char *name, const char *variable);

/* Runs a program, a NULL behind its last argument, with our standard input, for as long as it takes; *status is as waitpid has it. Its
   standard output goes to *printed (g_free), or, if that is NULL, to ours, or to standard error where `aside` says that it is not what
   the command prints. Errors: ATOMSIM_ERROR_IO, it could not be run. (Programs that are ended when they take too long: measure/child.c.) */
gboolean cli_run_program(const GPtrArray *arguments, gboolean aside, char **printed,
			 int *status, GError **error);

#endif
