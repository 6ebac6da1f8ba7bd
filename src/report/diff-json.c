/* SPDX-License-Identifier: MIT */
/* Two runs side by side, as JSON. */
#include "report/diff.h"

#include "report/report.h"

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "label", .type = "string", .doc = "what A and B have in common: a trace, the values of a point"},
	{.path = "cycles", .type = "[number]2", .doc = "of A and of B"},
	{.path = "cycles_low?", .type = "[number]2", .doc = "lower ends of their intervals, where one is an estimate"},
	{.path = "cycles_high?", .type = "[number]2", .doc = "upper ends"},
	{.path = "change_percent", .type = "number", .doc = "of the time, from A to B"},
	{.path = "speedup", .type = "number", .doc = "time of A over time of B"},
	{.path = "causes", .type = "{[number]2}", .doc = "what each cause costs, in A and in B, where that differs, by its name as in causes[].cause of run"},
	{.path = "warp_cycles", .type = "{[number]2}", .doc = "states of warps that differ, in warps' cycles, by the paths of run"},
	{.path = "counts", .type = "{[number]2}", .doc = "other counts that differ, by the paths of run"},
	{.path = "lines", .type = "{[number]2}", .doc = "lines of the program that differ, in warps' cycles"},
	{.path = "config", .type = "[string]", .doc = "keys of the config that differ, each with its two values"},
};
/* clang-format on */

const Shape diff_shape = {
	.name = "diff",
	.version = 1,
	.title = "What atomsim diff --format json says of a pair of runs",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

/* {"name": [before, after], ...} of the rows that differ */
static void add_part(cJSON *object, const char *name, const DiffPair *pair, DiffPart part)
{
	g_autoptr(GPtrArray) rows = diff_rows(pair, part);
	cJSON *list = cJSON_AddObjectToObject(object, name);

	for (guint i = 0; i < rows->len; i++) {
		const DiffRow *row = g_ptr_array_index(rows, i);

		if (diff_row_differs(row))
			cJSON_AddItemToObject(list, row->name,
					      cJSON_CreateDoubleArray(
						      (double[]){row->before, row->after}, 2));
	}
}

/* The intervals of both, if one is an estimate. */
static void add_interval(cJSON *object, const DiffPair *pair)
{
	double low[2], high[2];
	const gboolean before = diff_interval(pair->before, &low[0], &high[0]);
	const gboolean after = diff_interval(pair->after, &low[1], &high[1]);

	if (!before && !after)
		return;
	cJSON_AddItemToObject(object, "cycles_low", cJSON_CreateDoubleArray(low, 2));
	cJSON_AddItemToObject(object, "cycles_high", cJSON_CreateDoubleArray(high, 2));
}

char *diff_json(const GPtrArray *pairs)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < pairs->len; i++) {
		const DiffPair *pair = g_ptr_array_index(pairs, i);
		g_autoptr(GPtrArray) config = diff_config(pair);
		cJSON *object = shape_object(&diff_shape), *keys;
		g_autofree char *line = NULL;

		cJSON_AddStringToObject(object, "label", pair->label);
		cJSON_AddItemToObject(
			object, "cycles",
			cJSON_CreateDoubleArray((double[]){diff_number(pair->before, "cycles"),
							   diff_number(pair->after, "cycles")},
						2));
		add_interval(object, pair);
		cJSON_AddNumberToObject(object, "change_percent", diff_percent(pair));
		cJSON_AddNumberToObject(object, "speedup", diff_speedup(pair));
		add_part(object, "causes", pair, DIFF_CAUSES);
		add_part(object, "warp_cycles", pair, DIFF_STATES);
		add_part(object, "counts", pair, DIFF_COUNTS);
		add_part(object, "lines", pair, DIFF_LINES);
		keys = cJSON_AddArrayToObject(object, "config");
		for (guint k = 0; k < config->len; k++)
			cJSON_AddItemToArray(keys,
					     cJSON_CreateString(g_ptr_array_index(config, k)));
		line = report_json_take(object);
		g_string_append(text, line);
	}
	return g_string_free(text, FALSE);
}
