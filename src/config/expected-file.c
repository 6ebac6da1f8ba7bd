/* SPDX-License-Identifier: MIT */
#include "config/layers.h"

#include <math.h>

#include "config/config.h"
#include "config/document.h"
#include "config/search.h"

static void error_clear(gpointer error)
{
	g_free(((ExpectedError *)error)->what);
}

static GArray *errors_new(void)
{
	GArray *errors = g_array_new(FALSE, TRUE, sizeof(ExpectedError));

	g_array_set_clear_func(errors, error_clear);
	return errors;
}

void expected_errors_free(gpointer data)
{
	ExpectedErrors *errors = data;

	g_free(errors->checksum);
	g_array_unref(errors->launches);
	g_array_unref(errors->changes);
	g_free(errors);
}

static gboolean is_part(const cJSON *item)
{
	return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 1e6;
}

static gboolean read_error(const cJSON *item, const char *high_name, ExpectedError *error)
{
	const cJSON *what = cJSON_GetObjectItemCaseSensitive(item, "what");
	const cJSON *points = cJSON_GetObjectItemCaseSensitive(item, "points");
	const cJSON *median = cJSON_GetObjectItemCaseSensitive(item, "median");
	const cJSON *high = cJSON_GetObjectItemCaseSensitive(item, high_name);

	if (!cJSON_IsString(what) || !is_part(points) || points->valuedouble < 1 ||
	    floor(points->valuedouble) != points->valuedouble || !is_part(median) ||
	    !is_part(high) || median->valuedouble > high->valuedouble)
		return FALSE;
	*error = (ExpectedError){g_strdup(what->valuestring), (guint)points->valuedouble,
				 median->valuedouble, high->valuedouble};
	return TRUE;
}

static gboolean read_list(const Document *document, const char *name, const char *high_name,
			  GArray *errors, Problems *problems)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(document->root, name), *item;

	if (!cJSON_IsArray(list)) {
		document_refuse(document, list ? list : document->root, NULL,
				"an object with arrays launches and changes", problems);
		return FALSE;
	}
	cJSON_ArrayForEach(item, list)
	{
		ExpectedError error;

		if (!read_error(item, high_name, &error)) {
			g_autofree char *allowed = g_strdup_printf(
				"an object with what (a text), points (1 or more), and "
				"median of at most %s",
				high_name);

			document_refuse(document, item, NULL, allowed, problems);
			return FALSE;
		}
		g_array_append_val(errors, error);
	}
	return TRUE;
}

static ExpectedErrors *read_document(const Document *document, Problems *problems)
{
	const cJSON *checksum = cJSON_GetObjectItemCaseSensitive(document->root, "config");
	ExpectedErrors *errors = g_new0(ExpectedErrors, 1);

	*errors = (ExpectedErrors){NULL, errors_new(), errors_new()};
	if (!cJSON_IsString(checksum))
		document_refuse(document, checksum ? checksum : document->root, NULL,
				"an object with config, the checksum of one", problems);
	else if (read_list(document, "launches", "p90", errors->launches, problems) &&
		 read_list(document, "changes", "max", errors->changes, problems))
		errors->checksum = g_strdup(checksum->valuestring);
	if (errors->checksum)
		return errors;
	expected_errors_free(errors);
	return NULL;
}

ExpectedErrors *expected_errors_beside(const char *config_path, Problems *problems)
{
	g_autofree char *path = config_beside(config_path, EXPECTED_ERRORS_FILE);
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
