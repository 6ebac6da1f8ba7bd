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
#define RATIO	 14 /* and of one that is relative: "123.45 (12.34)" */
#define MEAN	 "geometric mean"
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

static char *time_text(const Table *table, const Cell *cell)
{
	g_autofree char *time = format_time_us(cell->time_us);

	return table->base >= 0
		       ? g_strdup_printf("%.2f (%.2f)", cell->relative_time, slowdown(cell))
		       : g_strdup_printf("%s (%.2f)", time, slowdown(cell));
}

static Widths widths_of(const Table *table)
{
	Widths widths = {strlen(LAST_ROW), table->base >= 0 ? RATIO : CELL};

	for (guint i = 0; i < table->cells->len; i++) {
		const Cell *cell = &g_array_index(table->cells, Cell, i);
		g_autofree char *label = row_label(cell);
		g_autofree char *config = g_path_get_basename(cell->config);
		g_autofree char *shown = format_name(config, NAME);
		g_autofree char *time = time_text(table, cell);
		const guint least = (guint)MAX(strlen(time), strlen(shown));

		widths.label = MAX(widths.label, (guint)g_utf8_strlen(label, -1));
		widths.cell = MAX(widths.cell, least);
	}
	widths.label = MIN(widths.label, SCREEN - 1 - widths.cell);
	return widths;
}

/* Begins a row. */
static void append_label(GString *text, const char *label, Widths widths)
{
	g_autofree char *shown = format_name(label, widths.label);

	g_string_append_printf(text, "\n%-*s", (int)widths.label, shown);
}

/* Takes what it shows. */
static void append_cell(GString *text, char *shown, Widths widths)
{
	g_string_append_printf(text, " %*s", (int)widths.cell, shown);
	g_free(shown);
}

/* Rows of means, of traces as they are and of each change. */
static void append_means(GString *text, const Table *table, guint first, guint n, Widths widths)
{
	for (guint change = 0; change <= table->n_changes; change++) {
		const Cell *cell =
			&g_array_index(table->cells, Cell, change * table->n_configs);
		g_autofree char *label = row_label(cell);

		append_label(text, change == 0 ? MEAN : label, widths);
		for (guint c = first; c < first + n; c++)
			append_cell(text, g_strdup_printf("%.2f", table_mean(table, c, change)),
				    widths);
	}
}

/* The rows of n configs from `first` on. */
static void append_configs(GString *text, const Table *table, guint first, guint n,
			   Widths widths)
{
	const Cell *all = &g_array_index(table->cells, Cell, 0);

	g_string_append_printf(text, "%*s", (int)widths.label, "");
	for (guint c = first; c < first + n; c++) {
		g_autofree char *name = g_path_get_basename(all[c].config);

		append_cell(text, format_name(name, widths.cell), widths);
	}
	for (guint row = 0; row < table->cells->len; row += table->n_configs) {
		g_autofree char *label = row_label(&all[row]);

		append_label(text, label, widths);
		for (guint c = first; c < first + n; c++)
			append_cell(text, time_text(table, &all[row + c]), widths);
	}
	if (table->base >= 0)
		append_means(text, table, first, n, widths);
	append_label(text, LAST_ROW, widths);
	for (guint c = first; c < first + n; c++)
		append_cell(text, format_count(all[c].cost_bits), widths);
	g_string_append_c(text, '\n');
}

static GString *title_of(const Table *table)
{
	GString *text = g_string_new("Time");

	if (table->base >= 0) {
		const Cell *base = &g_array_index(table->cells, Cell, table->base);
		g_autofree char *name = g_path_get_basename(base->config);
		g_autofree char *shown = format_name(name, NAME);

		g_string_append_printf(text, " relative to %s", shown);
	}
	g_string_append(text, " (slowdown from contention)\n");
	return text;
}

char *table_text(const Table *table)
{
	const guint n = table->n_configs;
	const Widths widths = widths_of(table);
	const guint most = MAX(1, (SCREEN - widths.label) / (widths.cell + 1));
	GString *text = title_of(table);

	for (guint first = 0; first < n; first += most) {
		if (first > 0)
			g_string_append_c(text, '\n');
		append_configs(text, table, first, MIN(most, n - first), widths);
	}
	return g_string_free(text, FALSE);
}

/* --- CSV and JSON --- */

char *table_csv(const Table *table)
{
	GString *text = g_string_new(TABLE_COLUMNS "\n");

	for (guint i = 0; i < table->cells->len; i++) {
		const Cell *cell = &g_array_index(table->cells, Cell, i);
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
		g_string_append_c(text, ',');
		if (table->base >= 0)
			g_string_append_printf(text, "%.6g", cell->relative_time);
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
	{.path = "table[].relative_time?", .type = "number", .doc = "with --base: time_us over that of the base, of the same trace and what-if"},
	{.path = "base?", .type = "string", .doc = "name of the config of --base; left out without it, with the next"},
	{.path = "geometric_means?", .type = "[object]", .doc = "of each config, over all traces as they are and with each what-if"},
	{.path = "geometric_means[].config", .type = "string", .doc = "its name"},
	{.path = "geometric_means[].what_if?", .type = "string", .doc = "as above"},
	{.path = "geometric_means[].relative_time", .type = "number", .doc = "geometric mean of table[].relative_time"},
};
/* clang-format on */

const Shape table_shape = {
	.name = "table",
	.version = 1,
	.title = "What atomsim table --format json says",
	.rows = shape_rows,
	.n_rows = G_N_ELEMENTS(shape_rows),
};

static cJSON *cell_object(const Table *table, const Cell *cell)
{
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
	if (table->base >= 0)
		cJSON_AddNumberToObject(row, "relative_time", cell->relative_time);
	return row;
}

static void add_means(cJSON *root, const Table *table)
{
	const Cell *all = &g_array_index(table->cells, Cell, 0);
	g_autofree char *base = g_path_get_basename(all[table->base].config);
	cJSON *list;

	cJSON_AddStringToObject(root, "base", base);
	list = cJSON_AddArrayToObject(root, "geometric_means");
	for (guint i = 0; i < (1 + table->n_changes) * table->n_configs; i++) {
		g_autofree char *config = g_path_get_basename(all[i].config);
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "config", config);
		if (all[i].change)
			cJSON_AddStringToObject(row, "what_if", all[i].change);
		cJSON_AddNumberToObject(
			row, "relative_time",
			table_mean(table, i % table->n_configs, i / table->n_configs));
		cJSON_AddItemToArray(list, row);
	}
}

char *table_json(const Table *table)
{
	cJSON *root = shape_object(&table_shape);
	cJSON *list = cJSON_AddArrayToObject(root, "table");

	for (guint i = 0; i < table->cells->len; i++)
		cJSON_AddItemToArray(list,
				     cell_object(table, &g_array_index(table->cells, Cell, i)));
	if (table->base >= 0)
		add_means(root, table);
	return report_json_take(root);
}
