/* SPDX-License-Identifier: MIT */
/* atomsim run: the main job. Config and trace in, replay, report out. */
#include "cli/run/run.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/option.h"
#include "report/fields.h"
#include "report/gnuplot.h"
#include "report/report.h"

static void options_clear(RunOptions *options)
{
	g_free(options->config);
	g_free(options->format);
	g_free(options->output);
	g_free(options->plot);
	g_free(options->causes);
	g_strfreev(options->settings);
	g_strfreev(options->traces);
	g_strfreev(options->changes);
	g_clear_pointer(&options->what_if, what_if_free);
	watch_options_clear(&options->watch);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunOptions, options_clear)

static gboolean check_plot(const RunOptions *options, GError **error)
{
	if (!gnuplot_has_format(options->plot)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--plot %s: allowed: " GNUPLOT_FORMATS, options->plot);
		return FALSE;
	}
	if (options->traces[1] != NULL) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "--plot draws one trace; several are given");
		return FALSE;
	}
	return TRUE;
}

static gboolean find_format(const char *name, guint *place, GError **error)
{
	const char *names[N_REPORT_FORMATS];

	for (guint i = 0; i < N_REPORT_FORMATS; i++)
		names[i] = report_formats[i]->name;
	return cli_choice("format", name, names, N_REPORT_FORMATS, place, error);
}

/* A Wanted, whose values are in the order of the words. */
static gboolean find_when(const char *option, const char *word, guint *wanted, GError **error)
{
	static const char *const names[] = {"no", "auto", "yes"};

	*wanted = WANTED_AUTO;
	return word == NULL ||
	       cli_choice(option, word, names, G_N_ELEMENTS(names), wanted, error);
}

/* Where nobody says: CSV has no causes. */
static void leave_out_causes(RunOptions *options)
{
	if (options->causes == NULL && options->watch.page == NULL &&
	    report_formats[options->writer] == &report_csv)
		options->causes_wanted = WANTED_NO;
}

static gboolean check_options(RunOptions *options, GError **error)
{
	const char *problem = NULL;

	if (options->config == NULL)
		problem = "no --config; for example: --config fermi.json";
	else if (options->traces == NULL)
		problem =
			"no trace; allowed: a file, or a name that 'atomsim list traces' shows";
	if (problem != NULL) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE, problem);
		return FALSE;
	}
	return cli_check_numbers(options->seed, options->jobs, error) &&
	       find_format(options->format, &options->writer, error) &&
	       find_when("causes", options->causes, &options->causes_wanted, error) &&
	       find_when("advice", options->watch.advice, &options->watch.advice_wanted,
			 error) &&
	       watch_check(&options->watch, g_strv_length(options->traces), error) &&
	       (options->plot == NULL || check_plot(options, error));
}

static gboolean read_changes(RunOptions *options, GError **error)
{
	if (options->changes == NULL)
		return TRUE;
	options->what_if = what_if_new();
	for (guint i = 0; options->changes[i] != NULL; i++)
		if (!what_if_add(options->what_if, options->changes[i], error))
			return FALSE;
	return TRUE;
}

static CliStatus run(int argc, char **argv)
{
	g_auto(RunOptions) options = {0};
	const GOptionEntry entries[] = {
		OPTION_CONFIG(&options.config),
		OPTION_SET(&options.settings),
		OPTION_FORMAT(&options.format, "text (default), json or csv"),
		OPTION_OUTPUT(&options.output),
		{"plot", 0, 0, G_OPTION_ARG_FILENAME, &options.plot,
		 "Draw cycles and conflicts to FILE.svg (needs gnuplot); FILE.gp and FILE.csv "
		 "stay",
		 "FILE.svg"},
		{"what-if", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.changes,
		 "Change what the trace asks for, as in --what-if replicate=4,pad=1; may be "
		 "repeated (docs/what-if.md)",
		 "CHANGE"},
		{"report", 0, 0, G_OPTION_ARG_FILENAME, &options.watch.page,
		 "Write a page with pictures to FILE.html, which needs nothing else",
		 "FILE.html"},
		{"advice", 0, 0, G_OPTION_ARG_STRING, &options.watch.advice,
		 "What atomsim advise says, on that page: yes, no, or auto (default: where the "
		 "changes to try execute up to 8 million warp instructions)",
		 "WHEN"},
		{"timeline", 0, 0, G_OPTION_ARG_FILENAME, &options.watch.timeline,
		 "Write each instruction to FILE.json (for Perfetto) or FILE.kanata (for "
		 "Konata)",
		 "FILE"},
		{"timeline-window", 0, 0, G_OPTION_ARG_STRING, &options.watch.window,
		 "Which: cycles=A..B,blocks=A..B,sms=A..B,events=N (default: the first 200000)",
		 "WINDOW"},
		{"no-baseline", 0, 0, G_OPTION_ARG_NONE, &options.no_baseline,
		 "Do not also simulate the trace without contention", NULL},
		{"utilisation", 0, 0, G_OPTION_ARG_NONE, &options.watch.utilisation,
		 "Say how busy units were, over the run and in the busiest hundredth of the "
		 "time; on one thread",
		 NULL},
		{"causes", 0, 0, G_OPTION_ARG_STRING, &options.causes,
		 "Repeat the run with one thing ideal at a time, to say what each costs: yes, "
		 "no, or auto (default: runs of up to 8 million warp instructions, not for "
		 "csv)",
		 "WHEN"},
		{"all-sms", 0, 0, G_OPTION_ARG_NONE, &options.all_sms,
		 "Simulate each SM, also one that does what another does: the same report, "
		 "later",
		 NULL},
		{"sequence", 0, 0, G_OPTION_ARG_NONE, &options.sequence,
		 "The traces are launches one after the other: also their cycles and time in "
		 "all, with launch_ns for each",
		 NULL},
		OPTION_SEED(&options.seed),
		OPTION_JOBS(&options.jobs),
		{"reproducible", 0, 0, G_OPTION_ARG_NONE, &options.reproducible,
		 "Leave out wall time and throughput, so that equal runs give equal bytes",
		 NULL},
		{"help-config", 0, 0, G_OPTION_ARG_NONE, &options.help_config,
		 "Show the keys of a config with unit, range, default and source", NULL},
		{"help-json", 0, 0, G_OPTION_ARG_NONE, &options.help_json,
		 "Show the JSON Schema of --format json: every key with meaning, unit and law",
		 NULL},
		OPTION_OPERANDS(&options.traces),
		OPTION_END,
	};
	g_autoptr(GOptionContext) context = cli_options(&command_run, entries);
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) plain = NULL;
	g_autoptr(Config) config = NULL;
	g_autoptr(Config) shipped = NULL;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (options.help_config) {
		config_print_help(stdout);
		return CLI_GOOD;
	}
	if (options.help_json) {
		g_autofree char *schema = report_json_schema();

		fputs(schema, stdout);
		return CLI_GOOD;
	}
	if (!check_options(&options, &error) ||
	    !cli_check_output(options.output, &run_report_kind, options.config, options.traces,
			      &error) ||
	    (options.plot != NULL && !gnuplot_check(options.plot, &error)))
		return cli_fail(error);
	leave_out_causes(&options);
	plain = config_load(options.config, (const char *const *)options.settings, &error);
	if (plain == NULL || !read_changes(&options, &error))
		return cli_fail(error);
	config = options.what_if ? replay_config(plain, options.what_if, &error)
				 : config_with(plain, NULL, &error);
	if (options.settings != NULL)
		shipped = config_load(options.config, NULL, NULL);
	if (config == NULL ||
	    !run_traces(&(RunConfigs){config, plain, shipped}, &options, &error))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_run = {
	.name = "run",
	.synopsis = "[OPTION]... --config CONFIG TRACE...",
	.summary = "Replay traces on a machine and report what they cost",
	.run = run,
};
