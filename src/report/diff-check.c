/* SPDX-License-Identifier: MIT */
/* Whether the figures of a report that diff.c reads are such as a run has. */
#include "report/diff.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "report/fields.h"

#define EXACT (G_GUINT64_CONSTANT(1) << 53) /* up to there a double is what was written */

static gboolean refuse(GError **error, const char *place, const char *path, const cJSON *item,
		       const char *allowed)
{
	char *printed = item != NULL ? cJSON_PrintUnformatted(item) : NULL;
	gboolean is_short = printed != NULL && strlen(printed) <= 40;

	atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s: %s: found %s; allowed: %s", place, path,
		     printed == NULL ? "nothing"
		     : is_short	     ? printed
				     : "something longer",
		     allowed);
	cJSON_free(printed);
	return FALSE;
}

static gboolean is_count(const cJSON *item, guint64 lowest, guint64 highest)
{
	guint64 count;

	return json_uint64(item, &count) && count >= lowest && count <= highest;
}

static gboolean check_count(const Field *field, const cJSON *item, const char *place,
			    GError **error)
{
	if (item == NULL || is_count(item, 0, G_MAXUINT64) ||
	    (cJSON_IsNull(item) &&
	     (field->presence == FIELD_OR_NULL ||
	      (field->of_row == NULL && report_field_within(field) == WITHIN_NOT_AVAILABLE))))
		return TRUE;
	return refuse(error, place, field->path, item,
		      "a whole number from 0 to 18446744073709551615");
}

/* A field of the rows of a list: "hot_spots.sites[].cycles". */
static gboolean check_rows(const Field *field, const cJSON *report, const char *place,
			   GError **error)
{
	const char *name = strstr(field->path, "[].");
	g_autofree char *path = g_strndup(field->path, (gsize)(name - field->path));
	const cJSON *list = diff_item(report, path);
	const cJSON *row;

	if (list != NULL && !cJSON_IsArray(list) && !cJSON_IsNull(list))
		return refuse(error, place, path, list, "a list");
	cJSON_ArrayForEach(row, list)
	{
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, name + strlen("[]."));

		if (!cJSON_IsObject(row))
			return refuse(error, place, path, row, "a list of objects");
		if (!check_count(field, item, place, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean check_counts(const cJSON *report, const char *place, GError **error)
{
	for (guint i = 0; i < n_report_fields; i++) {
		const Field *field = &report_fields[i];

		if (field->type != FIELD_COUNT)
			continue;
		if (field->of_row != NULL
			    ? !check_rows(field, report, place, error)
			    : !check_count(field, diff_item(report, field->path), place, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean check_objects(const cJSON *report, const char *place, GError **error)
{
	static const char *const paths[] = {"config", "varied"};

	for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
		const cJSON *item = diff_item(report, paths[i]);

		if (item != NULL && !cJSON_IsObject(item))
			return refuse(error, place, paths[i], item, "an object");
	}
	return TRUE;
}

/* What a run that came to its end has taken; comparisons divide by it. */
static gboolean check_time(const cJSON *report, const char *place, GError **error)
{
	const cJSON *cycles = diff_item(report, "cycles");
	const cJSON *time = diff_item(report, "time_us");

	if (!is_count(cycles, 1, EXACT))
		return refuse(error, place, "cycles", cycles,
			      "a whole number from 1 to 9007199254740992");
	if (!cJSON_IsNumber(time) || !isfinite(time->valuedouble) || !(time->valuedouble > 0))
		return refuse(error, place, "time_us", time, "a number above 0");
	return TRUE;
}

gboolean diff_check(const cJSON *report, const char *place, GError **error)
{
	const cJSON *status = diff_item(report, "status");

	if (diff_item(report, "cycles") == NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_INPUT,
				    "%s: found no report; allowed: lines as 'atomsim run "
				    "--format json' and sweeps write them",
				    place);
	if (!cJSON_IsString(status))
		return refuse(error, place, "status", status,
			      "\"complete\", or in a word why not");
	return (!diff_is_complete(report) || check_time(report, place, error)) &&
	       check_objects(report, place, error) && check_counts(report, place, error);
}
