/* SPDX-License-Identifier: MIT */
/* atomsim calibrate: fits keys of a config to measurements. */
#include "cli/calibrate-report.h"
#include "cli/cli.h"
#include "cli/option.h"

#include <string.h>

#include "base/error.h"
#include "validate/frame/calibrate.h"

/* --- Where the new config finds the old one --- */

/* The path of a file as seen from a folder; both canonical. g_free. */
static char *relative_path(const char *folder, const char *file)
{
	g_auto(GStrv) from = g_strsplit(folder + 1, "/", -1);
	g_auto(GStrv) to = g_strsplit(file + 1, "/", -1);
	GString *path = g_string_new(NULL);
	g_autofree char *rest = NULL;
	guint n = 0;

	while (from[n] && to[n] && to[n + 1] && strcmp(from[n], to[n]) == 0)
		n++;
	for (guint i = n; from[i] && *from[i]; i++)
		g_string_append(path, "../");
	rest = g_strjoinv("/", to + n);
	g_string_append(path, rest);
	return g_string_free(path, FALSE);
}

/* A file is named from the new file's folder; an installed config keeps its name. g_free. */
static char *extends_of(const char *config, const char *output)
{
	g_autofree char *folder = g_path_get_dirname(output);
	g_autofree char *from = g_canonicalize_filename(folder, NULL);
	g_autofree char *file = g_canonicalize_filename(config, NULL);

	if (!g_file_test(config, G_FILE_TEST_EXISTS) && !strchr(config, '/'))
		return g_strdup(config);
	return relative_path(from, file);
}

/* Today, or what SOURCE_DATE_EPOCH says for builds that can be repeated. g_free. */
static char *today(void)
{
	const char *text = g_getenv("SOURCE_DATE_EPOCH");
	gint64 seconds = g_get_real_time() / G_USEC_PER_SEC;
	guint64 epoch = 0;
	g_autoptr(GDateTime) time = NULL;

	if (text && g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT32, &epoch, NULL))
		seconds = (gint64)epoch;
	time = g_date_time_new_from_unix_utc(seconds);
	return g_date_time_format(time, "%Y-%m-%d");
}

/* --- The command --- */

typedef struct {
	char *config, *fit, *output, *format;
	char **settings, **files;
} Options;

static const OutputKind fitted_kind = {"a fitted config", {"\"calibration\""}};

static gboolean usage(GError **error, const char *what)
{
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "calibrate: %s", what);
}

static gboolean is_same_file(const char *a, const char *b)
{
	g_autofree char *path_a = g_canonicalize_filename(a, NULL);
	g_autofree char *path_b = g_canonicalize_filename(b, NULL);

	return strcmp(path_a, path_b) == 0;
}

static gboolean check_usage(const Options *options, GError **error)
{
	if (!options->config)
		return usage(error, "no --config; for example: --config fermi.json");
	if (!options->fit || !*options->fit)
		return usage(
			error,
			"nothing to fit; for example: "
			"--fit "
			"atomic.lock_bits.t_base_cycles,atomic.lock_bits.t_position_cycles");
	if (!options->output)
		return usage(error, "no output for the config; allowed: -o FILE");
	if (!options->files)
		return usage(error, "no file of measurements");
	if (is_same_file(options->config, options->output))
		return usage(error,
			     "the fitted config extends the first, so it must be another "
			     "file");
	return cli_choice("format", options->format, cli_text_or_json, N_TEXT_OR_JSON, NULL,
			  error) &&
	       cli_check_output(options->output, &fitted_kind, NULL, options->files, error);
}

/* How many evaluations there will be is not known. */
static gboolean progress(gpointer data, guint n_evaluations)
{
	(void)data;
	return cli_progress("evaluations", n_evaluations, G_MAXUINT);
}

static gboolean write_config(const Options *options, const Calibration *calibration,
			     GError **error)
{
	g_autofree char *extends = extends_of(options->config, options->output);
	g_autofree char *date = today();
	const CalibrationOrigin origin = {.extends = extends,
					  .date = date,
					  .settings = (const char *const *)options->settings,
					  .files = (const char *const *)options->files};
	g_autofree char *text = calibration_config(calibration, &origin, error);

	return text &&
	       cli_write_output(options->output, &fitted_kind, text, strlen(text), error);
}

static gboolean calibrate_and_report(const Options *options, GError **error)
{
	g_auto(GStrv) paths = g_strsplit(options->fit, ",", -1);
	g_autoptr(Config) config =
		config_load(options->config, (const char *const *)options->settings, error);
	g_autoptr(Calibration) calibration = NULL;
	g_autofree char *text = NULL;

	if (!config)
		return FALSE;
	calibration = calibrate(config, (const char *const *)paths,
				(const char *const *)options->files, progress, NULL, error);
	cli_progress("evaluations", 1, 1);
	if (!calibration || !write_config(options, calibration, error))
		return FALSE;
	text = g_strcmp0(options->format, "json") == 0 ? calibrate_json(calibration)
						       : calibrate_text(calibration);
	return cli_write_output(NULL, NULL, text, strlen(text), error);
}

/* What the user gave. */
static Options given;

static const GOptionEntry entries[] = {
	{"config", 0, 0, G_OPTION_ARG_FILENAME, &given.config,
	 "Initial machine: a path, or the name of an installed config", "CONFIG"},
	{"fit", 0, 0, G_OPTION_ARG_STRING, &given.fit, "Fit these integer keys",
	 "KEY[,KEY]..."},
	{"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.settings,
	 "Change a key before the fit; may be repeated", "KEY=VALUE"},
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output,
	 "Write the fitted config to FILE", "FILE"},
	OPTION_FORMAT(&given.format, "Report as text (default) or json"),
	OPTION_OPERANDS(&given.files),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	if (!check_usage(&given, error) || !calibrate_and_report(&given, error))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_calibrate = {
	.name = "calibrate",
	.synopsis = "[OPTION]... --config CONFIG --fit KEY[,KEY]... -o FILE FILE.csv...",
	.summary = "Fit keys of a config to measurements",
	.examples = "atomsim calibrate --config fermi --fit atomic.lock_bits.t_base_cycles "
		    "\\\n    -o fitted.json measurements/gtx580/published.csv\n"
		    "atomsim calibrate --config fermi --fit atomic.lock_bits.t_position_cycles "
		    "\\\n    --format json -o position.json measurements/gtx580/published.csv",
	.options = entries,
	.run = run,
};
