/* SPDX-License-Identifier: MIT */
/* What a plot's axes say. */
#include <string.h>

#include "cli/sweep/sweep.h"
#include "config/keys.h"
#include "report/fields.h"

/* A statistic with its unit: "Kernel time (cycles)", "atomics.retries (lanes)". g_free. */
static char *statistic_words(const Field *field)
{
	if (strcmp(field->path, "cycles") == 0 || strcmp(field->path, "time_us") == 0)
		return g_strdup_printf("Kernel time (%s)", field->unit);

	g_autofree char *unit =
		g_strdelimit(g_strdup(field->unit ? field->unit : ""), " ", '_');

	return g_str_has_suffix(field->path, unit)
		       ? g_strdup(field->path)
		       : g_strdup_printf("%s (%s)", field->path, field->unit);
}

char *sweep_axis_words(const char *key)
{
	const Key *row = key_find(key);
	const char *doc = row != NULL ? row->doc : NULL, *unit = row != NULL ? row->unit : NULL;
	g_autofree char *shown = NULL;
	g_autofree char *lower = NULL;
	gsize sentence;

	for (guint i = 0; doc == NULL && i < n_report_fields; i++)
		if (strcmp(report_fields[i].path, key) == 0)
			return statistic_words(&report_fields[i]);
	if (doc == NULL)
		return g_strdup(key);
	sentence = strcspn(doc, ".;:,");
	shown = g_strndup(doc, sentence);
	lower = g_ascii_strdown(shown, -1);
	return unit != NULL && strstr(lower, unit) == NULL
		       ? g_strdup_printf("%s, in %s (%s)", shown, unit, key)
		       : g_strdup_printf("%s (%s)", shown, key);
}
