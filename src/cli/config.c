/* SPDX-License-Identifier: MIT */
/* atomsim config: what a config comes to, and what can be in one. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/option.h"
#include "config/config.h"
#include "config/expected.h"
#include "base/error.h"
#include "base/json.h"
#include "report/cost.h"

typedef struct {
	gboolean keys, markdown, checksum, explain, cost;
	char *config, *format;
	char **settings;
} Options;

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

static CliStatus print_effective(const Options *options, GError **error)
{
	guint format = 0;
	g_autoptr(Config) config = NULL;
	g_autofree char *json = NULL;

	if (!check_usage(options, &format, error))
		return CLI_FAILED;
	config = config_load(options->config, (const char *const *)options->settings, error);
	if (!config)
		return CLI_FAILED;
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

/* What the user gave. */
static Options given;

static const GOptionEntry entries[] = {
	{"config", 0, 0, G_OPTION_ARG_FILENAME, &given.config,
	 "Print this config, complete and checked, as JSON", "CONFIG"},
	{"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.settings,
	 "Change a key of the config first", "KEY=VALUE"},
	{"checksum", 0, 0, G_OPTION_ARG_NONE, &given.checksum,
	 "Print the checksum of its values, as expected-errors.json has it", NULL},
	{"explain", 0, 0, G_OPTION_ARG_NONE, &given.explain,
	 "Print the source of each value: measured, published, inherited, fitted or "
	 "assumed",
	 NULL},
	{"cost", 0, 0, G_OPTION_ARG_NONE, &given.cost,
	 "Print the hardware cost of its atomics, part by part", NULL},
	OPTION_FORMAT(&given.format, "Format of --explain and --cost: text (default) or json"),
	{"keys", 0, 0, G_OPTION_ARG_NONE, &given.keys,
	 "Print the keys with meaning, range, default and source", NULL},
	{"markdown", 0, 0, G_OPTION_ARG_NONE, &given.markdown,
	 "Print the keys as Markdown tables", NULL},
	OPTION_END,
};

static CliStatus run(GError **error)
{
	g_autofree char *text = NULL;

	if (given.keys) {
		config_print_help(stdout);
		return CLI_GOOD;
	}
	if (!given.markdown)
		return print_effective(&given, error);
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
	.options = entries,
	.run = run,
};
