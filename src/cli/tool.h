/* SPDX-License-Identifier: MIT */
/* Tools of the CUDA toolkit. Who may include it: commands that run them. */
#ifndef ATOMSIM_CLI_TOOL_H
#define ATOMSIM_CLI_TOOL_H

/* The path of a tool: what the variable names, else in PATH, else in the toolkit's folder. NULL: it is not there. g_free. */
char *cli_find_tool(const char *name, const char *variable);

#endif
