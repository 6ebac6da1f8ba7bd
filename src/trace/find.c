/* SPDX-License-Identifier: MIT */
#include "trace/find.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/installed.h"

#define SUFFIX ".bin"

char **trace_search_path(void)
{
	return installed_folders("traces", "traces", "ATOMSIM_TRACE_PATH");
}

char *trace_find(const char *name)
{
	g_auto(GStrv) folders = NULL;

	if (access(name, F_OK) == 0)
		return g_strdup(name);
	folders = trace_search_path();
	return installed_find(folders, name, SUFFIX);
}

char *trace_similar(const char *name)
{
	g_auto(GStrv) folders = trace_search_path();
	g_autoptr(GPtrArray) names = installed_short_names(folders, SUFFIX);
	g_autofree char *word = g_str_has_suffix(name, SUFFIX)
					? g_strndup(name, strlen(name) - strlen(SUFFIX))
					: g_strdup(name);

	if (strchr(name, '/'))
		return NULL;
	return g_strdup(atomsim_suggest(word, (const char *const *)names->pdata));
}
