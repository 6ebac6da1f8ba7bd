/* SPDX-License-Identifier: MIT */
/* atomsim derive: values of keys from a folder of measurements, by the lines of a machine's derive.csv. */
#include "cli/cli.h"
#include "cli/option.h"

#include <string.h>

#include "base/csv-cell.h"
#include "base/error.h"
#include "validate/frame/derive.h"

#define TABLE "derive.csv"

typedef struct {
	gboolean check;
	char *config, *table, *output;
	char **settings, **folders;
} Options;

static const OutputKind config_kind = {"a config", {"{", NULL}};

static void options_clear(Options *options)
{
	g_free(options->config);
	g_free(options->table);
	g_free(options->output);
	g_strfreev(options->settings);
	g_strfreev(options->folders);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

/* The lines to derive by: those that are named, or those beside the config. g_free. */
static char *table_of(const Options *options, GError **error)
{
	char *path = options->table ? g_strdup(options->table)
				    : config_beside(options->config, TABLE);

	if (path == NULL)
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "derive: %s has no " TABLE
			    " beside it; allowed: a machine's folder "
			    "with one, or --table",
			    options->config);
	return path;
}

static char *to_csv(const GArray *derivations)
{
	GString *text =
		g_string_new("key,derived,config,exact,rows,least,most,file,of,where\n");

	for (guint i = 0; i < derivations->len; i++) {
		const Derivation *d = &g_array_index(derivations, Derivation, i);

		g_string_append_printf(
			text,
			"%s,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%.6g,%u,%.6g,%.6g,",
			d->key, d->derived, d->has, d->exact, d->n_rows, d->least, d->most);
		csv_append_cell(text, d->file);
		g_string_append_c(text, ',');
		csv_append_cell(text, d->statistic);
		g_string_append_c(text, ',');
		csv_append_cell(text, d->rows);
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}

/* Says which keys have another value. Their number. */
static guint report_others(const GArray *derivations)
{
	guint n = 0;

	for (guint i = 0; i < derivations->len; i++) {
		const Derivation *d = &g_array_index(derivations, Derivation, i);

		if (d->derived == d->has)
			continue;
		n++;
		g_printerr("atomsim: derive: %s comes to %" G_GUINT64_FORMAT
			   ", and the config has %" G_GUINT64_FORMAT "\n",
			   d->key, d->derived, d->has);
	}
	g_printerr("%u values derived, %u of them other than the config's\n", derivations->len,
		   n);
	return n;
}

static gboolean check_options(const Options *options, GError **error)
{
	const char *problem = NULL;

	if (options->config == NULL)
		problem = "derive: no --config; for example: --config h200";
	else if (options->folders == NULL || options->folders[1] != NULL)
		problem = "derive: allowed: one folder of measurements";
	if (problem != NULL)
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE, problem);
	return problem == NULL &&
	       cli_check_output(options->output, &config_kind, options->config, NULL, error);
}

static gboolean derive_all(const Options *options, guint *n_others, GError **error)
{
	g_autoptr(Config) config = NULL;
	g_autoptr(GArray) derivations = NULL;
	g_autofree char *table = NULL, *text = NULL;

	if (!check_options(options, error))
		return FALSE;
	config = config_load(options->config, (const char *const *)options->settings, error);
	table = config ? table_of(options, error) : NULL;
	derivations = table ? derive(config, table, options->folders[0], error) : NULL;
	if (derivations == NULL)
		return FALSE;
	text = options->output ? derived_config(derivations, options->config)
			       : to_csv(derivations);
	*n_others = report_others(derivations);
	return cli_write_output(options->output, &config_kind, text, strlen(text), error);
}

static CliStatus run(int argc, char **argv)
{
	g_auto(Options) options = {0};
	const GOptionEntry entries[] = {
		{"config", 0, 0, G_OPTION_ARG_FILENAME, &options.config,
		 "the machine; its derive.csv says how, its values are compared", "CONFIG"},
		{"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.settings,
		 "change a key of the config first", "KEY=VALUE"},
		{"table", 0, 0, G_OPTION_ARG_FILENAME, &options.table,
		 "derive by these lines instead", "FILE.csv"},
		{"check", 0, 0, G_OPTION_ARG_NONE, &options.check,
		 "fail if the config has another value", NULL},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
		 "write a config that extends CONFIG and has the derived values", "FILE"},
		OPTION_OPERANDS(&options.folders),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_derive, entries);
	g_autoptr(GError) error = NULL;
	CliStatus status;
	guint n_others = 0;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (!derive_all(&options, &n_others, &error))
		return cli_fail(error);
	return options.check && n_others > 0 ? CLI_FAILED : CLI_GOOD;
}

const Command command_derive = {
	.name = "derive",
	.synopsis = "[OPTION]... FOLDER",
	.summary = "Read values of keys off a folder of measurements",
	.run = run,
};
