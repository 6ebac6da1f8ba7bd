/* SPDX-License-Identifier: MIT */
#include "config/known.h"

#include <math.h>
#include <string.h>

#include "config/document.h"
#include "config/known-file.h"
#include "config/layers.h"
#include "config/search.h"
#include "config/value.h"

/* --- Checksum --- */

static gboolean matters(const Key *key)
{
	return !g_str_equal(key->path, "name") && !g_str_has_prefix(key->path, "sim.");
}

static gpointer load_presets(gpointer unused)
{
	(void)unused;
	return config_new();
}

char *known_checksum(const Machine *machine)
{
	static GOnce once = G_ONCE_INIT;
	const Config *presets = g_once(&once, load_presets, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < key_count(); i++) {
		const Key *key = key_at(i);
		g_autofree char *value = NULL;

		if (!matters(key) || value_same(machine, &presets->machine, key))
			continue;
		value = value_text(machine, key);
		g_string_append_printf(text, "%s=%s\n", key->path, value);
	}
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, (gssize)text->len);
}

gboolean known_same(const Machine *a, const Machine *b)
{
	for (guint i = 0; i < key_count(); i++)
		if (matters(key_at(i)) && !value_same(a, b, key_at(i)))
			return FALSE;
	return TRUE;
}

/* --- The file --- */

static void error_clear(gpointer error)
{
	g_free(((KnownError *)error)->what);
}

static GArray *errors_new(void)
{
	GArray *errors = g_array_new(FALSE, TRUE, sizeof(KnownError));

	g_array_set_clear_func(errors, error_clear);
	return errors;
}

void known_errors_free(gpointer data)
{
	KnownErrors *known = data;

	g_free(known->checksum);
	g_array_unref(known->kernels);
	g_array_unref(known->changes);
	g_free(known);
}

static gboolean is_part(const cJSON *item)
{
	return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 1e6;
}

static gboolean read_error(const cJSON *item, KnownError *error)
{
	const cJSON *what = cJSON_GetObjectItemCaseSensitive(item, "what");
	const cJSON *points = cJSON_GetObjectItemCaseSensitive(item, "points");
	const cJSON *median = cJSON_GetObjectItemCaseSensitive(item, "median");
	const cJSON *max = cJSON_GetObjectItemCaseSensitive(item, "max");

	if (!cJSON_IsString(what) || !is_part(points) || points->valuedouble < 1 ||
	    floor(points->valuedouble) != points->valuedouble || !is_part(median) ||
	    !is_part(max) || median->valuedouble > max->valuedouble)
		return FALSE;
	*error = (KnownError){g_strdup(what->valuestring), (guint)points->valuedouble,
			      median->valuedouble, max->valuedouble};
	return TRUE;
}

static void add_problem(const Document *document, const cJSON *item, const char *allowed,
			Problems *problems)
{
	g_autofree char *place = document_place(document, document_span(document, item));
	g_autofree char *found = document_quote(document, item);

	problems_add(problems, place, NULL, "found %s; allowed: %s", found, allowed);
}

static gboolean read_list(const Document *document, const char *name, GArray *errors,
			  Problems *problems)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(document->root, name), *item;

	if (!cJSON_IsArray(list)) {
		add_problem(document, list ? list : document->root,
			    "an object with arrays kernels and changes", problems);
		return FALSE;
	}
	cJSON_ArrayForEach(item, list)
	{
		KnownError error;

		if (!read_error(item, &error)) {
			add_problem(document, item,
				    "an object with what (a text), points (1 or more), and "
				    "median of at most max",
				    problems);
			return FALSE;
		}
		g_array_append_val(errors, error);
	}
	return TRUE;
}

static KnownErrors *read_document(const Document *document, Problems *problems)
{
	const cJSON *checksum = cJSON_GetObjectItemCaseSensitive(document->root, "config");
	KnownErrors *known = g_new0(KnownErrors, 1);

	*known = (KnownErrors){NULL, errors_new(), errors_new()};
	if (!cJSON_IsString(checksum))
		add_problem(document, checksum ? checksum : document->root,
			    "an object with config, the checksum of one", problems);
	else if (read_list(document, "kernels", known->kernels, problems) &&
		 read_list(document, "changes", known->changes, problems))
		known->checksum = g_strdup(checksum->valuestring);
	if (known->checksum)
		return known;
	known_errors_free(known);
	return NULL;
}

KnownErrors *known_errors_beside(const char *config_path, Problems *problems)
{
	g_autofree char *path = config_beside(config_path, KNOWN_ERRORS_FILE);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Document) document = NULL;
	gsize length = 0;

	if (!path)
		return NULL;
	if (!config_read(path, &text, &length, &error)) {
		problems_add(problems, path, NULL, "%s", error->message);
		return NULL;
	}
	document = document_parse(path, TRUE, text, length, problems);
	return document->root ? read_document(document, problems) : NULL;
}
