/* SPDX-License-Identifier: MIT */
/* atomsim table: traces by configs, each cell the time of a replay and what contention makes of it. */
#include "cli/cli.h"
#include "cli/table.h"
#include "cli/option.h"
#include "cli/schemas.h"

#include <string.h>

#include "base/csv-cell.h"
#include "base/error.h"
#include "base/installed.h"
#include "config/config.h"
#include "report/format.h"
#include "report/report.h"
#include "trace/find.h"

typedef struct {
	char **configs, **traces, **changes, *format, *output;
	int jobs;
} Options;

static const OutputKind table_kind = {
	"a table of traces", {"trace,config,", "Time (slowdown", "\"table\":[{\"trace\":"}};

static void options_clear(Options *options)
{
	g_strfreev(options->configs);
	g_strfreev(options->traces);
	g_strfreev(options->changes);
	g_free(options->format);
	g_free(options->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

/* What was named, or all that is found by name. g_strfreev. */
static char **names_or_all(char **given, GPtrArray *all)
{
	g_ptr_array_add(all, NULL);
	return g_strdupv(given != NULL ? given : (char **)all->pdata);
}

/* Those that were named, patterns replaced by what they mean; NULL names: `all`. g_strfreev; NULL: one means nothing. */
static char **expand_configs(char **names, GPtrArray *all, GError **error)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; names && names[i]; i++) {
		g_autoptr(GPtrArray) matching =
			strpbrk(names[i], "*?") ? config_matching(names[i]) : NULL;

		if (matching && matching->len == 0) {
			g_set_error(
				error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				"table: --config: '%s' found; allowed: a config, or a pattern "
				"that some installed one has",
				names[i]);
			return NULL;
		}
		for (guint k = 0; matching && k < matching->len; k++)
			g_ptr_array_add(found, g_strdup(matching->pdata[k]));
		if (!matching)
			g_ptr_array_add(found, g_strdup(names[i]));
	}
	g_ptr_array_add(found, NULL);
	return names_or_all(names ? (char **)found->pdata : NULL, all);
}

static double slowdown(const Cell *cell)
{
	return cell->free_cycles > 0 ? (double)cell->cycles / (double)cell->free_cycles : 1;
}

/* --- Output --- */

static char *to_text(const GArray *cells, char **configs)
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

static char *to_csv(const GArray *cells)
{
	GString *text = g_string_new("trace,config,cycles,time_us,contention_free_cycles,"
				     "slowdown,cost_bits,what_if\n");

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

static char *to_json(const GArray *cells)
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

static const char *const formats[] = {"text", "csv", "json"};

static gboolean make_table(const Options *options, GError **error)
{
	g_auto(GStrv) folders = trace_search_path();
	g_autoptr(GPtrArray) all_configs = config_names();
	g_autoptr(GPtrArray) all_traces = installed_names(folders, ".bin");
	g_auto(GStrv) configs = expand_configs(options->configs, all_configs, error);
	g_auto(GStrv) traces = names_or_all(options->traces, all_traces);
	g_autoptr(GArray) cells = NULL;
	g_autofree char *text = NULL;

	if (configs == NULL)
		return FALSE;
	if (*configs == NULL || *traces == NULL) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "table: no %s is installed; name some",
			    *configs == NULL ? "config" : "trace");
		return FALSE;
	}
	cells = table_cells(configs, traces, options->changes, options->jobs, error);
	if (cells == NULL)
		return FALSE;
	text = g_strcmp0(options->format, "csv") == 0	 ? to_csv(cells)
	       : g_strcmp0(options->format, "json") == 0 ? to_json(cells)
							 : to_text(cells, configs);
	return cli_write_output(options->output, &table_kind, text, strlen(text), error);
}

static CliStatus run(int argc, char **argv)
{
	g_auto(Options) options = {0};
	const GOptionEntry entries[] = {
		{"config", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.configs,
		 "Config or pattern ('designs/*') for a column; may be repeated (default: all "
		 "installed configs)",
		 "CONFIG"},
		{"what-if", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.changes,
		 "A row more of each trace, with a change that run --what-if makes; may be "
		 "repeated",
		 "CHANGE"},
		OPTION_FORMAT(&options.format, "text (default), csv or json"),
		OPTION_OUTPUT(&options.output),
		OPTION_JOBS(&options.jobs),
		OPTION_OPERANDS(&options.traces),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_table, entries);
	g_autoptr(GError) error = NULL;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (!cli_choice("format", options.format, formats, G_N_ELEMENTS(formats), NULL,
			&error) ||
	    !cli_check_numbers(0, options.jobs, &error) ||
	    !cli_check_output(options.output, &table_kind, NULL, options.traces, &error) ||
	    !make_table(&options, &error))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_table = {
	.name = "table",
	.synopsis = "[OPTION]... [TRACE]...",
	.summary = "Simulate traces on several configs, one table of times",
	.examples = "atomsim table --config fermi --config h200 transpose\n"
		    "atomsim table --config 'designs/*' weighted",
	.run = run,
};
