/* SPDX-License-Identifier: MIT */
/* atomsim advise: what to change so that a trace costs less. */
#include <string.h>

#include "answer/advice.h"
#include "answer/run.h"
#include "base/error.h"
#include "cli/advise.h"
#include "cli/cli.h"
#include "cli/option.h"
#include "report/report.h"

typedef struct {
	char *config, *format, *output;
	char **settings, **traces;
	gint64 seed;
	int jobs;
} AdviseOptions;

static const OutputKind advice_kind = {"advice", {" simulated ", "\"contention_free_cycles\""}};

static gboolean check_usage(const AdviseOptions *options, GError **error)
{
	const char *problem = NULL;

	if (options->config == NULL)
		problem = "advise: no --config; for example: --config h200.json";
	else if (options->traces == NULL || options->traces[1] != NULL)
		problem = "advise: one trace is needed";
	if (problem)
		atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problem);
	return problem == NULL && cli_check_numbers(options->seed, options->jobs, error) &&
	       cli_choice("format", options->format, cli_text_or_json, N_TEXT_OR_JSON, NULL,
			  error);
}

/* What is noted of the settings. */
typedef struct {
	const char *const *settings;
	const char *trace;
	const Config *config,
		*shipped; /* with the settings and without; NULL: there are none */
	const KernelInfo *kernel;
	GPtrArray *notes;
} Seen;

static void on_unchanged(void *data, const SimResult *unchanged)
{
	const Seen *seen = data;
	const KeyRun had = key_run(config_machine(seen->config), seen->kernel, unchanged);

	settings_notes(seen->settings, seen->trace, &had,
		       seen->shipped ? config_machine(seen->shipped) : NULL, seen->notes);
}

static gboolean advise_on(const AdviseOptions *options, GError **error)
{
	g_autoptr(Config) config =
		config_load(options->config, (const char *const *)options->settings, error);
	g_autoptr(Config) shipped =
		options->settings && config ? config_load(options->config, NULL, NULL) : NULL;
	g_autoptr(TraceReader) reader = config ? trace_open(options->traces[0], error) : NULL;
	g_autofree char *name = g_path_get_basename(options->traces[0]);
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	g_auto(AdviceReport) report = {0};
	g_autofree char *text = NULL;
	Seen seen = {
		(const char *const *)options->settings, name, config, shipped, NULL, notes};
	AdviceRequest request = {.config = config,
				 .reader = reader,
				 .seed = (guint64)options->seed,
				 .n_threads = cli_jobs(options->jobs),
				 .seen = on_unchanged,
				 .seen_data = &seen,
				 .progress = cli_on_blocks};

	if (reader == NULL)
		return FALSE;
	seen.kernel = &trace_source(reader)->kernel;
	trace_keep_decoded(reader, 1u << 28);
	if (!advise(&request, &report, error))
		return FALSE;
	if (cli_interrupted())
		return atomsim_fail(error, ATOMSIM_ERROR_RUN, "advise: interrupted");
	advice_judge(&report, config, reader);
	text = g_strcmp0(options->format, "json") == 0
		       ? report_json_take(advice_object(&report, name, config))
		       : advice_to_text(&report, name, config);
	if (!cli_write_output(options->output, &advice_kind, text, strlen(text), error))
		return FALSE;
	for (guint i = 0; i < notes->len; i++)
		g_printerr("atomsim: %s\n", (const char *)notes->pdata[i]);
	return TRUE;
}

/* What the user gave. */
static AdviseOptions given;

static const GOptionEntry entries[] = {
	OPTION_CONFIG(&given.config),
	OPTION_SET(&given.settings),
	OPTION_FORMAT(&given.format, "text (default) or json"),
	OPTION_OUTPUT(&given.output),
	OPTION_SEED(&given.seed),
	OPTION_JOBS(&given.jobs),
	OPTION_OPERANDS(&given.traces),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	if (!check_usage(&given, error) ||
	    !cli_check_output(given.output, &advice_kind, given.config, given.traces, error) ||
	    !advise_on(&given, error))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_advise = {
	.name = "advise",
	.synopsis = "[OPTION]... --config CONFIG TRACE",
	.summary = "Recommend changes of a program, ranked by simulated gain",
	.has_colors = TRUE,
	.examples = "atomsim advise --config h200 weighted\n"
		    "atomsim advise --config fermi --format json transpose",
	.options = entries,
	.run = run,
};
