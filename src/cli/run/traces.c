/* SPDX-License-Identifier: MIT */
/* The traces of `atomsim run`, one after the other, and what is written of them. */
#include "cli/run/run.h"

#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/columns.h"
#include "report/report.h"
#include "report/sequence.h"
#include "trace/reader.h"

/* One trace and what its replay gave. */
typedef struct {
	TraceReader *reader;
	RunAnswer answer;
	Watch watch;
} Run;

const OutputKind run_report_kind = {"a report",
				    {" simulated ", "\"warp_instructions\"", "trace.sha256"}};

static void run_free(gpointer data)
{
	Run *run = data;

	run_answer_clear(&run->answer);
	g_clear_pointer(&run->reader, trace_close);
	watch_clear(&run->watch);
	g_free(run);
}

static RunRequest request_of(Run *run, const RunConfigs *configs, const RunOptions *options)
{
	return (RunRequest){
		.config = configs->config,
		.plain = configs->plain,
		.config_name = options->config,
		.reader = run->reader,
		.what_if = options->what_if,
		.seed = (uint64_t)options->seed,
		.n_threads = cli_jobs(options->jobs),
		.all_sms = options->all_sms,
		.baseline = !options->no_baseline,
		.no_utilization = options->utilization_wanted == WANTED_NO,
		.causes = (Wanted)options->causes_wanted,
		.within = options->within,
		.observer = watch_observer(&run->watch),
		.progress = cli_on_blocks,
	};
}

/* What the user asked for and did not get. */
static void talk_idle(const RunRequest *request, const RunAnswer *answer,
		      const RunConfigs *configs, const RunOptions *options)
{
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);

	run_notes(request, answer, (const char *const *)options->settings, configs->shipped,
		  notes);
	for (guint i = 0; i < notes->len; i++)
		g_printerr("atomsim: %s\n", (const char *)notes->pdata[i]);
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
		g_array_append_val(written->reports, *run->answer.report);
	if (!options->sequence) {
		report_formats[options->writer]->append(text, run->answer.report,
							!written->begun);
		written->begun = TRUE;
		csv_columns_take(options->columns, text);
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
		g_autofree char *text = cli_columns_of(
			options->columns, report_sequence(report_formats[options->writer],
							  first, written->reports->len));

		if (!written_text(written, text, error))
			return FALSE;
	}
	if (written->output != NULL && !output_commit(g_steal_pointer(&written->output), error))
		return FALSE;
	return !all || options->plot == NULL || report_plot(first, options->plot, error);
}

/* What is asked for can be had of a sample of a launch's blocks. */
static gboolean check_sample(TraceReader *reader, const RunOptions *options, GError **error)
{
	const char *problem = options->not_estimated;
	g_auto(TraceSample) sample = {0};

	if (problem == NULL)
		return TRUE;
	if (!trace_sample(reader, &sample, error))
		return FALSE;
	if (sample.blocks == 0)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			    "%s: a sample of a launch does not go with %s", trace_path(reader),
			    problem);
}

/* One trace, from opening it to what is written of it. */
static gboolean run_and_write(const char *path, const RunConfigs *configs, Written *written,
			      GError **interruption, GError **error)
{
	const RunOptions *options = written->options;
	Run *run = run_new(path, options, error);
	RunRequest request;

	if (run == NULL)
		return FALSE;
	g_ptr_array_add(written->runs, run);
	if (!check_sample(run->reader, options, error))
		return FALSE;
	if (!watch_begin(&run->watch, &options->watch, config_machine(configs->config),
			 run->reader, error))
		return FALSE;
	request = request_of(run, configs, options);
	if (!run_answer(&request, &run->answer, interruption, error))
		return FALSE;
	/* The report holds without it, so this is talk and no failure. */
	if (run->answer.result.baseline_error != NULL && *interruption == NULL)
		cli_fail(run->answer.result.baseline_error);
	run->answer.report->wall_s = options->reproducible ? -1.0 : run->answer.result.wall_s;
	if (!watch_end(&run->watch, &options->watch, &request, &run->answer, error))
		return FALSE;
	if (!options->reproducible)
		run_report_performance(&run->answer.result, run->answer.report->trace_name);
	talk_idle(&request, &run->answer, configs, options);
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
