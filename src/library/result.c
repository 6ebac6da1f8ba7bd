/* SPDX-License-Identifier: MIT */
/* The library's door: what runs gave. A result is its report, which the table of statistics describes. */
#include "library/library.h"

#include <string.h>

#include "report/fields.h"
#include "report/report.h"

AtomsimResult *library_result(cJSON *report, char *page)
{
	AtomsimResult *result = g_new0(AtomsimResult, 1);

	result->report = report;
	result->page = page;
	result->notes = g_ptr_array_new_with_free_func(g_free);
	return result;
}

void atomsim_result_free(AtomsimResult *result)
{
	if (result == NULL)
		return;
	cJSON_Delete(result->report);
	g_free(result->page);
	g_ptr_array_unref(result->notes);
	g_free(result);
}

/* --- Statistics by name --- */

/* The item of one part of a name: "sites[0]" is row 0 of the list "sites". NULL: there is none. */
static const cJSON *enter(const cJSON *item, const char *part)
{
	const char *bracket = strchr(part, '[');
	g_autofree char *key = bracket ? g_strndup(part, (gsize)(bracket - part)) : NULL;
	char *end = NULL;
	guint64 row;

	item = cJSON_GetObjectItemCaseSensitive(item, key ? key : part);
	if (bracket == NULL)
		return item;
	row = g_ascii_isdigit(bracket[1]) ? g_ascii_strtoull(bracket + 1, &end, 10) : 0;
	if (end == NULL || strcmp(end, "]") != 0 || !cJSON_IsArray(item) || row > G_MAXINT)
		return NULL;
	return cJSON_GetArrayItem(item, (int)row);
}

static const cJSON *find(const AtomsimResult *result, const char *name)
{
	g_auto(GStrv) parts = NULL;
	const cJSON *item;

	if (result == NULL || name == NULL)
		return NULL;
	item = result->report;
	parts = g_strsplit(name, ".", -1);
	for (guint i = 0; parts[i] != NULL && item != NULL; i++)
		item = enter(item, parts[i]);
	return item;
}

/* False: no whole number. */
static bool get_count(const cJSON *item, uint64_t *count)
{
	/* Counts are digits in a report: a double would round them. */
	if (cJSON_IsRaw(item)) {
		*count = g_ascii_strtoull(item->valuestring, NULL, 10);
		return true;
	}
	if (!cJSON_IsNumber(item) || item->valuedouble < 0 ||
	    item->valuedouble > 9007199254740992.0 ||
	    item->valuedouble != (double)(uint64_t)item->valuedouble)
		return false;
	*count = (uint64_t)item->valuedouble;
	return true;
}

bool atomsim_result_count(const AtomsimResult *result, const char *name, uint64_t *count)
{
	uint64_t unused;

	return get_count(find(result, name), count != NULL ? count : &unused);
}

bool atomsim_result_number(const AtomsimResult *result, const char *name, double *number)
{
	const cJSON *item = find(result, name);
	const bool is_raw = cJSON_IsRaw(item);

	if (!is_raw && !cJSON_IsNumber(item))
		return false;
	if (number != NULL)
		*number = is_raw ? g_ascii_strtod(item->valuestring, NULL) : item->valuedouble;
	return true;
}

const char *atomsim_result_text(const AtomsimResult *result, const char *name)
{
	return cJSON_GetStringValue(find(result, name));
}

char *atomsim_result_json(const AtomsimResult *result)
{
	return result != NULL ? report_json_text(result->report) : NULL;
}

const char *atomsim_result_page(const AtomsimResult *result)
{
	return result != NULL ? result->page : NULL;
}

const char *atomsim_result_note(const AtomsimResult *result, size_t i)
{
	return result != NULL && i < result->notes->len ? result->notes->pdata[i] : NULL;
}

const char *atomsim_statistic_name(size_t i)
{
	return i < n_report_fields ? report_fields[i].path : NULL;
}

char *atomsim_json_schema(void)
{
	return shape_schema(&report_shape);
}
