/* SPDX-License-Identifier: MIT */
#include "cli/tool.h"

#include <glib.h>

char *cli_find_tool(const char *name, const char *variable)
{
	const char *named = g_getenv(variable), *toolkit = g_getenv("CUDA_HOME");
	g_autofree char *beside =
		g_build_filename(toolkit ? toolkit : "/usr/local/cuda", "bin", name, NULL);
	char *path = g_find_program_in_path(named ? named : name);

	if (path != NULL || named != NULL)
		return path;
	return g_find_program_in_path(beside);
}
