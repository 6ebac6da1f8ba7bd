/* SPDX-License-Identifier: MIT */
/* What of --set and --what-if had no effect on a run: said on stderr. */
#include <string.h>

#include "cli/run/run.h"
#include "config/acts.h"

/* The key of "KEY=VALUE"; NULL: there is none. */
static const Key *key_of(const char *setting)
{
	g_autofree char *path = g_strndup(setting, strcspn(setting, "="));

	return key_find(path);
}

void run_report_idle_settings(const char *const *settings, const char *trace, const KeyRun *run,
			      const Machine *plain)
{
	for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
		const Key *key = key_of(settings[i]);
		g_autofree char *why = key != NULL ? key_why_idle(key, run, plain) : NULL;

		if (why != NULL)
			g_printerr("atomsim: %s has no effect on %s: %s\n", key->path, trace,
				   why);
	}
}

/* "--what-if A and --what-if B". g_free. */
static char *list_changes(const WhatIf *what_if)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < what_if_length(what_if); i++)
		g_string_append_printf(text, "%s--what-if %s", i > 0 ? " and " : "",
				       what_if_text(what_if, i));
	return g_string_free(text, FALSE);
}

void run_report_idle_changes(const WhatIf *what_if, const char *trace, const KeyRun *run,
			     const SimResult *unchanged)
{
	const char *setting = what_if_settings(what_if)[0];
	g_autofree char *why =
		setting != NULL ? key_why_idle(key_of(setting), run, NULL) : NULL;
	g_autofree char *changes = list_changes(what_if);
	const gboolean one = what_if_length(what_if) == 1;

	if (memcmp(&run->result->statistics, &unchanged->statistics,
		   sizeof(unchanged->statistics)) == 0)
		g_printerr("atomsim: %s %s no effect on %s: every figure is the same with %s "
			   "and without%s%s\n",
			   changes, one ? "has" : "have", trace, one ? "it" : "them",
			   why != NULL ? "; " : "", why != NULL ? why : "");
	else if (why != NULL)
		g_printerr("atomsim: of %s %s has no effect on %s: %s\n", changes, setting,
			   trace, why);
}
