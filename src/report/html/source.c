/* SPDX-License-Identifier: MIT */
/* The program's source, where the trace names it and it lies beside the trace. */
#include <string.h>

#include "base/input.h"
#include "report/html/html.h"

#define CONTEXT	   12 /* lines about the costly ones */
#define MOST_LINES 400
#define MOST_BYTES (1u << 20)

/* Where a source may be: beside the trace, or there in kernels/. Nowhere else, for a trace is anybody's,
   and a page is passed on: it must not make the page hold a file that is none of its business. */
static char *find(const char *folder, const char *name)
{
	g_autofree char *base = g_path_get_basename(name);
	char *places[] = {g_build_filename(folder, base, NULL),
			  g_build_filename(folder, "kernels", base, NULL)};
	char *found = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
		if (!found && g_file_test(places[i], G_FILE_TEST_IS_REGULAR))
			found = g_strdup(places[i]);
		g_free(places[i]);
	}
	return found;
}

/* The first and last line of a file that the report's costly sites name; false if there is none. */
static bool range_of(const RunReport *report, const char *name, guint *first, guint *last)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");

	*first = G_MAXUINT;
	*last = 0;
	for (guint i = 0; i < report->result->n_sites; i++) {
		const cJSON *site =
			cJSON_GetArrayItem(sites, (int)report->result->sites[i].id - 1);
		const cJSON *line = cJSON_GetObjectItemCaseSensitive(site, "line");
		const char *file =
			cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(site, "file"));

		if (!file || strcmp(file, name) != 0 || !cJSON_IsNumber(line) ||
		    line->valuedouble < 1 || line->valuedouble > 1e6)
			continue;
		*first = MIN(*first, (guint)line->valuedouble);
		*last = MAX(*last, (guint)line->valuedouble);
	}
	return *last > 0;
}

static void add_source(cJSON *sources, const RunReport *report, const char *name,
		       const char *folder)
{
	g_autofree char *path = find(folder, name);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	guint first, last;
	gsize length;
	cJSON *source, *list;

	if (!path || !range_of(report, name, &first, &last) ||
	    !input_read(path, MOST_BYTES, "a source", &text, &length, NULL) ||
	    !g_utf8_validate(text, (gssize)length, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	if (last > g_strv_length(lines))
		return; /* another version of the file */
	first = first > CONTEXT ? first - CONTEXT : 1;
	last = MIN(MIN(last + CONTEXT, g_strv_length(lines)), first + MOST_LINES);
	source = cJSON_CreateObject();
	cJSON_AddStringToObject(source, "name", name);
	cJSON_AddNumberToObject(source, "first", first);
	list = cJSON_AddArrayToObject(source, "lines");
	for (guint i = first; i <= last; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(lines[i - 1]));
	cJSON_AddItemToArray(sources, source);
}

cJSON *html_sources(const RunReport *report, const char *folder)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	cJSON *sources = cJSON_CreateArray();
	const cJSON *site;

	cJSON_ArrayForEach(site, sites)
	{
		char *name =
			cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(site, "file"));

		if (name && g_hash_table_add(seen, name))
			add_source(sources, report, name, folder);
	}
	return sources;
}
