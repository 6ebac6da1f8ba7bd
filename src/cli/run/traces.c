/* SPDX-License-Identifier: MIT */
/* The traces of `atomsim run`, one after the other, and what is written of them. */
#include "cli/run/run.h"

#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "report/report.h"
#include "report/sequence.h"
#include "trace/reader.h"

/* One trace and what its replay gave; a RunReport points into it. */
typedef struct {
	TraceReader *reader;
	RunReport *report;
	ReplayResult result;
	ChangedSource changed;	 /* by the what-ifs */
	ReplayResult *unchanged; /* without them; NULL: there are none */
	Watch watch;
} Run;

const OutputKind run_report_kind = {"a report",
				    {" simulated ", "\"warp_instructions\"", "trace.sha256"}};

static void run_free(gpointer data)
{
	Run *run = data;

	report_free(run->report);
	g_clear_pointer(&run->reader, trace_close);
	replay_result_clear(&run->result);
	if (run->unchanged != NULL)
		replay_result_clear(run->unchanged);
	g_free(run->unchanged);
	changed_source_clear(&run->changed);
	watch_clear(&run->watch);
	g_free(run);
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
		.all_sms = options->all_sms,
		.progress = cli_on_blocks,
	};

	run->unchanged = g_new0(ReplayResult, 1);
	return replay_run(&replay, run->unchanged, error) &&
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
	else if (result->causes_interrupted)
		g_set_error_literal(interruption, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN,
				    "interrupted in the search for causes");
	/* The report holds without it, so this is talk and no failure. */
	else if (result->baseline_error != NULL)
		cli_fail(result->baseline_error);
	return why == NULL || replay_interrupted(result);
}

#define LARGE_FILE_BYTES (UINT64_C(1) << 20)

static gpointer digest(gpointer reader)
{
	(void)trace_sha256(reader, NULL); /* who reports finds it there, or the same error */
	return NULL;
}

/* The report names the trace's checksum: of a large one it is made while several threads simulate. */
static void replay_and_digest(const Replay *replay, ReplayResult *result, GError **error)
{
	GThread *thread = NULL;

	if (replay->n_threads > 1 && trace_file_bytes(replay->reader) > LARGE_FILE_BYTES)
		thread = g_thread_try_new("digest", digest, replay->reader, NULL);
	replay_run(replay, result, error);
	if (thread)
		g_thread_join(thread);
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
		.all_sms = options->all_sms,
		.baseline = !options->no_baseline,
		.causes = (Wanted)options->causes_wanted,
		.sites = true,
		.observer = watch_observer(&run->watch),
		.progress = cli_on_blocks,
	};
	GError *why = NULL;

	replay_and_digest(&replay, &run->result, &why);
	if (!check_end(&run->result, why, interruption, error))
		return FALSE;
	run->report = report_new(config, options->config, &replay, &run->result, error);
	if (run->report == NULL)
		return FALSE;
	run->report->what_if = options->what_if;
	run->report->unchanged = run->unchanged != NULL ? &run->unchanged->run : NULL;
	run->report->wall_s = options->reproducible ? -1.0 : run->result.wall_s;
	return TRUE;
}

/* What the user asked for and did not get. */
static void talk_idle(const Run *run, const RunConfigs *configs, const RunOptions *options)
{
	const RecordSource *source =
		run->changed.source != NULL ? run->changed.source : trace_source(run->reader);
	KeyRun had;

	if (run->result.run.status != SIM_OK)
		return;
	had = key_run(run->report->machine, &source->kernel, &run->result.run);
	run_report_idle_settings((const char *const *)options->settings,
				 run->report->trace_name, &had,
				 configs->shipped ? config_machine(configs->shipped) : NULL);
	if (run->unchanged != NULL)
		run_report_idle_changes(options->what_if, run->report->trace_name, &had,
					&run->unchanged->run);
}

#define KEPT_BYTES (UINT64_C(1) << 24) /* of a trace that is run several times */

static Run *run_new(const char *path, const RunOptions *options, GError **error)
{
	TraceReader *reader = trace_open(path, error);
	Run *run = NULL;

	if (reader == NULL)
		return NULL;
	run = g_new0(Run, 1);
	run->reader = reader;
	if (options->causes_wanted != WANTED_NO)
		trace_keep_decoded(reader, KEPT_BYTES);
	return run;
}

/* --- Output --- */

/* What is written: each report as its run ends, and then nothing of it is kept, however many follow. Where the end is about
   all runs: their reports, which point into `runs`. */
typedef struct {
	const RunOptions *options;
	Output *output; /* from the first text on; NULL then too: it goes to stdout */
	gboolean begun;
	GPtrArray *runs;
	GArray *reports;
} Written;

static Written written_new(const RunOptions *options)
{
	return (Written){
		.options = options,
		.runs = g_ptr_array_new_with_free_func(run_free),
		.reports = g_array_new(FALSE, FALSE, sizeof(RunReport)),
	};
}

static void written_clear(Written *written)
{
	g_clear_pointer(&written->output, output_abandon);
	g_array_unref(written->reports);
	g_ptr_array_unref(written->runs);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Written, written_clear)

static gboolean written_text(Written *written, const char *text, GError **error)
{
	const char *path = written->options->output;

	if (cli_is_stdout(path))
		return cli_write_output(path, &run_report_kind, text, strlen(text), error);
	if (written->output == NULL)
		written->output = output_open(path, &run_report_kind, error);
	if (written->output == NULL)
		return FALSE;
	output_write(written->output, text, strlen(text));
	return TRUE;
}

static gboolean written_add(Written *written, const Run *run, GError **error)
{
	const RunOptions *options = written->options;
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean good = TRUE;

	if (options->sequence || options->plot != NULL)
		g_array_append_val(written->reports, *run->report);
	if (!options->sequence) {
		report_formats[options->writer]->append(text, run->report, !written->begun);
		written->begun = TRUE;
		good = written_text(written, text->str, error);
	}
	if (written->reports->len == 0)
		g_ptr_array_set_size(written->runs, 0);
	return good;
}

/* What is about all of them, if `all` are well, and the file's name. */
static gboolean written_end(Written *written, gboolean all, GError **error)
{
	const RunOptions *options = written->options;
	const RunReport *first = written->reports->len > 0
					 ? &g_array_index(written->reports, RunReport, 0)
					 : NULL; /* nobody asks for it */

	if (all && options->sequence) {
		g_autofree char *text = report_sequence(report_formats[options->writer], first,
							written->reports->len);

		if (!written_text(written, text, error))
			return FALSE;
	}
	if (written->output != NULL && !output_commit(g_steal_pointer(&written->output), error))
		return FALSE;
	return !all || options->plot == NULL || report_plot(first, options->plot, error);
}

/* One trace, from opening it to what is written of it. */
static gboolean run_and_write(const char *path, const RunConfigs *configs, Written *written,
			      GError **interruption, GError **error)
{
	const RunOptions *options = written->options;
	const Config *config = configs->config;
	Run *run = run_new(path, options, error);

	if (run == NULL)
		return FALSE;
	g_ptr_array_add(written->runs, run);
	if ((options->what_if != NULL &&
	     !run_unchanged(run, config_machine(configs->plain), options, error)) ||
	    !watch_begin(&run->watch, &options->watch, config_machine(config), run->reader,
			 error) ||
	    !run_trace(run, config, options, interruption, error) ||
	    !watch_end(&run->watch, &options->watch, run->report, &run->result, run->reader,
		       config, error))
		return FALSE;
	if (!options->reproducible)
		run_report_performance(&run->result, run->report->trace_name);
	talk_idle(run, configs, options);
	return written_add(written, run, error);
}

/* Replays the traces one after the other, until one fails or is interrupted. What was written of those before it stays. */
gboolean run_traces(const RunConfigs *configs, const RunOptions *options, GError **error)
{
	g_auto(Written) written = written_new(options);
	g_autoptr(GError) interruption = NULL;
	gboolean good = TRUE;

	for (guint i = 0; good && !interruption && options->traces[i] != NULL; i++)
		good = run_and_write(options->traces[i], configs, &written, &interruption,
				     error);
	good = written_end(&written, good, good ? error : NULL) && good;
	if (!good || interruption == NULL)
		return good;
	g_propagate_error(error, g_steal_pointer(&interruption));
	return FALSE;
}
