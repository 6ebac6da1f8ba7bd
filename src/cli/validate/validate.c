/* SPDX-License-Identifier: MIT */
/* atomsim validate: how far a config's predictions are from measurements. */
#include "cli/cli.h"
#include "cli/option.h"

#include <stdio.h>
#include <string.h>

#include "cli/validate/validate.h"
#include "config/config.h"
#include "base/error.h"
#include "validate/frame/validate.h"
#include "report/gnuplot.h"

static const OutputKind validation_kind = {
	"a validation",
	{"Relative error of", "\"median_relative_error\"", ",simulated_cycles,"}};

static const char *const format_names[] = {"text", "json", "csv"};
static char *(*const writers[])(const Validation *validation, const Machine *machine) = {
	validate_text, validate_json, validate_csv};

/* --- The command --- */

static gboolean check_usage(const char *config, char **files, const char *plot, GError **error)
{
	if (config == NULL)
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "validate: no --config; for example: --config fermi.json");
	else if (files == NULL)
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "validate: no file of measurements");
	else if (plot != NULL && !gnuplot_has_format(plot))
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--plot %s: allowed: " GNUPLOT_FORMATS, plot);
	else
		return TRUE;
	return FALSE;
}

static CliStatus run(int argc, char **argv)
{
	g_autofree char *config_name = NULL;
	g_autofree char *format = NULL;
	g_autofree char *output = NULL;
	g_autofree char *plot = NULL;
	g_autofree char *text = NULL;
	g_autofree char *table = NULL;
	g_autofree char *warning = NULL;
	g_auto(GStrv) settings = NULL;
	g_auto(GStrv) files = NULL;
	guint writer = 0;
	const GOptionEntry entries[] = {
		OPTION_CONFIG(&config_name),
		OPTION_SET(&settings),
		OPTION_FORMAT(&format, "text (default), json, or csv: every point"),
		OPTION_OUTPUT(&output),
		{"plot", 0, 0, G_OPTION_ARG_FILENAME, &plot,
		 "Draw predicted against measured cycles to FILE.svg (needs gnuplot); FILE.gp "
		 "and "
		 "FILE.csv are left beside it",
		 "FILE.svg"},
		OPTION_OPERANDS(&files),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_validate, entries);
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = NULL;
	g_autoptr(Validation) validation = validation_new();
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (!check_usage(config_name, files, plot, &error) ||
	    !cli_choice("format", format, format_names, G_N_ELEMENTS(format_names), &writer,
			&error) ||
	    !cli_check_output(output, &validation_kind, config_name, files, &error) ||
	    (plot != NULL && !gnuplot_check(plot, &error)))
		return cli_fail(error);
	config = config_load(config_name, (const char *const *)settings, &error);
	if (config == NULL)
		return cli_fail(error);
	for (guint i = 0; files[i] != NULL; i++)
		if (!validate_add_file(validation, config_machine(config), files[i], &error))
			return cli_fail(error);
	if (validation->points->len == 0) {
		const PassedOver *first = validation->passed->len
						  ? g_ptr_array_index(validation->passed, 0)
						  : NULL;

		g_set_error(&error, ATOMSIM_ERROR, ATOMSIM_ERROR_INPUT, "%s: no points: %s%s",
			    files[0],
			    first ? "all rows are passed over, the first because: "
				  : "a header without rows",
			    first ? first->why : "");
		return cli_fail(error);
	}
	warning = validate_fitted_warning(config, validation->points);
	g_printerr("%s", warning);
	text = writers[writer](validation, config_machine(config));
	table = validate_csv(validation, config_machine(config));
	if (!cli_write_output(output, &validation_kind, text, strlen(text), &error) ||
	    (plot != NULL &&
	     !validate_plot(validation->points, config_machine(config), table, plot, &error)))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_validate = {
	.name = "validate",
	.synopsis = "[OPTION]... --config CONFIG FILE.csv...",
	.summary = "Compare predicted cycles with measured ones",
	.run = run,
};
