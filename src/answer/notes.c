/* SPDX-License-Identifier: MIT */
/* What of --set and --what-if had no effect on a run. */
#include "answer/run.h"

#include <string.h>

#include "config/acts.h"

/* The key of "KEY=VALUE"; NULL: there is none. */
static const Key *key_of(const char *setting)
{
	g_autofree char *path = g_strndup(setting, strcspn(setting, "="));

	return key_find(path);
}

void settings_notes(const char *const *settings, const char *trace, const KeyRun *run,
		    const Machine *shipped, GPtrArray *notes)
{
	for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
		const Key *key = key_of(settings[i]);
		g_autofree char *why = key != NULL ? key_why_idle(key, run, shipped) : NULL;

		if (why != NULL)
			g_ptr_array_add(notes, g_strdup_printf("%s has no effect on %s: %s",
							       key->path, trace, why));
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

static void add_idle_changes(const WhatIf *what_if, const char *trace, const KeyRun *run,
			     const SimResult *unchanged, GPtrArray *notes)
{
	const char *setting = what_if_settings(what_if)[0];
	g_autofree char *why =
		setting != NULL ? key_why_idle(key_of(setting), run, NULL) : NULL;
	g_autofree char *changes = list_changes(what_if);
	const gboolean one = what_if_length(what_if) == 1;

	if (memcmp(&run->result->statistics, &unchanged->statistics,
		   sizeof(unchanged->statistics)) == 0)
		g_ptr_array_add(
			notes,
			g_strdup_printf("%s %s no effect on %s: every figure is the same with "
					"%s and without%s%s",
					changes, one ? "has" : "have", trace,
					one ? "it" : "them", why != NULL ? "; " : "",
					why != NULL ? why : ""));
	else if (why != NULL)
		g_ptr_array_add(notes, g_strdup_printf("of %s %s has no effect on %s: %s",
						       changes, setting, trace, why));
}

void run_notes(const RunRequest *request, const RunAnswer *answer, const char *const *settings,
	       const Config *shipped, GPtrArray *notes)
{
	const RecordSource *source = answer->changed.source != NULL
					     ? answer->changed.source
					     : trace_source(request->reader);
	const char *trace = answer->report->trace_name;
	KeyRun had;

	if (answer->result.run.status != SIM_OK)
		return;
	had = key_run(answer->report->machine, &source->kernel, &answer->result.run);
	settings_notes(settings, trace, &had, shipped ? config_machine(shipped) : NULL, notes);
	if (answer->unchanged != NULL)
		add_idle_changes(request->what_if, trace, &had, &answer->unchanged->run, notes);
}
