/* SPDX-License-Identifier: MIT */
/* atomsim validate: how far a config's predictions are from measurements. */
#include "cli/cli.h"
#include "cli/columns.h"
#include "cli/option.h"

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

/* What the user gave. */
static struct {
	char *config_name, *format, *output, *plot, *report, *expected, *columns_text;
	gboolean all;
	char **settings, **files;
	int jobs;
} given;

static const GOptionEntry entries[] = {
	OPTION_CONFIG(&given.config_name),
	OPTION_SET(&given.settings),
	OPTION_FORMAT(&given.format, "text (default), json, or csv: every point"),
	OPTION_COLUMNS(&given.columns_text),
	OPTION_JOBS(&given.jobs),
	OPTION_OUTPUT(&given.output),
	{"plot", 0, 0, G_OPTION_ARG_FILENAME, &given.plot,
	 "Draw predicted over measured cycles (needs gnuplot); FILE.gp and FILE.csv "
	 "are kept",
	 "FILE.svg"},
	{"report", 0, 0, G_OPTION_ARG_FILENAME, &given.report,
	 "Write a page of a folder, with a picture of each class", "FILE.html"},
	{"expected-errors", 0, 0, G_OPTION_ARG_FILENAME, &given.expected,
	 "Write how far off launches are, by class: as expected-errors.json in the "
	 "config's folder, reports say it",
	 "FILE.json"},
	{"all", 0, 0, G_OPTION_ARG_NONE, &given.all,
	 "Simulate all rows of a folder, not a sample of large tables", NULL},
	OPTION_OPERANDS(&given.files),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	g_autoptr(CsvColumns) columns = NULL;
	g_autofree char *text = NULL;
	g_autofree char *table = NULL;
	g_autofree char *warning = NULL;
	guint writer = 0;
	g_autoptr(Config) config = NULL;
	g_autoptr(Validation) validation = validation_new();
	g_auto(ValidatedFolder) folder = {0};

	if (!check_usage(given.config_name, given.files, given.plot, error) ||
	    !check_folder(given.files, given.report, given.all, error) ||
	    !cli_check_numbers(0, given.jobs, error) ||
	    !cli_choice("format", given.format, format_names, G_N_ELEMENTS(format_names),
			&writer, error) ||
	    !cli_columns(given.columns_text, g_strcmp0(given.format, "csv") == 0,
			 VALIDATE_COLUMNS, given.output, &columns, error) ||
	    !cli_check_output(given.output, &validation_kind, given.config_name, given.files,
			      error) ||
	    !cli_check_output(given.report, &validation_page_kind, given.config_name,
			      given.files, error) ||
	    !cli_check_output(given.expected, &expected_kind, given.config_name, given.files,
			      error) ||
	    (given.plot != NULL && !gnuplot_check(given.plot, error)))
		return CLI_FAILED;
	config = config_load(given.config_name, (const char *const *)given.settings, error);
	if (config == NULL)
		return CLI_FAILED;
	validation->n_threads = cli_jobs(given.jobs);
	if (!add_all(validation, config_machine(config), given.files, given.all, &folder,
		     error) ||
	    !check_points(validation, given.files[0], error))
		return CLI_FAILED;
	warning = validate_fitted_warning(config, validation->points);
	g_printerr("%s", warning);
	text = (folder.gpu ? folder_writers : writers)[writer](validation,
							       config_machine(config), &folder);
	text = cli_columns_of(columns, g_steal_pointer(&text));
	table = validate_csv(validation, config_machine(config), &folder);
	if (!cli_write_output(given.output, &validation_kind, text, strlen(text), error) ||
	    (given.report != NULL &&
	     !write_page(validation, config_machine(config), &folder, given.report, error)) ||
	    (given.expected != NULL &&
	     !write_expected(validation, config_machine(config), given.expected, error)) ||
	    (given.plot != NULL && !validate_plot(validation->points, config_machine(config),
						  table, given.plot, error)))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_validate = {
	.name = "validate",
	.synopsis = "[OPTION]... --config CONFIG FOLDER|FILE.csv...",
	.summary = "Compare predicted cycles with measured ones",
	.examples = "atomsim validate --config fermi measurements/gtx580/published.csv\n"
		    "atomsim validate --config my-gpu my-gpu-measurements/",
	.options = entries,
	.run = run,
};
