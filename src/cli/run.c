/* SPDX-License-Identifier: MIT */
/* atomsim run: the main job. Config and trace in, replay, report out. */
#include "cli/cli.h"
#include "cli/option.h"
#include "cli/watch.h"

#include <sys/resource.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "base/error.h"
#include "replay/replay.h"
#include "replay/what-if.h"
#include "report/fields.h"
#include "report/gnuplot.h"
#include "report/report.h"
#include "trace/reader.h"

typedef struct {
	char *config, *format, *output, *plot;
	char **settings, **traces, **changes;
	guint writer;	 /* of report_formats: what --format says */
	WhatIf *what_if; /* NULL: none is asked for */
	WatchOptions watch;
	gint64 seed;
	int jobs;
	gboolean reproducible, no_baseline, help_config, help_json;
} RunOptions;

/* One trace and what its replay gave; a RunReport points into it. */
typedef struct {
	TraceReader *reader;
	RunReport *report;
	ReplayResult result;
	ChangedSource changed;	/* by the what-ifs */
	ReplayResult unchanged; /* without them */
	Watch watch;
} Run;

static const OutputKind report_kind = {
	"a report", {" simulated ", "\"warp_instructions\"", "trace.sha256"}};

static void options_clear(RunOptions *options)
{
	g_free(options->config);
	g_free(options->format);
	g_free(options->output);
	g_free(options->plot);
	g_strfreev(options->settings);
	g_strfreev(options->traces);
	g_strfreev(options->changes);
	g_clear_pointer(&options->what_if, what_if_free);
	watch_options_clear(&options->watch);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunOptions, options_clear)

static void run_free(gpointer data)
{
	Run *run = data;

	report_free(run->report);
	g_clear_pointer(&run->reader, trace_close);
	replay_result_clear(&run->result);
	replay_result_clear(&run->unchanged);
	changed_source_clear(&run->changed);
	watch_clear(&run->watch);
	g_free(run);
}

/* --- Options --- */

static gboolean check_plot(const RunOptions *options, GError **error)
{
	static const char *const suffixes[] = {"", ".gp", ".csv"};

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
	for (guint i = 0; options->output != NULL && i < G_N_ELEMENTS(suffixes); i++) {
		g_autofree char *file = i == 0 ? g_strdup(options->plot)
					       : gnuplot_sibling(options->plot, suffixes[i]);

		if (strcmp(file, options->output) != 0)
			continue;
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--output %s: --plot writes that file", file);
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

static gboolean check_options(RunOptions *options, GError **error)
{
	const char *problem = NULL;

	if (options->config == NULL)
		problem = "no --config; for example: --config fermi.json";
	else if (options->traces == NULL)
		problem = "no trace; make one with 'atomsim gen' or 'atomsim capture'";
	if (problem != NULL) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE, problem);
		return FALSE;
	}
	return cli_check_numbers(options->seed, options->jobs, error) &&
	       find_format(options->format, &options->writer, error) &&
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

/* --- Replay --- */

static bool on_progress(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	(void)data;
	return cli_progress("blocks", blocks_done, n_blocks);
}

/* The trace as it is on the machine as it is, to compare with. */
static gboolean run_unchanged(Run *run, const Machine *machine, const RunOptions *options,
			      GError **error)
{
	const Replay replay = {
		.machine = machine,
		.reader = run->reader,
		.seed = (uint64_t)options->seed,
		.n_threads = cli_jobs(options->jobs),
		.progress = on_progress,
	};

	return replay_run(&replay, &run->unchanged, error) &&
	       replay_change(run->reader, options->what_if, &run->changed, error);
}

/* What is left of a replay that did not end well: nothing, or the report of its part. */
static gboolean check_end(const ReplayResult *result, GError *why, GError **interruption,
			  GError **error)
{
	if (result->run.status == SIM_INTERRUPTED)
		g_propagate_error(interruption, why);
	else if (why != NULL)
		g_propagate_error(error, why);
	else if (result->baseline.status == SIM_INTERRUPTED)
		g_propagate_error(interruption, g_error_copy(result->baseline_error));
	/* The report holds without it, so this is talk and no failure. */
	else if (result->baseline_error != NULL)
		cli_fail(result->baseline_error);
	return why == NULL || replay_interrupted(result);
}

/* Fails for whatever leaves no report. An interrupted run leaves the report of its part. */
static gboolean run_trace(Run *run, const Config *config, const RunOptions *options,
			  GError **interruption, GError **error)
{
	const Replay replay = {
		.machine = config_machine(config),
		.reader = run->reader,
		.source = run->changed.source,
		.seed = (uint64_t)options->seed,
		.n_threads = cli_jobs(options->jobs),
		.baseline = !options->no_baseline,
		.observer = watch_observer(&run->watch),
		.progress = on_progress,
	};
	GError *why = NULL;

	replay_run(&replay, &run->result, &why);
	if (!check_end(&run->result, why, interruption, error))
		return FALSE;
	run->report = report_new(config, options->config, &replay, &run->result, error);
	if (run->report == NULL)
		return FALSE;
	run->report->what_if = options->what_if;
	run->report->unchanged = options->what_if != NULL ? &run->unchanged.run : NULL;
	run->report->wall_s = options->reproducible ? -1.0 : run->result.wall_s;
	return TRUE;
}

static Run *run_new(const char *path, GError **error)
{
	TraceReader *reader = trace_open(path, error);
	Run *run = NULL;

	if (reader == NULL)
		return NULL;
	run = g_new0(Run, 1);
	run->reader = reader;
	return run;
}

/* --- Output --- */

/* Of this process so far. */
static long peak_memory_kib(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

static void talk_performance(const Run *run)
{
	const Statistics *statistics = &run->result.run.statistics;
	double wall_s = MAX(run->result.wall_s, 1e-6);

	g_printerr("atomsim: %s: %.3f s, %.1f million warp instructions a second, "
		   "%.2f million warp atomics a second, peak memory %ld KiB\n",
		   run->report->trace_name, run->result.wall_s,
		   statistics->warp_instructions / wall_s / 1e6,
		   statistics->atomics.warp_instructions / wall_s / 1e6, peak_memory_kib());
}

static gboolean write_reports(const GArray *reports, const RunOptions *options, GError **error)
{
	const RunReport *first = &g_array_index(reports, RunReport, 0);
	g_autofree char *text = report_formats[options->writer]->write(first, reports->len);

	return cli_write_output(options->output, &report_kind, text, strlen(text), error) &&
	       (options->plot == NULL || report_plot(first, options->plot, error));
}

/* Replays the traces one after the other, until one is interrupted, and reports on all. */
static gboolean run_traces(const Config *plain, const Config *config, const RunOptions *options,
			   GError **error)
{
	g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(run_free);
	g_autoptr(GArray) reports = g_array_new(FALSE, FALSE, sizeof(RunReport));
	g_autoptr(GError) interruption = NULL;
	gboolean good = TRUE;

	for (guint i = 0; good && !interruption && options->traces[i] != NULL; i++) {
		Run *run = run_new(options->traces[i], error);

		if (run == NULL)
			return FALSE;
		g_ptr_array_add(runs, run);
		good = (options->what_if == NULL ||
			run_unchanged(run, config_machine(plain), options, error)) &&
		       watch_begin(&run->watch, &options->watch, config_machine(config),
				   error) &&
		       run_trace(run, config, options, &interruption, error) &&
		       watch_end(&run->watch, &options->watch, run->report, run->reader, config,
				 error);
		if (good)
			g_array_append_val(reports, *run->report);
		if (good && !options->reproducible)
			talk_performance(run);
	}
	good = good && write_reports(reports, options, error);
	if (!good || interruption == NULL)
		return good;
	g_propagate_error(error, g_steal_pointer(&interruption));
	return FALSE;
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
		{"timeline", 0, 0, G_OPTION_ARG_FILENAME, &options.watch.timeline,
		 "Write each instruction to FILE.json (for Perfetto) or FILE.kanata (for "
		 "Konata)",
		 "FILE"},
		{"timeline-window", 0, 0, G_OPTION_ARG_STRING, &options.watch.window,
		 "Which: cycles=A..B,blocks=A..B,sms=A..B,events=N (default: the first 200000)",
		 "WINDOW"},
		{"no-baseline", 0, 0, G_OPTION_ARG_NONE, &options.no_baseline,
		 "Do not also simulate the trace without contention", NULL},
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
	    !cli_check_output(options.output, &report_kind, options.config, options.traces,
			      &error) ||
	    (options.plot != NULL && !gnuplot_check(options.plot, &error)))
		return cli_fail(error);
	plain = config_load(options.config, (const char *const *)options.settings, &error);
	if (plain == NULL || !read_changes(&options, &error))
		return cli_fail(error);
	config = options.what_if ? replay_config(plain, options.what_if, &error)
				 : config_with(plain, NULL, &error);
	if (config == NULL || !run_traces(plain, config, &options, &error))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_run = {
	.name = "run",
	.synopsis = "[OPTION]... --config CONFIG TRACE...",
	.summary = "Replay traces on a machine and report what they cost",
	.run = run,
};
