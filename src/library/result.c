/* SPDX-License-Identifier: MIT */
/* The library's door: runs, and what they gave. A result is its report, which the table of statistics
   describes. */
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "replay/replay.h"
#include "report/fields.h"

struct AtomsimResult {
	cJSON *report;
};

/* What the caller's struct has, which may be of an older version; the rest is zero. */
static gboolean take_options(const AtomsimOptions *given, AtomsimOptions *options,
			     GError **error)
{
	*options = (AtomsimOptions){.size = sizeof(*options)};
	if (given == NULL)
		return TRUE;
	if (given->size < sizeof(given->size)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "AtomsimOptions.size is %zu; allowed: sizeof(AtomsimOptions)",
			    given->size);
		return FALSE;
	}
	memcpy(options, given, MIN(given->size, sizeof(*options)));
	return TRUE;
}

static cJSON *run(const AtomsimConfig *config, const AtomsimTrace *trace,
		  const AtomsimOptions *given, GError **error)
{
	g_auto(ReplayResult) result = {0};
	g_autoptr(RunReport) report = NULL;
	AtomsimOptions options;

	if (!take_options(given, &options, error))
		return NULL;
	const Replay replay = {
		.machine = config_machine(config->config),
		.reader = trace->reader,
		.name = trace->name,
		.seed = options.seed,
		.n_threads = options.threads ? options.threads : g_get_num_processors(),
		.baseline = !options.no_baseline,
		.sites = true,
		.progress = options.progress,
		.progress_data = options.data,
	};
	if (!replay_run(&replay, &result, error))
		return NULL;
	if (replay_interrupted(&result)) {
		g_propagate_error(error, g_error_copy(result.baseline_error));
		return NULL;
	}
	report = report_new(config->config, config->name, &replay, &result, error);
	return report != NULL ? report_object(report) : NULL;
}

AtomsimResult *atomsim_run(const AtomsimConfig *config, AtomsimTrace *trace,
			   const AtomsimOptions *options, AtomsimError **error)
{
	GError *problem = NULL;
	cJSON *report;
	AtomsimResult *result;

	if (!library_given(config, "config", "a config", error) ||
	    !library_given(trace, "trace", "a trace", error))
		return NULL;
	report = run(config, trace, options, &problem);
	if (report == NULL) {
		library_fail(error, problem);
		return NULL;
	}
	result = g_new0(AtomsimResult, 1);
	result->report = report;
	return result;
}

void atomsim_result_free(AtomsimResult *result)
{
	if (result == NULL)
		return;
	cJSON_Delete(result->report);
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

const char *atomsim_statistic_name(size_t i)
{
	return i < n_report_fields ? report_fields[i].path : NULL;
}

char *atomsim_json_schema(void)
{
	return report_json_schema();
}
