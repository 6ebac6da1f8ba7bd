/* SPDX-License-Identifier: MIT */
#include "cli/calibrate-report.h"

#include <cjson/cJSON.h>

#include "base/json.h"
#include "cli/schemas.h"
#include "report/format.h"

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "machine", .type = "string", .doc = "name of the config"},
	{.path = "points", .type = "count", .doc = "fitted to"},
	{.path = "evaluations", .type = "count", .doc = "of the errors"},
	{.path = "keys", .type = "[object]", .doc = "that were fitted"},
	{.path = "keys[].key", .type = "string", .doc = "its path"},
	{.path = "keys[].start", .type = "count", .doc = "value before the fit"},
	{.path = "keys[].fitted", .type = "count", .doc = "value after it"},
	{.path = "keys[].lowest", .type = "count", .doc = "value with an error within a tenth of the least"},
	{.path = "keys[].highest", .type = "count", .doc = "such value"},
	{.path = "keys[].determined", .type = "boolean", .doc = "the points determine its value"},
	{.path = "keys[].acts?", .type = "boolean", .doc = "false: it makes no difference to the points"},
	{.path = "keys[].bound?", .type = "string", .doc = "the limit that the fit ended at"},
	{.path = "before", .type = "object", .doc = "errors before the fit"},
	{.path = "before.rms_relative_error", .type = "number", .doc = "root mean square"},
	{.path = "before.median_relative_error", .type = "number", .doc = "of the points"},
	{.path = "before.max_relative_error", .type = "number", .doc = "the largest"},
	{.path = "after", .type = "object", .doc = "errors after it"},
	{.path = "after.rms_relative_error", .type = "number", .doc = "root mean square"},
	{.path = "after.median_relative_error", .type = "number", .doc = "of the points"},
	{.path = "after.max_relative_error", .type = "number", .doc = "the largest"},
};
/* clang-format on */

const Shape calibrate_shape = {
	.name = "calibrate",
	.version = 1,
	.title = "What atomsim calibrate --format json says",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

static void add_error(cJSON *root, const char *name, const FitError *error)
{
	cJSON *object = cJSON_AddObjectToObject(root, name);

	cJSON_AddNumberToObject(object, "rms_relative_error", error->rms);
	cJSON_AddNumberToObject(object, "median_relative_error", error->median);
	cJSON_AddNumberToObject(object, "max_relative_error", error->max);
}

char *calibrate_json(const Calibration *calibration)
{
	cJSON *root = shape_object(&calibrate_shape), *keys;

	cJSON_AddStringToObject(root, "machine", config_machine(calibration->config)->name);
	cJSON_AddNumberToObject(root, "points", calibration->n_points);
	cJSON_AddNumberToObject(root, "evaluations", calibration->n_evaluations);
	keys = cJSON_AddArrayToObject(root, "keys");
	for (guint i = 0; i < calibration->n_keys; i++) {
		const CalibratedKey *key = &calibration->keys[i];
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "key", key->path);
		cJSON_AddNumberToObject(row, "start", (double)key->start);
		cJSON_AddNumberToObject(row, "fitted", (double)key->fitted);
		cJSON_AddNumberToObject(row, "lowest", (double)key->lowest);
		cJSON_AddNumberToObject(row, "highest", (double)key->highest);
		cJSON_AddBoolToObject(row, "determined", key->determined);
		if (key->idle)
			cJSON_AddBoolToObject(row, "acts", FALSE);
		if (key->bound != NULL)
			cJSON_AddStringToObject(row, "bound", key->bound);
		cJSON_AddItemToArray(keys, row);
	}
	add_error(root, "before", &calibration->before);
	add_error(root, "after", &calibration->after);
	return json_page(root);
}

static void append_key(GString *text, const CalibratedKey *key)
{
	g_autofree char *range = g_strdup_printf("%" G_GUINT64_FORMAT " .. %" G_GUINT64_FORMAT,
						 key->lowest, key->highest);

	g_string_append_printf(text,
			       "%-32s %10" G_GUINT64_FORMAT " %10" G_GUINT64_FORMAT "   %s%s%s",
			       key->path, key->start, key->fitted, range,
			       key->determined ? "" : ": not determined",
			       key->idle ? ", no effect on these points" : "");
	if (key->bound != NULL)
		g_string_append_printf(text, "%s at its bound (%s)",
				       key->determined ? ":" : ",", key->bound);
	g_string_append_c(text, '\n');
}

char *calibrate_text(const Calibration *calibration)
{
	const FitError *before = &calibration->before, *after = &calibration->after;
	const struct {
		const char *name;
		double before, after;
	} rows[] = {{"root mean square", before->rms, after->rms},
		    {"median", before->median, after->median},
		    {"maximum", before->max, after->max}};
	g_autofree char *name = format_name(config_machine(calibration->config)->name, 40);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%s fitted to %u points in %u evaluations\n\n", name,
			       calibration->n_points, calibration->n_evaluations);
	g_string_append_printf(text, "%-32s %10s %10s   %s\n", "Key", "start", "fitted",
			       "within a tenth of the least error");
	for (guint i = 0; i < calibration->n_keys; i++)
		append_key(text, &calibration->keys[i]);
	g_string_append_printf(text, "\n%-32s %10s %10s\n", "Relative error", "before",
			       "after");
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		g_string_append_printf(text, "%-32s %8.2f %% %8.2f %%\n", rows[i].name,
				       100 * rows[i].before, 100 * rows[i].after);
	return g_string_free(text, FALSE);
}
