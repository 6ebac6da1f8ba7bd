/* SPDX-License-Identifier: MIT */
#include "cli/tool.h"

#include <unistd.h>

#include "base/error.h"

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

/* In the child. */
static void print_on_stderr(gpointer data)
{
	(void)data;
	dup2(STDERR_FILENO, STDOUT_FILENO);
}

gboolean cli_run_program(const GPtrArray *arguments, gboolean aside, char **printed,
			 int *status, GError **error)
{
	g_autoptr(GError) why = NULL;

	if (g_spawn_sync(NULL, (char **)arguments->pdata, NULL,
			 G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN,
			 aside && printed == NULL ? print_on_stderr : NULL, NULL, printed, NULL,
			 status, &why))
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_IO, "%s", why->message);
}
