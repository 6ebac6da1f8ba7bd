/* SPDX-License-Identifier: MIT */
/* A fit that is tested by its own rows is no test: validate says so. */
#include "cli/validate/validate.h"

#include <string.h>

#include "config/keys.h"
#include "config/provenance.h"

/* Whether one path ends as the other, whole names of it: "a100/published.csv" and "measurements/a100/published.csv". */
static gboolean same_file(const char *a, const char *b)
{
	const char *longer = strlen(a) > strlen(b) ? a : b;
	const char *shorter = longer == a ? b : a;
	gsize rest = strlen(longer) - strlen(shorter);

	return strcmp(longer + rest, shorter) == 0 && (rest == 0 || longer[rest - 1] == '/');
}

/* Whether a fit's source, "FILE, FILE: what of them", names that file. */
static gboolean names_file(const char *source, const char *file)
{
	g_auto(GStrv) words = g_strsplit_set(source, ",:; ", -1);

	for (guint i = 0; words[i]; i++)
		if (*words[i] && same_file(words[i], file))
			return TRUE;
	return FALSE;
}

/* Points that a fit to that source may have used. */
static guint count_points(const GPtrArray *points, const char *source)
{
	guint n = 0;

	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);

		n += !point->held_back && names_file(source, point->file);
	}
	return n;
}

char *validate_fitted_warning(const Config *config, const GPtrArray *points)
{
	GString *text = g_string_new(NULL);
	Provenance entry;

	for (guint i = 0; i < key_count(); i++) {
		guint n =
			config_provenance(config, i, &entry) && entry.kind == PROVENANCE_FITTED
				? count_points(points, entry.source)
				: 0;

		if (n > 0)
			g_string_append_printf(
				text,
				"atomsim: warning: %s was fitted to %s%s%s, and %u point%s of "
				"that file %s not held out: no test of it\n",
				key_at(i)->path, entry.source, entry.rows ? ", rows " : "",
				entry.rows ? entry.rows : "", n, n == 1 ? "" : "s",
				n == 1 ? "is" : "are");
	}
	return g_string_free(text, FALSE);
}
