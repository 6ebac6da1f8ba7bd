/* SPDX-License-Identifier: MIT */
/* atomsim run: the main job. Config and trace in, replay, report out. */
#include "cli/cli.h"

#include <sys/resource.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "base/error.h"
#include "model/mechanism.h"
#include "report/report.h"
#include "trace/reader.h"

typedef struct {
	char *config, *format, *output, *plot;
	char **settings, **traces;
	gint64 seed;
	int jobs;
	gboolean reproducible, no_baseline, help_config;
} RunOptions;

/* One trace and what its replay gave; a RunReport points into it. */
typedef struct {
	TraceReader *reader;
	cJSON *metadata;
	char *name;
	double wall_s;
	gboolean has_baseline;
	SimResult result, baseline;
} Replay;

static void options_clear(RunOptions *options)
{
	g_free(options->config);
	g_free(options->format);
	g_free(options->output);
	g_free(options->plot);
	g_strfreev(options->settings);
	g_strfreev(options->traces);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunOptions, options_clear)

static void replay_free(gpointer data)
{
	Replay *replay = data;

	g_clear_pointer(&replay->reader, trace_close);
	cJSON_Delete(replay->metadata);
	g_free(replay->name);
	g_free(replay);
}

/* --- Options --- */

static gboolean check_plot(const RunOptions *options, GError **error)
{
	static const char *const suffixes[] = {".svg", ".gp", ".csv"};

	if (!g_str_has_suffix(options->plot, ".svg")) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--plot %s: allowed: a file name that ends in .svg", options->plot);
		return FALSE;
	}
	if (options->traces[1] != NULL) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
				    "--plot draws one trace; several are given");
		return FALSE;
	}
	for (guint i = 0; options->output != NULL && i < G_N_ELEMENTS(suffixes); i++) {
		g_autofree char *file = report_plot_sibling(options->plot, suffixes[i]);

		if (strcmp(file, options->output) != 0)
			continue;
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--output %s: --plot writes that file", file);
		return FALSE;
	}
	return TRUE;
}

static gboolean check_options(const RunOptions *options, GError **error)
{
	const char *problem = NULL;

	if (options->config == NULL)
		problem = "no --config; for example: --config fermi.json";
	else if (options->traces == NULL)
		problem = "no trace; make one with 'atomsim gen' or 'atomsim capture'";
	else if (options->seed < 0)
		problem = "--seed must not be negative";
	else if (options->jobs < 0)
		problem = "--jobs must not be negative; 0 is one for each processor";
	if (problem != NULL) {
		g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE, problem);
		return FALSE;
	}
	if (options->format != NULL && report_format_find(options->format) == NULL) {
		g_autofree char *names = report_format_names();

		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--format %s; allowed: %s", options->format, names);
		return FALSE;
	}
	return options->plot == NULL || check_plot(options, error);
}

/* --- Replay --- */

static bool on_progress(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	(void)data;
	return cli_progress("blocks", blocks_done, n_blocks);
}

/*
 * The same trace on a machine where no atomic waits for another and no access for a bank: what is
 * left is the cost of the program without contention.
 */
static SimStatus run_baseline(Replay *replay, const SimRequest *request)
{
	Machine machine = *request->machine;
	SimRequest free_request = *request;
	SimStatus status;

	if (machine.atomic.mechanism->uncontended)
		machine.atomic.mechanism = machine.atomic.mechanism->uncontended;
	if (machine.atomic.mechanism_f32 && machine.atomic.mechanism_f32->uncontended)
		machine.atomic.mechanism_f32 = machine.atomic.mechanism_f32->uncontended;
	if (machine.atomic.mechanism_64bit && machine.atomic.mechanism_64bit->uncontended)
		machine.atomic.mechanism_64bit = machine.atomic.mechanism_64bit->uncontended;
	machine.shared.conflict_free = 1;
	free_request.machine = &machine;
	status = sim_run(&free_request, &replay->baseline);
	replay->has_baseline = status == SIM_OK;
	return status;
}

/* Why a report has no figure without contention. */
static void set_baseline_failure(const Replay *replay, const Machine *machine, GError **error)
{
	g_autofree char *place =
		g_strdup_printf("%s: no figure without contention", trace_path(replay->reader));

	report_set_failure(place, machine, &replay->baseline, error);
}

/* Fails for whatever leaves no report. An interrupted run leaves the report of its part. */
static gboolean run_replay(Replay *replay, const Machine *machine, const RunOptions *options,
			   GError **error)
{
	SimRequest request = {
		.machine = machine,
		.source = trace_source(replay->reader),
		.seed = (uint64_t)options->seed,
		.n_threads = cli_jobs(options->jobs),
		.n_sites = trace_n_sites(replay->reader),
		.progress = on_progress,
	};
	gint64 start_us = g_get_monotonic_time();
	SimStatus status = sim_run(&request, &replay->result);

	replay->wall_s = (double)(g_get_monotonic_time() - start_us) / 1e6;
	if (status == SIM_SOURCE_FAILED && trace_failure(replay->reader) != NULL) {
		g_propagate_error(error, g_error_copy(trace_failure(replay->reader)));
		return FALSE;
	}
	if (status != SIM_OK && status != SIM_INTERRUPTED) {
		report_set_failure(trace_path(replay->reader), machine, &replay->result, error);
		return FALSE;
	}
	if (status == SIM_OK && !options->no_baseline) {
		g_autoptr(GError) why = NULL;

		status = run_baseline(replay, &request);
		/* The report holds without it, so this is talk and no failure. */
		if (status != SIM_OK && status != SIM_INTERRUPTED) {
			set_baseline_failure(replay, machine, &why);
			cli_fail(why);
		}
	}
	return TRUE;
}

static Replay *replay_new(const char *path, GError **error)
{
	g_autoptr(TraceReader) reader = trace_open(path, error);
	Replay *replay = NULL;

	if (reader == NULL)
		return NULL;
	replay = g_new0(Replay, 1);
	replay->name = g_path_get_basename(path);
	replay->metadata = cJSON_Parse(trace_metadata(reader));
	replay->reader = g_steal_pointer(&reader);
	return replay;
}

/* --- Output --- */

/* Of this process so far. */
static long peak_memory_kib(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

static void talk_performance(const Replay *replay)
{
	const Statistics *statistics = &replay->result.statistics;
	double wall_s = MAX(replay->wall_s, 1e-6);

	g_printerr("atomsim: %s: %.3f s, %.1f million warp instructions a second, "
		   "%.2f million warp atomics a second, peak memory %ld KiB\n",
		   replay->name, replay->wall_s, statistics->warp_instructions / wall_s / 1e6,
		   statistics->atomics.warp_instructions / wall_s / 1e6, peak_memory_kib());
}

static gboolean fill_report(RunReport *report, Replay *replay, const RunOptions *options,
			    GError **error)
{
	report->trace_name = replay->name;
	report->trace_sha256 = trace_sha256(replay->reader, error);
	report->metadata = replay->metadata;
	report->trace_blocks = trace_source(replay->reader)->n_blocks;
	report->result = &replay->result;
	report->baseline = replay->has_baseline ? &replay->baseline : NULL;
	report->wall_s = options->reproducible ? -1.0 : replay->wall_s;
	return report->trace_sha256 != NULL;
}

static gboolean write_reports(const GArray *reports, const RunOptions *options, GError **error)
{
	const ReportFormat *format = report_formats[0];
	const RunReport *first = &g_array_index(reports, RunReport, 0);
	g_autofree char *text = NULL;

	if (options->format != NULL)
		format = report_format_find(options->format);
	text = format->write(first, reports->len);
	return cli_write_output(options->output, text, strlen(text), error) &&
	       (options->plot == NULL || report_plot(first, options->plot, error));
}

/* Replays the traces one after the other and reports on all. */
static gboolean run_traces(const Config *config, const RunOptions *options, GError **error)
{
	g_autoptr(GPtrArray) replays = g_ptr_array_new_with_free_func(replay_free);
	g_autoptr(GArray) reports = g_array_new(FALSE, FALSE, sizeof(RunReport));
	g_auto(GStrv) assumptions = config_assumptions(config);
	g_autofree char *config_name = g_path_get_basename(options->config);
	cJSON *config_json = config_to_cjson(config);
	gboolean good = TRUE, interrupted = FALSE;

	for (guint i = 0; good && !interrupted && options->traces[i] != NULL; i++) {
		Replay *replay = replay_new(options->traces[i], error);
		RunReport report = {
			.version = PACKAGE_VERSION,
			.config_name = config_name,
			.machine = config_machine(config),
			.config = config_json,
			.assumptions = (const char *const *)assumptions,
			.seed = (uint64_t)options->seed,
			.threads = cli_jobs(options->jobs),
		};

		good = replay != NULL;
		if (!good)
			break;
		g_ptr_array_add(replays, replay);
		good = run_replay(replay, report.machine, options, error) &&
		       fill_report(&report, replay, options, error);
		g_array_append_val(reports, report);
		interrupted = replay->result.status == SIM_INTERRUPTED ||
			      replay->baseline.status == SIM_INTERRUPTED;
		if (good && !options->reproducible)
			talk_performance(replay);
	}
	good = good && write_reports(reports, options, error);
	cJSON_Delete(config_json);
	if (good && interrupted) {
		Replay *last = g_ptr_array_index(replays, replays->len - 1);

		if (last->baseline.status == SIM_INTERRUPTED)
			set_baseline_failure(last, config_machine(config), error);
		else
			report_set_failure(trace_path(last->reader), config_machine(config),
					   &last->result, error);
		return FALSE;
	}
	return good;
}

static CliStatus run(int argc, char **argv)
{
	g_auto(RunOptions) options = {0};
	const GOptionEntry entries[] = {
		{"config", 0, 0, G_OPTION_ARG_FILENAME, &options.config,
		 "The machine: a path, or the name of an installed config (fermi.json)",
		 "CONFIG"},
		{"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.settings,
		 "Change a key of the config, as in --set atomic.locks=2048; may be repeated",
		 "KEY=VALUE"},
		{"format", 0, 0, G_OPTION_ARG_STRING, &options.format,
		 "text (default), json or csv", "FORMAT"},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
		 "Write the report to FILE instead of standard output", "FILE"},
		{"plot", 0, 0, G_OPTION_ARG_FILENAME, &options.plot,
		 "Draw cycles and conflicts to FILE.svg (needs gnuplot); FILE.gp and FILE.csv "
		 "stay",
		 "FILE.svg"},
		{"no-baseline", 0, 0, G_OPTION_ARG_NONE, &options.no_baseline,
		 "Do not also simulate the trace without contention", NULL},
		{"seed", 0, 0, G_OPTION_ARG_INT64, &options.seed,
		 "Seed of the random winner rule (default 0)", "N"},
		{"jobs", 0, 0, G_OPTION_ARG_INT, &options.jobs,
		 "Threads; the result does not depend on them (default: one for each "
		 "processor)",
		 "N"},
		{"reproducible", 0, 0, G_OPTION_ARG_NONE, &options.reproducible,
		 "Leave out wall time and throughput, so that equal runs give equal bytes",
		 NULL},
		{"help-config", 0, 0, G_OPTION_ARG_NONE, &options.help_config,
		 "Show the keys of a config with unit, range, default and source", NULL},
		{G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.traces, NULL,
		 NULL},
		{NULL, 0, 0, 0, NULL, NULL, NULL},
	};
	g_autoptr(GOptionContext) context = cli_options(&command_run, entries);
	g_autoptr(GError) error = NULL;
	g_autoptr(Config) config = NULL;
	CliStatus status;

	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	if (options.help_config) {
		config_print_help(stdout);
		return CLI_GOOD;
	}
	if (!check_options(&options, &error) ||
	    !cli_check_output(options.output, options.config, options.traces, &error))
		return cli_fail(error);
	config = config_load(options.config, (const char *const *)options.settings, &error);
	if (config == NULL || !run_traces(config, &options, &error))
		return cli_fail(error);
	return CLI_GOOD;
}

const Command command_run = {
	.name = "run",
	.synopsis = "[OPTION]... --config CONFIG TRACE...",
	.summary = "Replay traces on a machine and report what they cost",
	.run = run,
};
