/* SPDX-License-Identifier: MIT */
/* What atomsim table prints of its cells. */
#include <string.h>

#include "base/csv-cell.h"
#include "cli/schemas.h"
#include "cli/table.h"
#include "report/format.h"
#include "report/report.h"

static double slowdown(const Cell *cell)
{
	return cell->free_cycles > 0 ? (double)cell->cycles / (double)cell->free_cycles : 1;
}

/* --- Text: as many configs next to each other as a screen of 80 columns has room for, the others below --- */

#define SCREEN	 80
#define NAME	 24 /* of a config; a longer one is cut */
#define CELL	 17 /* least columns of a time: "123.45 us (12.34)" */
#define LAST_ROW "cost of the hardware, bits"

/* Columns of a row's name and of a time. */
typedef struct {
	guint label, cell;
} Widths;

/* The trace, or its change. g_free. */
static char *row_label(const Cell *cell)
{
	g_autofree char *name = g_path_get_basename(cell->trace);

	return cell->change ? g_strconcat("  ", cell->change, NULL) : g_strdup(name);
}

static char *time_text(const Cell *cell)
{
	g_autofree char *time = format_time_us(cell->time_us);

	return g_strdup_printf("%s (%.2f)", time, slowdown(cell));
}

static Widths widths_of(const GArray *cells)
{
	Widths widths = {strlen(LAST_ROW), CELL};

	for (guint i = 0; i < cells->len; i++) {
		const Cell *cell = &g_array_index(cells, Cell, i);
		g_autofree char *label = row_label(cell);
		g_autofree char *config = g_path_get_basename(cell->config);
		g_autofree char *shown = format_name(config, NAME);
		g_autofree char *time = time_text(cell);
		const guint least = (guint)MAX(strlen(time), strlen(shown));

		widths.label = MAX(widths.label, (guint)g_utf8_strlen(label, -1));
		widths.cell = MAX(widths.cell, least);
	}
	widths.label = MIN(widths.label, SCREEN - 1 - widths.cell);
	return widths;
}

/* The rows of n configs from `first` on; a row of `cells` has all configs. */
static void append_configs(GString *text, const GArray *cells, const GPtrArray *configs,
			   guint first, guint n, Widths widths)
{
	const Cell *all = &g_array_index(cells, Cell, 0);

	g_string_append_printf(text, "%*s", (int)widths.label, "");
	for (guint c = first; c < first + n; c++) {
		g_autofree char *name = g_path_get_basename(configs->pdata[c]);
		g_autofree char *shown = format_name(name, widths.cell);

		g_string_append_printf(text, " %*s", (int)widths.cell, shown);
	}
	for (guint row = 0; row < cells->len; row += configs->len) {
		g_autofree char *label = row_label(&all[row]);
		g_autofree char *shown = format_name(label, widths.label);

		g_string_append_printf(text, "\n%-*s", (int)widths.label, shown);
		for (guint c = first; c < first + n; c++) {
			g_autofree char *time = time_text(&all[row + c]);

			g_string_append_printf(text, " %*s", (int)widths.cell, time);
		}
	}
	g_string_append_printf(text, "\n%-*s", (int)widths.label, LAST_ROW);
	for (guint c = first; c < first + n; c++) {
		g_autofree char *cost = format_count(all[c].cost_bits);

		g_string_append_printf(text, " %*s", (int)widths.cell, cost);
	}
	g_string_append_c(text, '\n');
}

char *table_text(const GArray *cells, const GPtrArray *configs)
{
	const guint n = configs->len;
	const Widths widths = widths_of(cells);
	const guint most = MAX(1, (SCREEN - widths.label) / (widths.cell + 1));
	GString *text = g_string_new("Time (slowdown from contention)\n");

	for (guint first = 0; first < n; first += most) {
		if (first > 0)
			g_string_append_c(text, '\n');
		append_configs(text, cells, configs, first, MIN(most, n - first), widths);
	}
	return g_string_free(text, FALSE);
}

/* --- CSV and JSON --- */

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
