/* SPDX-License-Identifier: MIT */
/* atomsim validate: how far a config's predictions are from measurements. */
#include "cli/cli.h"
#include "cli/columns.h"
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
	{"Relative error of", "Errors of ", "\"median_relative_error\"", ",simulated_cycles,"}};

static const OutputKind validation_page_kind = {"a page", {"<title>atomsim validation"}};

static const OutputKind expected_kind = {"expected errors", {"\"launches\":", NULL}};

static const char *const format_names[] = {"text", "json", "csv"};
typedef char *(*Writer)(const Validation *validation, const Machine *machine,
			const ValidatedFolder *folder);
static const Writer writers[] = {validate_text, validate_json, validate_csv};
static const Writer folder_writers[] = {validate_folder_text, validate_folder_json,
					validate_csv};

/* --- The command --- */

static gboolean check_usage(const char *config, char **files, const char *plot, GError **error)
{
	if (config == NULL)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "validate: no --config; for example: --config fermi.json");
	else if (files == NULL)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "validate: no file of measurements");
	else if (files[1] != NULL &&
		 (validate_is_folder(files[0]) || validate_is_folder(files[1])))
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "validate: allowed: one folder, or files");
	else if (plot != NULL && !gnuplot_has_format(plot))
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "--plot %s: allowed: " GNUPLOT_FORMATS,
			     plot);
	else
		return TRUE;
	return FALSE;
}

/* What only a folder has. */
static gboolean check_folder(char **files, const char *report, gboolean all, GError **error)
{
	if ((report == NULL && !all) || validate_is_folder(files[0]))
		return TRUE;
	return atomsim_fail(
		error, ATOMSIM_ERROR_USAGE,
		"validate: %s; allowed: with a folder of atomsim measure; found: %s",
		report != NULL ? "--report" : "--all", files[0]);
}

/* The page of a folder. */
static gboolean write_page(const Validation *validation, const Machine *machine,
			   const ValidatedFolder *folder, const char *path, GError **error)
{
	g_autofree char *page = validate_folder_page(validation, machine, folder);

	return cli_write_output(path, &validation_page_kind, page, strlen(page), error);
}

static gboolean write_expected(const Validation *validation, const Machine *machine,
			       const char *path, GError **error)
{
	g_autofree char *text = validate_expected(validation->points, machine, error);

	return text != NULL &&
	       cli_write_output(path, &expected_kind, text, strlen(text), error);
}

/* The files, or the folder. */
static gboolean add_all(Validation *validation, const Machine *machine, char **files,
			gboolean all, ValidatedFolder *folder, GError **error)
{
	if (validate_is_folder(files[0]))
		return validate_add_folder(validation, machine, files[0], all, folder, error);
	return validate_add_files(validation, machine, files, error);
}

static gboolean check_points(const Validation *validation, const char *file, GError **error)
{
	const PassedOver *first =
		validation->passed->len ? g_ptr_array_index(validation->passed, 0) : NULL;

	return validation->points->len > 0 ||
	       atomsim_fail(error, ATOMSIM_ERROR_INPUT, "%s: no points: %s%s", file,
			    first ? "all rows are passed over, the first because: "
				  : "a header without rows",
			    first ? first->why : "");
}

static CliStatus run(int argc, char **argv)
{
	g_autofree char *config_name = NULL;
	g_autofree char *format = NULL;
	g_autofree char *output = NULL;
	g_autofree char *plot = NULL;
	g_autofree char *report = NULL;
	g_autofree char *expected = NULL;
	gboolean all = FALSE;
	g_autofree char *columns_text = NULL;
	g_autoptr(CsvColumns) columns = NULL;
	g_autofree char *text = NULL;
	g_autofree char *table = NULL;
	g_autofree char *warning = NULL;
	g_auto(GStrv) settings = NULL;
	g_auto(GStrv) files = NULL;
	guint writer = 0;
	int jobs = 0;
	const GOptionEntry entries[] = {
		OPTION_CONFIG(&config_name),
		OPTION_SET(&settings),
		OPTION_FORMAT(&format, "text (default), json, or csv: every point"),
		OPTION_COLUMNS(&columns_text),
		OPTION_JOBS(&jobs),
		OPTION_OUTPUT(&output),
		{"plot", 0, 0, G_OPTION_ARG_FILENAME, &plot,
		 "Draw predicted over measured cycles (needs gnuplot); FILE.gp and FILE.csv "
		 "are kept",
		 "FILE.svg"},
		{"report", 0, 0, G_OPTION_ARG_FILENAME, &report,
		 "Write a page of a folder, with a picture of each class", "FILE.html"},
		{"expected-errors", 0, 0, G_OPTION_ARG_FILENAME, &expected,
		 "Write how far off launches are, by class: as expected-errors.json in the "
		 "config's folder, reports say it",
		 "FILE.json"},
		{"all", 0, 0, G_OPTION_ARG_NONE, &all,
		 "Simulate all rows of a folder, not a sample of large tables", NULL},
		OPTION_OPERANDS(&files),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_validate, entries);
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = NULL;
	g_autoptr(Validation) validation = validation_new();
	g_auto(ValidatedFolder) folder = {0};
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (!check_usage(config_name, files, plot, &error) ||
	    !check_folder(files, report, all, &error) || !cli_check_numbers(0, jobs, &error) ||
	    !cli_choice("format", format, format_names, G_N_ELEMENTS(format_names), &writer,
			&error) ||
	    !cli_columns(columns_text, g_strcmp0(format, "csv") == 0, VALIDATE_COLUMNS, output,
			 &columns, &error) ||
	    !cli_check_output(output, &validation_kind, config_name, files, &error) ||
	    !cli_check_output(report, &validation_page_kind, config_name, files, &error) ||
	    !cli_check_output(expected, &expected_kind, config_name, files, &error) ||
	    (plot != NULL && !gnuplot_check(plot, &error)))
		return cli_fail(error);
	config = config_load(config_name, (const char *const *)settings, &error);
	if (config == NULL)
		return cli_fail(error);
	validation->n_threads = cli_jobs(jobs);
	if (!add_all(validation, config_machine(config), files, all, &folder, &error) ||
	    !check_points(validation, files[0], &error))
		return cli_fail(error);
	warning = validate_fitted_warning(config, validation->points);
	g_printerr("%s", warning);
	text = (folder.gpu ? folder_writers : writers)[writer](validation,
							       config_machine(config), &folder);
	text = cli_columns_of(columns, g_steal_pointer(&text));
	table = validate_csv(validation, config_machine(config), &folder);
	if (!cli_write_output(output, &validation_kind, text, strlen(text), &error) ||
	    (report != NULL &&
	     !write_page(validation, config_machine(config), &folder, report, &error)) ||
	    (expected != NULL &&
	     !write_expected(validation, config_machine(config), expected, &error)) ||
	    (plot != NULL &&
	     !validate_plot(validation->points, config_machine(config), table, plot, &error)))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_validate = {
	.name = "validate",
	.synopsis = "[OPTION]... --config CONFIG FOLDER|FILE.csv...",
	.summary = "Compare predicted cycles with measured ones",
	.examples = "atomsim validate --config fermi measurements/gtx580/published.csv\n"
		    "atomsim validate --config my-gpu my-gpu-measurements/",
	.run = run,
};
