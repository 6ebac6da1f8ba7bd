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
	char **configs, **traces, **changes, **settings;
	char *base, *format, *output, *columns_text;
	CsvColumns *columns;
	int jobs;
} Options;

static const OutputKind table_kind = {
	"a table of traces",
	{"trace,config,", "Time (slowdown", "Time relative to", "\"table\":[{\"trace\":"}};

/* --- Which traces and configs --- */

static TableFiles files_new(void)
{
	return (TableFiles){g_ptr_array_new_with_free_func(g_free),
			    g_ptr_array_new_with_free_func(g_free)};
}

static void files_clear(TableFiles *files)
{
	g_ptr_array_unref(files->names);
	g_ptr_array_unref(files->paths);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TableFiles, files_clear)

/* path: g_free'd; NULL: the name. */
static void files_add(TableFiles *files, const char *name, char *path)
{
	g_ptr_array_add(files->names, g_strdup(name));
	g_ptr_array_add(files->paths, path ? path : g_strdup(name));
}

/* Those that were named, or all that are installed. */
static void add_traces(TableFiles *files, char **given)
{
	g_auto(GStrv) folders = trace_search_path();
	g_autoptr(GPtrArray) all = installed_names(folders, ".bin");

	for (guint i = 0; given && given[i]; i++)
		files_add(files, given[i], NULL);
	for (guint i = 0; !given && i < all->len; i++)
		files_add(files, all->pdata[i], installed_find(folders, all->pdata[i], ".bin"));
}

static void add_installed(TableFiles *files, const GPtrArray *configs)
{
	for (guint i = 0; i < configs->len; i++)
		files_add(files, configs->pdata[i], config_find_installed(configs->pdata[i]));
}

/* Those that were named, patterns replaced by what they mean, or all that are installed. FALSE: a pattern means nothing. */
static gboolean add_configs(TableFiles *files, char **given, GError **error)
{
	g_autoptr(GPtrArray) all = config_names();

	for (guint i = 0; given && given[i]; i++) {
		g_autoptr(GPtrArray) matching =
			strpbrk(given[i], "*?") ? config_matching(given[i]) : NULL;

		if (matching && matching->len == 0)
			return atomsim_fail(
				error, ATOMSIM_ERROR_USAGE,
				"table: --config: '%s' found; allowed: a config, or a pattern "
				"that some installed one has",
				given[i]);
		if (matching)
			add_installed(files, matching);
		else
			files_add(files, given[i], NULL);
	}
	if (!given)
		add_installed(files, all);
	return TRUE;
}

/* The file that a config is read from. NULL: there is none. g_free. */
static char *file_of(const char *config)
{
	return g_file_test(config, G_FILE_TEST_IS_REGULAR) ? g_strdup(config)
							   : config_find_installed(config);
}

/* The number of the base among the configs, in front of which it is put where they have another file alone. */
static int place_base(TableFiles *configs, const char *base)
{
	g_autofree char *its_file = file_of(base);

	for (guint i = 0; i < configs->paths->len; i++) {
		g_autofree char *file = file_of(configs->paths->pdata[i]);

		if (file && g_strcmp0(file, its_file) == 0)
			return (int)i;
	}
	g_ptr_array_insert(configs->names, 0, g_strdup(base));
	g_ptr_array_insert(configs->paths, 0, g_strdup(base));
	return 0;
}

/* --- The command --- */

static const char *const formats[] = {"text", "csv", "json"};

static gboolean make_table(const Options *options, GError **error)
{
	g_auto(TableFiles) configs = files_new();
	g_auto(TableFiles) traces = files_new();
	g_autoptr(GArray) cells = NULL;
	g_autofree char *text = NULL;
	Table table = {.base = -1};

	if (!add_configs(&configs, options->configs, error))
		return FALSE;
	add_traces(&traces, options->traces);
	if (configs.names->len == 0 || traces.names->len == 0)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "table: no %s is installed; name some",
				    configs.names->len == 0 ? "config" : "trace");
	if (options->base)
		table.base = place_base(&configs, options->base);
	cells = table_cells(&configs, &traces, options->changes, options->settings,
			    options->jobs, error);
	if (cells == NULL)
		return FALSE;
	table.cells = cells;
	table.n_configs = configs.names->len;
	table.n_changes = options->changes ? g_strv_length(options->changes) : 0;
	if (options->base)
		table_relate(&table, cells);
	text = g_strcmp0(options->format, "csv") == 0
		       ? cli_columns_of(options->columns, table_csv(&table))
	       : g_strcmp0(options->format, "json") == 0 ? table_json(&table)
							 : table_text(&table);
	return cli_write_output(options->output, &table_kind, text, strlen(text), error);
}

/* What the user gave. */
static Options given;

static const GOptionEntry entries[] = {
	{"config", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &given.configs,
	 "Config or pattern ('designs/*') for a column; may be repeated (default: all "
	 "installed configs)",
	 "CONFIG"},
	OPTION_SET(&given.settings),
	{"base", 0, 0, G_OPTION_ARG_FILENAME, &given.base,
	 "Print times relative to that config's, and their geometric mean", "CONFIG"},
	{"what-if", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.changes,
	 "A row more of each trace, with a change that run --what-if makes; may be "
	 "repeated",
	 "CHANGE"},
	OPTION_FORMAT(&given.format, "text (default), csv or json"),
	OPTION_COLUMNS(&given.columns_text),
	OPTION_OUTPUT(&given.output),
	OPTION_JOBS(&given.jobs),
	OPTION_OPERANDS(&given.traces),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	if (!cli_choice("format", given.format, formats, G_N_ELEMENTS(formats), NULL, error) ||
	    !cli_check_numbers(0, given.jobs, error) ||
	    !cli_columns(given.columns_text, g_strcmp0(given.format, "csv") == 0, TABLE_COLUMNS,
			 given.output, &given.columns, error) ||
	    !cli_check_output(given.output, &table_kind, NULL, given.traces, error) ||
	    !make_table(&given, error))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_table = {
	.name = "table",
	.synopsis = "[OPTION]... [TRACE]...",
	.summary = "Simulate traces on several configs, one table of times",
	.examples = "atomsim table --config fermi --config h200 transpose\n"
		    "atomsim table --config 'designs/*' --base designs/fermi weighted",
	.options = entries,
	.run = run,
};
