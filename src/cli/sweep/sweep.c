/* SPDX-License-Identifier: MIT */
/* atomsim sweep: many points on all processors, safe against whatever kills it. */
#include "cli/columns.h"
#include "cli/option.h"
#include "cli/sweep/sweep.h"

#include <string.h>

/* --- Running --- */

static gboolean on_progress(gpointer data, guint64 done, guint64 total)
{
	(void)data;
	return cli_progress("points", done, total);
}

static gboolean checks_later(const SweepOptions *options)
{
	return options->resume && options->output != NULL && options->emit == NULL;
}

static gboolean run_job(SweepJob *job, const char *path, const SweepOptions *options,
			guint *n_failed, GError **error)
{
	g_autoptr(SweepReasons) reasons = sweep_reasons_new(job->settings);
	const SweepHow how = {.n_threads = cli_jobs(options->jobs),
			      .resume = options->resume,
			      .progress = on_progress,
			      .seen = sweep_reasons_see,
			      .seen_data = reasons};
	gint64 start_us = g_get_monotonic_time();
	SweepDone done = {0};
	gboolean good = sweep_job_run(job, path, &how, &done, error);

	cli_progress("points", 1, 1); /* clears what an error would be written behind */
	if (!good)
		return FALSE;
	sweep_report_done(&done.tally, (double)(g_get_monotonic_time() - start_us) / 1e6);
	sweep_report_idle(path, reasons, done.tally.n_found == 0 ? &job->sweep : NULL);
	*n_failed = done.n_failed;
	return TRUE;
}

/* Without --output: the results on standard output, nothing left behind. */
static gboolean print_results(const char *folder, const char *format, CsvColumns *columns,
			      GError **error)
{
	const char *name = g_strcmp0(format, "csv") == 0 ? SWEEP_TABLE : SWEEP_RESULTS;
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, error))
		return FALSE;
	text = cli_columns_of(columns, g_steal_pointer(&text));
	return cli_write_output(NULL, NULL, text, strlen(text), error);
}

static CliStatus run_sweep(SweepJob *job, const char *const *plot, const SweepOptions *options,
			   GError **error)
{
	const gboolean is_csv =
		options->output != NULL || g_strcmp0(options->format, "csv") == 0;
	g_autofree char *header = sweep_columns(&job->sweep);
	g_autofree char *temporary = NULL;
	g_autoptr(CsvColumns) columns = NULL;
	const char *folder = options->output;
	guint n_failed = 0;
	gboolean good;

	if (!sweep_choose_columns(options->columns, header, is_csv, folder, &columns, error))
		return CLI_FAILED;
	if (folder == NULL) {
		temporary = output_folder_new("sweep", error);
		if (temporary == NULL)
			return CLI_FAILED;
		folder = temporary;
	}
	good = run_job(job, folder, options, &n_failed, error) &&
	       (temporary == NULL || print_results(folder, options->format, columns, error)) &&
	       (plot[0] == NULL || sweep_plot(plot, folder, job->plan, error)) &&
	       (temporary != NULL || sweep_narrow(folder, columns, error));
	if (temporary != NULL)
		output_folder_remove(g_steal_pointer(&temporary));
	if (!good) {
		const CliStatus status = cli_fail(*error);

		g_clear_error(error);
		if (status == CLI_INTERRUPTED && options->output != NULL)
			cli_print_resume(options->resume ? NULL : "--resume");
		return status;
	}
	return sweep_report_failures(n_failed, sweep_n_points(&job->sweep),
				     options->output != NULL ? options->output
							     : "standard output");
}

/* --- The command --- */

static const char *environment(const char *name)
{
	return g_getenv(name);
}

static CliStatus sweep_with(const SweepOptions *options, GError **error)
{
	g_auto(SweepWords) words = {0};
	g_auto(SweepJob) job = {0};
	g_autoptr(GPtrArray) plot = g_ptr_array_new_with_free_func(g_free);
	const char *const *plot_words;

	sweep_words_init(&words);
	if (!sweep_check_options(options, error) ||
	    (options->file != NULL && !sweep_file_read(options->file, &words, error)) ||
	    !sweep_take_options(&words, plot, options, error))
		return CLI_FAILED;
	plot_words = (const char *const *)plot->pdata;
	if (plot_words[0] != NULL && !sweep_check_plot(plot_words, options->output, error))
		return CLI_FAILED;
	if (!sweep_job_init(&job, &words, NULL, !checks_later(options), error))
		return CLI_FAILED;
	if (options->emit != NULL)
		return sweep_emit_job(options);
	if (options->shard != NULL
		    ? !sweep_shard_parse(options->shard, &job.sweep.shard, error)
		    : !sweep_shard_from_slurm(environment, &job.sweep.shard, error))
		return CLI_FAILED;
	if (plot_words[0] != NULL && !sweep_check_columns(plot_words, &job.sweep, error))
		return CLI_FAILED;
	return run_sweep(&job, plot_words, options, error);
}

/* What the user gave. */
static SweepOptions given;

static const GOptionEntry entries[] = {
	OPTION_CONFIG(&given.config),
	{"vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.varied,
	 "Vary a key of the config or an option of the workload: 64,128 or 1..4 or "
	 "1..10:+3 or 64..4096:*2; may be repeated",
	 "KEY=VALUES"},
	{"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.settings,
	 "Fix a key of the config or an option of the workload; may be repeated", "KEY=VALUE"},
	{"zip", 0, 0, G_OPTION_ARG_NONE, &given.zip,
	 "Vary keys in lockstep, not all combinations", NULL},
	{"sample", 0, 0, G_OPTION_ARG_INT64, &given.sample,
	 "Take N combinations by a Latin hypercube (--seed)", "N"},
	{"gen", 0, 0, G_OPTION_ARG_STRING, &given.gen,
	 "Generate the traces with 'atomsim gen WORKLOAD'", "WORKLOAD"},
	{"file", 0, 0, G_OPTION_ARG_FILENAME, &given.file,
	 "Read a sweep file: these options as JSON", "FILE"},
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output,
	 "Write the results to FOLDER (default: standard output)", "FOLDER"},
	OPTION_FORMAT(&given.format,
		      "Format on standard output: json (default; a line a point) or csv"),
	OPTION_COLUMNS(&given.columns),
	{"resume", 0, 0, G_OPTION_ARG_NONE, &given.resume, "Resume an interrupted sweep", NULL},
	{"plot", 0, 0, G_OPTION_ARG_STRING, &given.plot,
	 "Draw FOLDER/plot.svg: --plot x=KEY y=KEY [series=KEY] [front=yes] "
	 "[file=FILE.svg] [title=TEXT] [xlabel=TEXT] [ylabel=TEXT] [label=TEXT]",
	 "x=KEY"},
	{"shard", 0, 0, G_OPTION_ARG_STRING, &given.shard,
	 "Run shard I of N (default: SLURM_ARRAY_TASK_ID and _COUNT)", "I/N"},
	{"emit", 0, 0, G_OPTION_ARG_STRING, &given.emit,
	 "Print a job file for the shards, slurm or parallel; run nothing", "KIND"},
	{"shards", 0, 0, G_OPTION_ARG_INT, &given.shards,
	 "Number of shards of --emit (default 16)", "N"},
	{"seed", 0, 0, G_OPTION_ARG_INT64, &given.seed,
	 "Seed of the random winner rule and of --sample (default 0)", "N"},
	{"jobs", 0, 0, G_OPTION_ARG_INT, &given.jobs,
	 "Points simulated in parallel (default: one a processor)", "N"},
	OPTION_OPERANDS(&given.operands),
	OPTION_END,
};

static CliStatus run(GError **error)
{
	return sweep_with(&given, error);
}

static CliStatus run_words(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], cli_word(&sweep_merge_command)) == 0)
		return cli_run(&sweep_merge_command, argc - 1, argv + 1);
	return cli_run_options(&command_sweep, argc, argv);
}

static const Command *const sweep_commands[] = {&sweep_merge_command, NULL};

const Command command_sweep = {
	.name = "sweep",
	.synopsis = "[OPTION]... --config CONFIG --vary KEY=VALUES... TRACE...",
	.summary = "Run many designs on the same traces, in parallel",
	.examples =
		"atomsim sweep --config fermi --vary atomic.locks=64..1024:*4 weighted\n"
		"atomsim sweep --config h200 --vary shared.bank_hash=mod,xor -o out weighted",
	.failure = "a point that could not go on",
	.options = entries,
	.run = run,
	.run_words = run_words,
	.commands = sweep_commands,
	.notes = "'atomsim sweep COMMAND --help' shows the options of a command.\n"
		 "See docs/guide/sweep.md.\n",
};
