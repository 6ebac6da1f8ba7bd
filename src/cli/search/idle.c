/* SPDX-License-Identifier: MIT */
/* What of a search had no effect: said on stderr. */
#include <string.h>

#include "cli/search/search.h"

#include "config/keys.h"

/* Of which targets no hash made a difference. */
static void report_targets(const SearchReport *report)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint t = 0; report->traces[t] != NULL; t++) {
		g_autofree char *name = g_path_get_basename(report->traces[t]);

		g_string_append_printf(names, "%s%s", t > 0 ? ", " : "", name);
	}
	for (guint i = 0; i < report->n_steps; i++) {
		const SearchResult *result = &report->steps[i];

		if (result->idle || result->why_idle != NULL)
			g_printerr("atomsim: %s has no effect on %s: %s%s%s\n",
				   search_key(result->target), names->str,
				   result->idle ? "every hash costs the same" : "",
				   result->idle && result->why_idle ? "; " : "",
				   result->why_idle ? result->why_idle : "");
	}
}

/* NULL: it is a weight of costs, which the report depends on but no run. g_free. */
static char *path_of(const char *setting)
{
	char *path = g_strndup(setting, strcspn(setting, "="));
	const Key *key = key_find(path);

	if (key != NULL && (key->acts_on & KEY_ACTS_NEVER) != 0)
		g_clear_pointer(&path, g_free);
	return path;
}

void search_see(void *data, guint reader, const KeyRun *run)
{
	const SearchSeen *seen = data;
	char **settings = seen->settings;

	for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
		g_autofree char *path = path_of(settings[i]);

		if (path != NULL)
			reasons_see(seen->reasons, path, seen->traces[reader], run);
	}
}

static void report_settings(const SearchSeen *seen)
{
	char **settings = seen->settings, **traces = seen->traces;

	for (guint i = 0; settings != NULL && settings[i] != NULL; i++)
		for (guint t = 0; traces[t] != NULL; t++) {
			g_autofree char *path = path_of(settings[i]);
			g_autofree char *name = g_path_get_basename(traces[t]);
			const char *why =
				path ? reasons_of(seen->reasons, path, traces[t]) : NULL;

			if (why != NULL)
				g_printerr("atomsim: %s has no effect on %s: %s\n", path, name,
					   why);
		}
}

void search_report_idle(const SearchReport *report, const SearchSeen *seen)
{
	report_targets(report);
	report_settings(seen);
}
