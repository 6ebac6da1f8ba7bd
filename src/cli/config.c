/* SPDX-License-Identifier: MIT */
/* atomsim config: what a config comes to, and what can be in one. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/option.h"
#include "config/config.h"
#include "config/explain.h"
#include "config/expected.h"
#include "base/error.h"
#include "base/json.h"
#include "report/cost.h"

typedef struct {
	gboolean keys, markdown, checksum, explain, cost;
	char *config, *format;
	char **settings;
} Options;

static void options_clear(Options *options)
{
	g_free(options->config);
	g_free(options->format);
	g_strfreev(options->settings);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean check_usage(const Options *options, guint *format, GError **error)
{
	if (!options->config)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "config: no --config or --keys");
	else if (options->format && !options->explain && !options->cost)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "config: --format is for --explain and --cost; all other "
			     "output is JSON");
	else
		return cli_choice("format", options->format, cli_text_or_json, N_TEXT_OR_JSON,
				  format, error);
	return FALSE;
}

static char *cost_page(const Machine *machine, guint format)
{
	return format == 0 ? cost_text(machine) : json_page(cost_object(machine));
}

static CliStatus print_effective(const Options *options)
{
	guint format = 0;
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = NULL;
	g_autofree char *json = NULL;

	if (!check_usage(options, &format, &error))
		return cli_fail(error);
	config = config_load(options->config, (const char *const *)options->settings, &error);
	if (!config)
		return cli_fail(error);
	if (options->checksum) {
		g_autofree char *checksum = expected_checksum(config_machine(config));

		printf("%s\n", checksum);
		return CLI_GOOD;
	}
	json = options->cost	   ? cost_page(config_machine(config), format)
	       : !options->explain ? config_to_json(config)
	       : format == 0	   ? config_explain(config)
				   : config_explain_json(config);
	fputs(json, stdout);
	return CLI_GOOD;
}

static CliStatus run(int argc, char **argv)
{
	g_auto(Options) options = {0};
	const GOptionEntry entries[] = {
		{"config", 0, 0, G_OPTION_ARG_FILENAME, &options.config,
		 "Print this config, complete and checked, as JSON", "CONFIG"},
		{"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.settings,
		 "Change a key of the config first", "KEY=VALUE"},
		{"checksum", 0, 0, G_OPTION_ARG_NONE, &options.checksum,
		 "Print the checksum of its values, as expected-errors.json has it", NULL},
		{"explain", 0, 0, G_OPTION_ARG_NONE, &options.explain,
		 "Print the source of each value: measured, published, inherited, fitted or "
		 "assumed",
		 NULL},
		{"cost", 0, 0, G_OPTION_ARG_NONE, &options.cost,
		 "Print the hardware cost of its atomics, part by part", NULL},
		OPTION_FORMAT(&options.format,
			      "Format of --explain and --cost: text (default) or json"),
		{"keys", 0, 0, G_OPTION_ARG_NONE, &options.keys,
		 "Print the keys with meaning, range, default and source", NULL},
		{"markdown", 0, 0, G_OPTION_ARG_NONE, &options.markdown,
		 "Print the keys as Markdown tables", NULL},
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_config, entries);
	g_autofree char *text = NULL;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (options.keys) {
		config_print_help(stdout);
		return CLI_GOOD;
	}
	if (!options.markdown)
		return print_effective(&options);
	text = config_markdown();
	fputs(text, stdout);
	return CLI_GOOD;
}

const Command command_config = {
	.name = "config",
	.synopsis = "[OPTION]...",
	.summary = "Print a config in effect, or the keys of configs",
	.examples = "atomsim config --config h200 --explain\n"
		    "atomsim config --keys",
	.run = run,
};
