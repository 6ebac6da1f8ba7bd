/* SPDX-License-Identifier: MIT */
/* The page of a folder of measurements: errors by class, what not to trust. */
#include "cli/validate/validate.h"

#include <string.h>

#include "base/json.h"
#include "cli/schemas.h"
#include "report/format.h"

#define TRUSTED 0.10 /* mean error of a class above which it is not */

GPtrArray *validate_class_points(const Validation *validation, const char *class_name)
{
	GPtrArray *points = g_ptr_array_new();

	for (guint i = 0; i < validation->points->len; i++) {
		ValidationPoint *point = g_ptr_array_index(validation->points, i);

		if (strcmp(validate_class(point->file), class_name) == 0)
			g_ptr_array_add(points, point);
	}
	return points;
}

guint validate_not_read(const ValidatedFolder *folder, const GPtrArray *points)
{
	guint n = 0;

	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);

		n += !validate_is_read(folder, point->file);
	}
	return n;
}

gboolean validate_is_trusted(const ErrorSummary *errors)
{
	return errors->mean_relative_error <= TRUSTED;
}

static void append_class(GString *text, const Validation *validation,
			 const ValidatedFolder *folder, const char *name)
{
	g_autoptr(GPtrArray) points = validate_class_points(validation, name);
	const ErrorSummary s = validate_summarise(points, NULL, NULL);

	if (s.points == 0)
		g_string_append_printf(text, "%-14s not measured\n", name);
	else
		g_string_append_printf(text, "%-14s %7u %9u %8.1f %% %8.1f %% %8.1f %%%s\n",
				       name, s.points, validate_not_read(folder, points),
				       100 * s.median_relative_error,
				       100 * s.mean_relative_error, 100 * s.p90_relative_error,
				       validate_is_trusted(&s) ? "" : "  not reliable");
}

static void append_worst_files(GString *text, const Validation *validation)
{
	g_autoptr(GPtrArray) worst = validate_worst(validation->points);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	guint n = 0;

	for (guint i = 0; i < worst->len && n < 8; i++) {
		const ValidationPoint *point = g_ptr_array_index(worst, i);
		g_autofree char *base = NULL, *name = NULL;

		if (point->error == 0 || !g_hash_table_add(seen, point->file))
			continue;
		base = g_path_get_basename(point->file);
		name = format_name(point->pattern, 36);
		g_string_append_printf(text, "%s  %-36s %+7.0f %%  %s:%u\n",
				       n++ == 0 ? "\nWorst point of the worst files\n" : "",
				       name, 100 * point->error, base, point->line);
	}
}

char *validate_folder_text(const Validation *validation, const Machine *machine,
			   const ValidatedFolder *folder)
{
	g_autofree char *name = format_name(machine->name, 40);
	g_autofree char *gpu = format_name(folder->gpu, 40);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "Errors of %s, against what was measured on %s\n\n", name,
			       gpu);
	g_string_append_printf(text, "%-14s %7s %9s %10s %10s %10s\n", "class", "points",
			       "not read", "median", "mean", "90th p. c.");
	for (guint i = 0; validate_class_names[i] != NULL; i++)
		append_class(text, validation, folder, validate_class_names[i]);
	g_string_append(text,
			"\nNot read: points of files that atomsim derive reads no row of\n");
	if (validation->left_out > 0)
		g_string_append_printf(
			text,
			"Sample: %u rows of large tables are left out; --all takes them\n",
			validation->left_out);
	append_worst_files(text, validation);
	validate_append_passed(text, validation->passed);
	for (guint i = 0; i < folder->notes->len; i++)
		g_string_append_printf(text, "%s%s\n", i == 0 ? "\n" : "",
				       (const char *)g_ptr_array_index(folder->notes, i));
	return g_string_free(text, FALSE);
}

static cJSON *class_object(const Validation *validation, const ValidatedFolder *folder,
			   const char *name)
{
	g_autoptr(GPtrArray) points = validate_class_points(validation, name);
	const ErrorSummary s = validate_summarise(points, NULL, NULL);
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "class", name);
	cJSON_AddNumberToObject(object, "points", s.points);
	cJSON_AddNumberToObject(object, "not_read_by_derive",
				validate_not_read(folder, points));
	cJSON_AddNumberToObject(object, "median_relative_error", s.median_relative_error);
	cJSON_AddNumberToObject(object, "mean_relative_error", s.mean_relative_error);
	cJSON_AddNumberToObject(object, "p90_relative_error", s.p90_relative_error);
	if (s.points > 0)
		cJSON_AddBoolToObject(object, "trusted", validate_is_trusted(&s));
	else
		cJSON_AddNullToObject(object, "trusted");
	return object;
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "machine", .type = "string", .doc = "name of the config"},
	{.path = "measured_on", .type = "string", .doc = "the GPU of the folder"},
	{.path = "classes", .type = "[object]", .doc = "errors by class of what was measured"},
	{.path = "classes[].class", .type = "string", .doc = "its name"},
	{.path = "classes[].points", .type = "count", .doc = "compared"},
	{.path = "classes[].not_read_by_derive", .type = "count", .doc = "of these, of files that atomsim derive reads no row of"},
	{.path = "classes[].median_relative_error", .type = "number", .doc = "of the points"},
	{.path = "classes[].mean_relative_error", .type = "number", .doc = "of the points"},
	{.path = "classes[].p90_relative_error", .type = "number", .doc = "the 90th percentile"},
	{.path = "classes[].trusted", .type = "boolean|null", .doc = "the mean is 10 % or less; null without points"},
	{.path = "rows_left_out", .type = "count", .doc = "of large tables, of which a sample is simulated"},
	{.path = "notes", .type = "[string]", .doc = "what was not measured, or is marked"},
	{.path = "passed_over", .type = "[object]", .doc = "rows that are no points"},
	{.path = "passed_over[].file", .type = "string", .doc = "that has them"},
	{.path = "passed_over[].rows", .type = "count", .doc = "number of rows"},
	{.path = "passed_over[].first_line", .type = "count", .doc = "of the first, from 1"},
	{.path = "passed_over[].why", .type = "string", .doc = "the reason"},
};
/* clang-format on */

const Shape validate_folder_shape = {
	.name = "validate-folder",
	.version = 1,
	.title = "What atomsim validate --format json says of a folder of atomsim measure",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

char *validate_folder_json(const Validation *validation, const Machine *machine,
			   const ValidatedFolder *folder)
{
	cJSON *root = shape_object(&validate_folder_shape), *list;

	cJSON_AddStringToObject(root, "machine", machine->name);
	cJSON_AddStringToObject(root, "measured_on", folder->gpu);
	list = cJSON_AddArrayToObject(root, "classes");
	for (guint i = 0; validate_class_names[i] != NULL; i++)
		cJSON_AddItemToArray(list,
				     class_object(validation, folder, validate_class_names[i]));
	cJSON_AddNumberToObject(root, "rows_left_out", validation->left_out);
	list = cJSON_AddArrayToObject(root, "notes");
	for (guint i = 0; i < folder->notes->len; i++)
		cJSON_AddItemToArray(list,
				     cJSON_CreateString(g_ptr_array_index(folder->notes, i)));
	validate_add_passed(root, validation->passed);
	return json_page(root);
}
