/* SPDX-License-Identifier: MIT */
/* atomsim table: traces by configs, each cell the time of a replay and what contention makes of it. */
#include "cli/cli.h"
#include "cli/columns.h"
#include "cli/option.h"
#include "cli/table.h"

#include <string.h>

#include "base/error.h"
#include "base/installed.h"
#include "config/config.h"
#include "trace/find.h"

typedef struct {
	char **configs, **traces, **changes, *format, *output, *columns_text;
	CsvColumns *columns;
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
	g_free(options->columns_text);
	csv_columns_free(options->columns);
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
	text = g_strcmp0(options->format, "csv") == 0
		       ? cli_columns_of(options->columns, table_csv(cells))
	       : g_strcmp0(options->format, "json") == 0 ? table_json(cells)
							 : table_text(cells, configs);
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
		OPTION_COLUMNS(&options.columns_text),
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
	    !cli_columns(options.columns_text, g_strcmp0(options.format, "csv") == 0,
			 TABLE_COLUMNS, options.output, &options.columns, &error) ||
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
