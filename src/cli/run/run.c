/* SPDX-License-Identifier: MIT */
/* atomsim run: the main job. Config and trace in, replay, report out. */
#include "cli/run/run.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/columns.h"
#include "cli/option.h"
#include "report/gnuplot.h"
#include "report/report.h"
#include "report/sequence.h"

static gboolean check_plot(const RunOptions *options, GError **error)
{
	if (!gnuplot_has_format(options->plot))
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--plot %s: allowed: " GNUPLOT_FORMATS, options->plot);
	if (options->traces[1] != NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--plot draws one trace; several are given");
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

/* What an estimate has none of, by option. */
static const char *not_estimated(const RunOptions *options)
{
	if (options->watch.timeline != NULL)
		return "--timeline: blocks that are not simulated have no instructions to show";
	if (options->watch.page != NULL)
		return "--report: a page is of a whole launch";
	if (options->utilization_wanted == WANTED_YES)
		return "--utilization=yes: it is known of whole launches only";
	if (options->plot != NULL)
		return "--plot: states and conflicts are counted in whole launches only";
	if (options->changes != NULL)
		return "--what-if: two estimates would have to be compared";
	if (options->causes_wanted == WANTED_YES)
		return "--causes=yes: each would be an estimate of its own";
	if (options->sequence)
		return "--sequence: an interval of the sum is not known";
	return NULL;
}

#define MOST_WITHIN 50 /* per cent */

static gboolean check_within(RunOptions *options, GError **error)
{
	const char *text = options->within_text, *problem = not_estimated(options);
	char *end = NULL;
	double percent;

	options->not_estimated = problem;
	if (text == NULL)
		return TRUE;
	percent = g_ascii_strtod(text, &end);
	if (end == text || (*end != '\0' && strcmp(end, "%") != 0) || !(percent >= 0.1) ||
	    percent > MOST_WITHIN)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
				    "--within %s: allowed: 0.1%% to %d%%", text, MOST_WITHIN);
	if (problem != NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "--within does not go with %s",
				    problem);
	options->within = percent / 100;
	options->causes_wanted = WANTED_NO;
	options->no_baseline = TRUE;
	return TRUE;
}

static gboolean check_options(RunOptions *options, GError **error)
{
	const char *problem = NULL;

	if (options->config == NULL)
		problem = "no --config; for example: --config fermi.json";
	else if (options->traces == NULL)
		problem =
			"no trace; allowed: a file, or a name that 'atomsim list traces' shows";
	if (problem != NULL)
		return atomsim_fail(error, ATOMSIM_ERROR_USAGE, "%s", problem);
	return cli_check_numbers(options->seed, options->jobs, error) &&
	       find_format(options->format, &options->writer, error) &&
	       find_when("causes", options->causes, &options->causes_wanted, error) &&
	       find_when("utilization", options->utilization, &options->utilization_wanted,
			 error) &&
	       find_when("advice", options->watch.advice, &options->watch.advice_wanted,
			 error) &&
	       check_within(options, error) &&
	       watch_check(&options->watch, g_strv_length(options->traces), error) &&
	       (options->plot == NULL || check_plot(options, error));
}

static gboolean check_columns(RunOptions *options, GError **error)
{
	g_autofree char *all =
		options->sequence ? g_strdup(SEQUENCE_COLUMNS) : report_csv_columns();

	return cli_columns(options->columns_text,
			   report_formats[options->writer] == &report_csv, all, options->output,
			   &options->columns, error);
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

/* What the user gave. */
static RunOptions given;

static const GOptionEntry entries[] = {
	OPTION_CONFIG(&given.config),
	OPTION_SET(&given.settings),
	OPTION_FORMAT(&given.format, "text (default), json or csv"),
	OPTION_COLUMNS(&given.columns_text),
	OPTION_OUTPUT(&given.output),
	{"plot", 0, 0, G_OPTION_ARG_FILENAME, &given.plot,
	 "Draw cycles and conflicts (needs gnuplot); FILE.gp and FILE.csv are kept",
	 "FILE.svg"},
	{"what-if", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.changes,
	 "Simulate a change of the program, as in --what-if replicate=4,pad=1; may be "
	 "repeated (docs/guide/what-if.md)",
	 "CHANGE"},
	{"report", 0, 0, G_OPTION_ARG_FILENAME, &given.watch.page,
	 "Write the report as one self-contained HTML page", "FILE.html"},
	{"advice", 0, 0, G_OPTION_ARG_STRING, &given.watch.advice,
	 "Include advice in the HTML page: yes, no or auto (default: if the changes "
	 "execute up to 8 million warp instructions)",
	 "WHEN"},
	{"timeline", 0, 0, G_OPTION_ARG_FILENAME, &given.watch.timeline,
	 "Write each instruction to FILE.json (Perfetto) or FILE.kanata (Konata)", "FILE"},
	{"timeline-window", 0, 0, G_OPTION_ARG_STRING, &given.watch.window,
	 "Window of the timeline: cycles=A..B,blocks=A..B, sms=A..B,events=N (default: "
	 "the first 200000 events)",
	 "WINDOW"},
	{"no-baseline", 0, 0, G_OPTION_ARG_NONE, &given.no_baseline,
	 "Skip the run without contention", NULL},
	{"utilization", 0, 0, G_OPTION_ARG_STRING, &given.utilization,
	 "Report utilization of the units, over the run and in the busiest 1 % of the "
	 "time: yes, no or auto (default: of launches that are simulated whole)",
	 "WHEN"},
	{"causes", 0, 0, G_OPTION_ARG_STRING, &given.causes,
	 "Report causes, by runs with one part ideal at a time: yes, no or auto "
	 "(default: up to 8 million warp instructions, not for csv)",
	 "WHEN"},
	{"within", 0, 0, G_OPTION_ARG_STRING, &given.within_text,
	 "Estimate the cycles to PERCENT, with 95 % confidence, from a part of the "
	 "blocks (docs/guide/within.md)",
	 "PERCENT"},
	{"all-sms", 0, 0, G_OPTION_ARG_NONE, &given.all_sms,
	 "Simulate every SM instead of reusing identical ones (slower, same result)", NULL},
	{"sequence", 0, 0, G_OPTION_ARG_NONE, &given.sequence,
	 "Treat traces as consecutive launches; add totals, with launch_ns for each", NULL},
	OPTION_SEED(&given.seed),
	OPTION_JOBS(&given.jobs),
	{"reproducible", 0, 0, G_OPTION_ARG_NONE, &given.reproducible,
	 "Leave out wall time and throughput: equal runs give equal bytes", NULL},
	{"help-config", 0, 0, G_OPTION_ARG_NONE, &given.help_config,
	 "Show the keys of a config with unit, range, default and source", NULL},
	OPTION_OPERANDS(&given.traces),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	g_autoptr(Config) plain = NULL;
	g_autoptr(Config) config = NULL;
	g_autoptr(Config) shipped = NULL;

	if (given.help_config) {
		config_print_help(stdout);
		return CLI_GOOD;
	}
	if (!check_options(&given, error) || !check_columns(&given, error) ||
	    !cli_check_output(given.output, &run_report_kind, given.config, given.traces,
			      error) ||
	    (given.plot != NULL && !gnuplot_check(given.plot, error)))
		return CLI_FAILED;
	leave_out_causes(&given);
	plain = config_load(given.config, (const char *const *)given.settings, error);
	if (plain == NULL || !read_changes(&given, error))
		return CLI_FAILED;
	config = given.what_if ? replay_config(plain, given.what_if, error)
			       : config_with(plain, NULL, error);
	if (given.settings != NULL)
		shipped = config_load(given.config, NULL, NULL);
	if (config == NULL || !run_traces(&(RunConfigs){config, plain, shipped}, &given, error))
		return CLI_FAILED;
	return CLI_GOOD;
}

const Command command_run = {
	.name = "run",
	.synopsis = "[OPTION]... --config CONFIG TRACE...",
	.summary = "Simulate traces on a machine and report their cost",
	.has_colors = TRUE,
	.examples = "atomsim --config h200 weighted\n"
		    "atomsim --config h200 --report report.html weighted",
	.options = entries,
	.run = run,
};
