/* SPDX-License-Identifier: MIT */
/* What `atomsim validate` prints: text, JSON, or every point as CSV. */
#include "cli/validate/validate.h"

#include "base/csv-cell.h"
#include "base/json.h"
#include "cli/schemas.h"
#include "report/format.h"

#define WORST_ROWS 8

/* --- JSON --- */

static void add_summary(cJSON *object, const ErrorSummary *summary)
{
	cJSON_AddNumberToObject(object, "points", summary->points);
	cJSON_AddNumberToObject(object, "mean_relative_error", summary->mean_relative_error);
	cJSON_AddNumberToObject(object, "median_relative_error",
				summary->median_relative_error);
	cJSON_AddNumberToObject(object, "p90_relative_error", summary->p90_relative_error);
	cJSON_AddNumberToObject(object, "max_relative_error", summary->max_relative_error);
}

static void add_worst(cJSON *object, const GPtrArray *points)
{
	g_autoptr(GPtrArray) worst = validate_worst(points);
	cJSON *rows = cJSON_AddArrayToObject(object, "worst");

	for (guint i = 0; i < MIN(worst->len, WORST_ROWS); i++) {
		const ValidationPoint *point = g_ptr_array_index(worst, i);
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "file", point->file);
		cJSON_AddNumberToObject(row, "line", point->line);
		cJSON_AddStringToObject(row, "operation", point->operation);
		cJSON_AddStringToObject(row, "pattern", point->pattern);
		cJSON_AddNumberToObject(row, "measured_cycles", point->measured_cycles);
		cJSON_AddNumberToObject(row, "simulated_cycles", point->simulated_cycles);
		cJSON_AddNumberToObject(row, "error", point->error);
		cJSON_AddItemToArray(rows, row);
	}
}

void validate_add_passed(cJSON *root, const GPtrArray *passed)
{
	cJSON *rows = cJSON_AddArrayToObject(root, "passed_over");

	for (guint i = 0; i < passed->len; i++) {
		const PassedOver *p = g_ptr_array_index(passed, i);
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "file", p->file);
		cJSON_AddNumberToObject(row, "rows", p->rows);
		cJSON_AddNumberToObject(row, "first_line", p->first_line);
		cJSON_AddStringToObject(row, "why", p->why);
		cJSON_AddItemToArray(rows, row);
	}
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "machine", .type = "string", .doc = "name of the config"},
	{.path = "points", .type = "count", .doc = "compared"},
	{.path = "mean_relative_error", .type = "number", .doc = "of them"},
	{.path = "median_relative_error", .type = "number", .doc = "of them"},
	{.path = "p90_relative_error", .type = "number", .doc = "the 90th percentile"},
	{.path = "max_relative_error", .type = "number", .doc = "the largest"},
	{.path = "ranked_pairs?", .type = "count", .doc = "of variants of kernels that differ by measurement"},
	{.path = "ranked_right?", .type = "count", .doc = "of these, that the simulation ranks alike"},
	{.path = "operations", .type = "{object}", .doc = "the same errors by operation"},
	{.path = "operations.*.points", .type = "count", .doc = "compared"},
	{.path = "operations.*.mean_relative_error", .type = "number", .doc = "of them"},
	{.path = "operations.*.median_relative_error", .type = "number", .doc = "of them"},
	{.path = "operations.*.p90_relative_error", .type = "number", .doc = "the 90th percentile"},
	{.path = "operations.*.max_relative_error", .type = "number", .doc = "the largest"},
	{.path = "families", .type = "{object}", .doc = "the same errors by family of patterns"},
	{.path = "families.*.points", .type = "count", .doc = "compared"},
	{.path = "families.*.mean_relative_error", .type = "number", .doc = "of them"},
	{.path = "families.*.median_relative_error", .type = "number", .doc = "of them"},
	{.path = "families.*.p90_relative_error", .type = "number", .doc = "the 90th percentile"},
	{.path = "families.*.max_relative_error", .type = "number", .doc = "the largest"},
	{.path = "published?", .type = "[object]", .doc = "figures of papers"},
	{.path = "published[].figure", .type = "string", .doc = "what it is"},
	{.path = "published[].published", .type = "number", .doc = "by the paper, in its unit"},
	{.path = "published[].simulated", .type = "number", .doc = "in that unit"},
	{.path = "published[].unit", .type = "string", .doc = "of both"},
	{.path = "published[].allowed", .type = "string", .doc = "the tolerance"},
	{.path = "published[].verdict", .type = "string", .doc = "shown, holds or misses"},
	{.path = "published[].held_back", .type = "boolean", .doc = "no constant was fitted to it"},
	{.path = "worst", .type = "[object]", .doc = "points of the largest errors"},
	{.path = "worst[].file", .type = "string", .doc = "that has it"},
	{.path = "worst[].line", .type = "count", .doc = "of that file, from 1"},
	{.path = "worst[].operation", .type = "string", .doc = "that was measured"},
	{.path = "worst[].pattern", .type = "string", .doc = "of the addresses"},
	{.path = "worst[].measured_cycles", .type = "number", .doc = "on the GPU"},
	{.path = "worst[].simulated_cycles", .type = "number", .doc = "on this machine"},
	{.path = "worst[].error", .type = "number", .doc = "relative, with its sign"},
	{.path = "passed_over", .type = "[object]", .doc = "rows that are no points"},
	{.path = "passed_over[].file", .type = "string", .doc = "that has them"},
	{.path = "passed_over[].rows", .type = "count", .doc = "number of rows"},
	{.path = "passed_over[].first_line", .type = "count", .doc = "of the first, from 1"},
	{.path = "passed_over[].why", .type = "string", .doc = "the reason"},
};
/* clang-format on */

const Shape validate_shape = {
	.name = "validate",
	.version = 1,
	.title = "What atomsim validate --format json says of files",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

char *validate_json(const Validation *validation, const Machine *machine,
		    const ValidatedFolder *folder)
{
	const GPtrArray *points = validation->points;
	g_autofree const char **operations = validate_operations(points);
	g_autofree const char **families = validate_families(points);
	ErrorSummary all = validate_summarise(points, NULL, NULL);
	Ranking kernels = validate_rank(points, VALIDATE_KERNEL);
	cJSON *root = shape_object(&validate_shape);
	cJSON *object;

	(void)folder;
	cJSON_AddStringToObject(root, "machine", machine->name);
	add_summary(root, &all);
	if (kernels.pairs > 0) {
		cJSON_AddNumberToObject(root, "ranked_pairs", kernels.pairs);
		cJSON_AddNumberToObject(root, "ranked_right", kernels.right);
	}
	object = cJSON_AddObjectToObject(root, "operations");
	for (guint i = 0; operations[i] != NULL; i++) {
		ErrorSummary summary = validate_summarise(points, operations[i], NULL);

		add_summary(cJSON_AddObjectToObject(object, operations[i]), &summary);
	}
	object = cJSON_AddObjectToObject(root, "families");
	for (guint i = 0; families[i] != NULL; i++) {
		ErrorSummary summary = validate_summarise(points, NULL, families[i]);

		add_summary(cJSON_AddObjectToObject(object, families[i]), &summary);
	}
	validate_add_published(root, points);
	add_worst(root, points);
	validate_add_passed(root, validation->passed);
	return json_page(root);
}

/* --- Text --- */

static void append_summary(GString *text, const char *name, const ErrorSummary *summary)
{
	g_autofree char *shown = format_name(name, 24);

	g_string_append_printf(text, "%-24s %8u %12.2f %% %12.2f %% %12.2f %%\n", shown,
			       summary->points, 100 * summary->median_relative_error,
			       100 * summary->p90_relative_error,
			       100 * summary->max_relative_error);
}

static void append_operations(GString *text, const GPtrArray *points, const char **operations)
{
	g_string_append_printf(text, "\n%-24s\n", "Operation");
	for (guint i = 0; operations[i] != NULL; i++) {
		ErrorSummary summary = validate_summarise(points, operations[i], NULL);

		append_summary(text, operations[i], &summary);
	}
}

/* The points that no constant was fitted to, if the file names any. */
static void append_held_back(GString *text, const GPtrArray *points, const char **operations)
{
	for (guint i = 0; operations[i] != NULL; i++) {
		ErrorSummary all = validate_summarise(points, operations[i], NULL);
		ErrorSummary held = validate_summarise_held_back(points, operations[i]);

		if (held.points > 0)
			g_string_append_printf(
				text,
				"\n%s: mean %.2f %%; %u points held out from every fit: "
				"median %.2f %%, mean %.2f %%, 90th percentile %.2f %%, "
				"maximum %.2f %%\n",
				operations[i], 100 * all.mean_relative_error, held.points,
				100 * held.median_relative_error,
				100 * held.mean_relative_error, 100 * held.p90_relative_error,
				100 * held.max_relative_error);
	}
}

static void append_worst(GString *text, const GPtrArray *points)
{
	g_autoptr(GPtrArray) worst = validate_worst(points);
	guint written = 0;

	for (guint i = 0; i < MIN(worst->len, WORST_ROWS); i++) {
		const ValidationPoint *point = g_ptr_array_index(worst, i);
		g_autofree char *pattern = format_name(point->pattern, 22);
		g_autofree char *base = g_path_get_basename(point->file);
		g_autofree char *file = format_path(base, 16);

		if (point->error == 0)
			break;
		if (written++ == 0)
			g_string_append_printf(text, "\n%-24s %9s %10s %9s   %s\n",
					       "Worst points", "measured", "simulated", "error",
					       "where");
		g_string_append_printf(text, "  %-22s %9.6g %10.6g %+7.2f %%   %s:%u\n",
				       pattern, point->measured_cycles, point->simulated_cycles,
				       100 * point->error, file, point->line);
	}
}

void validate_append_passed(GString *text, const GPtrArray *passed)
{
	for (guint i = 0; i < passed->len; i++) {
		const PassedOver *p = g_ptr_array_index(passed, i);
		g_autofree char *base = g_path_get_basename(p->file);
		g_autofree char *file = format_path(base, 40);

		g_string_append_printf(
			text, "%sPassed over: %u %s of %s (first at line %u): %s\n",
			i == 0 ? "\n" : "", p->rows, p->rows == 1 ? "row" : "rows", file,
			p->first_line, p->why);
	}
}

char *validate_text(const Validation *validation, const Machine *machine,
		    const ValidatedFolder *folder)
{
	const GPtrArray *points = validation->points;
	g_autofree const char **operations = validate_operations(points);
	g_autofree const char **families = validate_families(points);
	g_autofree char *name = format_name(machine->name, 60);
	ErrorSummary all = validate_summarise(points, NULL, NULL);
	Ranking kernels = validate_rank(points, VALIDATE_KERNEL);
	GString *text = g_string_new(NULL);

	(void)folder;
	g_string_append_printf(text, "Relative error of %s (simulated)\n\n", name);
	g_string_append_printf(text, "%-24s %8s %14s %14s %14s\n", "Family", "points", "median",
			       "90th per cent", "maximum");
	for (guint i = 0; families[i] != NULL; i++) {
		ErrorSummary summary = validate_summarise(points, NULL, families[i]);

		append_summary(text, families[i], &summary);
	}
	append_summary(text, "all", &all);
	if (operations[1] != NULL)
		append_operations(text, points, operations);
	append_held_back(text, points, operations);
	if (kernels.pairs > 0)
		g_string_append_printf(text,
				       "\nOf %u pairs of variants that differ by over 5 %%, "
				       "%u are ranked correctly\n",
				       kernels.pairs, kernels.right);
	validate_append_published(text, points);
	append_worst(text, points);
	validate_append_passed(text, validation->passed);
	return g_string_free(text, FALSE);
}

/* --- CSV: every point --- */

char *validate_csv(const Validation *validation, const Machine *machine,
		   const ValidatedFolder *folder)
{
	const GPtrArray *points = validation->points;
	GString *text = g_string_new(VALIDATE_COLUMNS "\n");

	(void)machine;
	(void)folder;
	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);

		csv_append_cell(text, point->file);
		g_string_append_printf(text, ",%u,", point->line);
		csv_append_cell(text, point->operation);
		g_string_append_c(text, ',');
		csv_append_cell(text, point->pattern);
		g_string_append_printf(
			text, ",%.10g,%.10g,%.6f,%s,%d,%s\n", point->measured_cycles,
			point->simulated_cycles, point->error,
			point->unit ? point->unit : "cycles", point->held_back,
			point->allowed ? validate_verdict_name(point->verdict) : "");
	}
	return g_string_free(text, FALSE);
}
