/* SPDX-License-Identifier: MIT */
/* What atomsim table prints of its cells. */
#include "base/csv-cell.h"
#include "cli/schemas.h"
#include "cli/table.h"
#include "report/format.h"
#include "report/report.h"

static double slowdown(const Cell *cell)
{
	return cell->free_cycles > 0 ? (double)cell->cycles / (double)cell->free_cycles : 1;
}

char *table_text(const GArray *cells, char **configs)
{
	guint n = g_strv_length(configs);
	GString *text = g_string_new("Time (slowdown from contention)\n");

	g_string_append_printf(text, "%-28s", "");
	for (guint c = 0; c < n; c++) {
		g_autofree char *name = g_path_get_basename(configs[c]);
		g_autofree char *shown = format_name(name, 20);

		g_string_append_printf(text, " %20s", shown);
	}
	for (guint i = 0; i < cells->len; i++) {
		const Cell *cell = &g_array_index(cells, Cell, i);
		g_autofree char *name = g_path_get_basename(cell->trace);
		g_autofree char *shown = format_name(name, 28);
		g_autofree char *time = format_time_us(cell->time_us);

		if (i % n == 0)
			g_string_append_printf(text, "\n%s%-*s", cell->change ? "  " : "",
					       cell->change ? 26 : 28,
					       cell->change ? cell->change : shown);
		g_string_append_printf(text, " %12s (%.2f)", time, slowdown(cell));
	}
	g_string_append_printf(text, "\n%-28s", "cost of the hardware, bits");
	for (guint c = 0; c < n; c++) {
		g_autofree char *cost = format_count(g_array_index(cells, Cell, c).cost_bits);

		g_string_append_printf(text, " %20s", cost);
	}
	g_string_append_c(text, '\n');
	return g_string_free(text, FALSE);
}

char *table_csv(const GArray *cells)
{
	GString *text = g_string_new(TABLE_COLUMNS "\n");

	for (guint i = 0; i < cells->len; i++) {
		const Cell *cell = &g_array_index(cells, Cell, i);
		g_autofree char *trace = g_path_get_basename(cell->trace);
		g_autofree char *config = g_path_get_basename(cell->config);

		csv_append_cell(text, trace);
		g_string_append_c(text, ',');
		csv_append_cell(text, config);
		g_string_append_printf(text,
				       ",%" G_GUINT64_FORMAT ",%.6g,%" G_GUINT64_FORMAT
				       ",%.4f,%" G_GUINT64_FORMAT ",",
				       cell->cycles, cell->time_us, cell->free_cycles,
				       slowdown(cell), cell->cost_bits);
		csv_append_cell(text, cell->change ? cell->change : "");
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}

/* clang-format off */
static const ShapeRow shape_rows[] = {
	{.path = "table", .type = "[object]", .doc = "a row for each trace, as it is and with each what-if, on each config"},
	{.path = "table[].trace", .type = "string", .doc = "its name"},
	{.path = "table[].config", .type = "string", .doc = "its name"},
	{.path = "table[].cycles", .type = "count", .doc = "of the run"},
	{.path = "table[].time_us", .type = "number", .doc = "the cycles at the machine's clock"},
	{.path = "table[].contention_free_cycles", .type = "count|null", .doc = "the same without contention; null where that was not simulated"},
	{.path = "table[].slowdown", .type = "number", .doc = "cycles over those"},
	{.path = "table[].cost_bits", .type = "count", .doc = "of the hardware of the atomics (config --cost)"},
	{.path = "table[].what_if?", .type = "string", .doc = "the change of --what-if; left out of the trace as it is"},
};
/* clang-format on */

const Shape table_shape = {
	.name = "table",
	.version = 1,
	.title = "What atomsim table --format json says",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

char *table_json(const GArray *cells)
{
	cJSON *root = shape_object(&table_shape), *list;

	list = cJSON_AddArrayToObject(root, "table");
	for (guint i = 0; i < cells->len; i++) {
		const Cell *cell = &g_array_index(cells, Cell, i);
		g_autofree char *trace = g_path_get_basename(cell->trace);
		g_autofree char *config = g_path_get_basename(cell->config);
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "trace", trace);
		cJSON_AddStringToObject(row, "config", config);
		cJSON_AddNumberToObject(row, "cycles", (double)cell->cycles);
		cJSON_AddNumberToObject(row, "time_us", cell->time_us);
		if (cell->free_cycles > 0)
			cJSON_AddNumberToObject(row, "contention_free_cycles",
						(double)cell->free_cycles);
		else
			cJSON_AddNullToObject(row, "contention_free_cycles");
		cJSON_AddNumberToObject(row, "slowdown", slowdown(cell));
		cJSON_AddNumberToObject(row, "cost_bits", (double)cell->cost_bits);
		if (cell->change)
			cJSON_AddStringToObject(row, "what_if", cell->change);
		cJSON_AddItemToArray(list, row);
	}
	return report_json_take(root);
}
