/* SPDX-License-Identifier: MIT */
#include "config/known-file.h"

#include <math.h>

#include "config/config.h"
#include "config/document.h"
#include "config/search.h"

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

static gboolean read_list(const Document *document, const char *name, GArray *errors,
			  Problems *problems)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(document->root, name), *item;

	if (!cJSON_IsArray(list)) {
		document_refuse(document, list ? list : document->root, NULL,
				"an object with arrays kernels and changes", problems);
		return FALSE;
	}
	cJSON_ArrayForEach(item, list)
	{
		KnownError error;

		if (!read_error(item, &error)) {
			document_refuse(document, item, NULL,
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
		document_refuse(document, checksum ? checksum : document->root, NULL,
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
