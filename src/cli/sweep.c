/* SPDX-License-Identifier: MIT */
/* atomsim sweep: many points on all processors, safe against whatever kills it. */
#include "cli/sweep.h"

#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "error.h"
#include "explore/sweep-emit.h"

typedef struct {
	char *config, *file, *gen, *format, *output, *shard, *plot, *emit;
	char **settings, **varied, **operands;
	gint64 sample, seed;
	int jobs, shards;
	gboolean zip, resume;
} Options;

static void options_clear(Options *options)
{
	g_free(options->config);
	g_free(options->file);
	g_free(options->gen);
	g_free(options->format);
	g_free(options->output);
	g_free(options->shard);
	g_free(options->plot);
	g_free(options->emit);
	g_strfreev(options->settings);
	g_strfreev(options->varied);
	g_strfreev(options->operands);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean set_usage(GError **error, const char *text)
{
	g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE, text);
	return FALSE;
}

/* --- Words --- */

/* Lays the command line over what a sweep file said. */
static gboolean take_options(SweepWords *words, GPtrArray *plot, const Options *options,
			     GError **error)
{
	gboolean own_traces = FALSE;

	if (options->config != NULL) {
		g_free(words->config);
		words->config = g_strdup(options->config);
	}
	if (options->gen != NULL) {
		g_free(words->gen);
		words->gen = g_strdup(options->gen);
	}
	for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
		g_ptr_array_add(words->settings, g_strdup(options->settings[i]));
	for (guint i = 0; options->varied != NULL && options->varied[i] != NULL; i++) {
		SweepAxis *axis = sweep_axis_parse(options->varied[i], error);

		if (axis == NULL)
			return FALSE;
		for (guint j = 0; j < i; j++)
			if (strcspn(options->varied[j], "=") == strlen(axis->key) &&
			    g_str_has_prefix(options->varied[j], axis->key)) {
				g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
					    "--vary %s: given twice; list all values in one",
					    axis->key);
				sweep_axis_free(axis);
				return FALSE;
			}
		sweep_words_vary(words, axis);
	}
	if (options->plot != NULL)
		g_ptr_array_add(plot, g_strdup(options->plot));
	for (guint i = 0; options->operands != NULL && options->operands[i] != NULL; i++) {
		const char *word = options->operands[i];

		if (options->plot != NULL && sweep_is_plot_word(word)) {
			g_ptr_array_add(plot, g_strdup(word));
			continue;
		}
		if (!own_traces)
			g_ptr_array_set_size(words->traces, 0);
		own_traces = TRUE;
		g_ptr_array_add(words->traces, g_strdup(word));
	}
	words->zip = words->zip || options->zip;
	words->sample = options->sample != 0 ? options->sample : words->sample;
	words->seed = options->seed != 0 ? options->seed : words->seed;
	g_ptr_array_add(plot, NULL);
	return TRUE;
}

static gboolean check_words(const SweepWords *words, GError **error)
{
	if (words->config == NULL)
		return set_usage(error, "no --config; for example: --config fermi.json");
	if (words->gen == NULL && words->traces->len == 0)
		return set_usage(error, "no trace and no --gen WORKLOAD");
	if (words->gen != NULL && words->traces->len > 0)
		return set_usage(error, "--gen and a trace are given; allowed: one of them");
	if (words->zip && words->sample != 0)
		return set_usage(error, "--zip and --sample are given; allowed: one of them");
	if (words->sample < 0)
		return set_usage(error, "--sample must not be negative");
	if (words->seed < 0)
		return set_usage(error, "--seed must not be negative");
	return TRUE;
}

static gboolean check_options(const Options *options, GError **error)
{
	if (options->jobs < 0)
		return set_usage(error,
				 "--jobs must not be negative; 0 is one for each processor");
	if (options->format != NULL && strcmp(options->format, "json") != 0 &&
	    strcmp(options->format, "csv") != 0) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--format %s; allowed: json, csv", options->format);
		return FALSE;
	}
	if (options->format != NULL && options->output != NULL)
		return set_usage(error, "--format is for standard output; --output has both");
	if (options->resume && options->output == NULL)
		return set_usage(error, "--resume needs the --output to go on with");
	if (options->emit != NULL && options->output == NULL)
		return set_usage(error, "--emit needs an --output for the results of its jobs");
	if (options->emit != NULL && !sweep_emit_find(options->emit, error))
		return FALSE;
	if (options->shards < 0 || options->shards > SWEEP_MAX_SHARDS) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--shards %d; allowed: 1 to %d", options->shards, SWEEP_MAX_SHARDS);
		return FALSE;
	}
	return TRUE;
}

/* --- Running --- */

static gboolean on_progress(guint64 done, guint64 total)
{
	return cli_progress("points", done, total);
}

static void talk(const SweepTally *tally, double wall_s)
{
	wall_s = MAX(wall_s, 1e-6);
	g_printerr("atomsim: %u points", tally->n_done);
	if (tally->n_found > 0)
		g_printerr(" (%u more were there)", tally->n_found);
	g_printerr(", %.3f s, %.1f million warp instructions x points a second\n", wall_s,
		   (double)tally->executed / wall_s / 1e6);
}

CliStatus sweep_tell_failures(guint n_failed, guint n_points, const char *folder)
{
	if (n_failed == 0)
		return CLI_GOOD;
	g_printerr("atomsim: %s: %u of %u points could not be simulated to their end: those "
		   "whose \"status\" is not \"" SWEEP_COMPLETE "\" have a \"problem\"\n",
		   folder, n_failed, n_points);
	return CLI_FAILED;
}

static gboolean run_job(SweepJob *job, const char *path, const Options *options,
			guint *n_failed, GError **error)
{
	const SweepHooks hooks = {cli_jobs(options->jobs), sweep_line, on_progress};
	gint64 start_us = g_get_monotonic_time();
	g_autoptr(SweepFolder) folder = NULL;
	cJSON *manifest = sweep_manifest_new(&job->sweep, PACKAGE_VERSION, error);
	SweepTally tally;

	if (manifest == NULL)
		return FALSE;
	folder = sweep_folder_open(path, manifest, &job->sweep.shard,
				   sweep_n_points(&job->sweep), options->resume, error);
	cJSON_Delete(manifest);
	if (folder == NULL || !sweep_run(&job->sweep, folder, &hooks, &tally, error) ||
	    !sweep_folder_finish(folder, sweep_row, error))
		return FALSE;
	talk(&tally, (double)(g_get_monotonic_time() - start_us) / 1e6);
	*n_failed = sweep_folder_n_failed(folder);
	return TRUE;
}

/* Without --output: the results on standard output, nothing left behind. */
static gboolean print_results(const char *folder, const char *format, GError **error)
{
	const char *name = g_strcmp0(format, "csv") == 0 ? SWEEP_TABLE : SWEEP_RESULTS;
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *text = NULL;
	gsize length = 0;

	return g_file_get_contents(path, &text, &length, error) &&
	       cli_write_output(NULL, text, length, error);
}

static void remove_folder(const char *folder)
{
	static const char *const names[] = {SWEEP_MANIFEST, SWEEP_JOURNAL, SWEEP_RESULTS,
					    SWEEP_TABLE, SWEEP_LOCK};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(folder, names[i], NULL);

		g_unlink(path);
	}
	g_rmdir(folder);
}

static CliStatus run_sweep(SweepJob *job, const char *const *plot, const Options *options,
			   GError **error)
{
	g_autofree char *temporary = NULL;
	const char *folder = options->output;
	guint n_failed = 0;
	gboolean good;

	if (folder == NULL) {
		temporary = g_dir_make_tmp("atomsim-sweep-XXXXXX", error);
		if (temporary == NULL)
			return cli_fail(*error);
		folder = temporary;
	}
	good = run_job(job, folder, options, &n_failed, error) &&
	       (temporary == NULL || print_results(folder, options->format, error)) &&
	       (plot[0] == NULL || sweep_plot(plot, folder, job->plan, error));
	if (temporary != NULL)
		remove_folder(temporary);
	if (!good)
		return cli_fail(*error);
	return sweep_tell_failures(n_failed, sweep_n_points(&job->sweep),
				   options->output != NULL ? options->output
							   : "standard output");
}

/* --- Job files --- */

static void add_pair(GPtrArray *arguments, const char *option, const char *value)
{
	if (value == NULL)
		return;
	g_ptr_array_add(arguments, g_strdup(option));
	g_ptr_array_add(arguments, g_strdup(value));
}

static void add_number(GPtrArray *arguments, const char *option, gint64 value)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);

	if (value != 0)
		add_pair(arguments, option, text);
}

/* The command line again, less what differs from shard to shard. */
static CliStatus emit(const Options *options)
{
	g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = NULL;

	add_pair(arguments, "--file", options->file);
	add_pair(arguments, "--config", options->config);
	for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
		add_pair(arguments, "--set", options->settings[i]);
	for (guint i = 0; options->varied != NULL && options->varied[i] != NULL; i++)
		add_pair(arguments, "--vary", options->varied[i]);
	if (options->zip)
		g_ptr_array_add(arguments, g_strdup("--zip"));
	add_number(arguments, "--sample", options->sample);
	add_number(arguments, "--seed", options->seed);
	add_pair(arguments, "--gen", options->gen);
	add_number(arguments, "--jobs", options->jobs);
	for (guint i = 0; options->operands != NULL && options->operands[i] != NULL; i++)
		if (options->plot == NULL || !sweep_is_plot_word(options->operands[i]))
			g_ptr_array_add(arguments, g_strdup(options->operands[i]));
	g_ptr_array_add(arguments, NULL);
	text = sweep_emit(options->emit, (const char *const *)arguments->pdata, options->output,
			  options->shards > 0 ? (guint)options->shards : 16,
			  (guint)options->jobs);
	fputs(text, stdout);
	return CLI_GOOD;
}

/* --- The command --- */

static const char *environment(const char *name)
{
	return g_getenv(name);
}

static CliStatus sweep_with(const Options *options)
{
	g_auto(SweepWords) words = {0};
	g_auto(SweepJob) job = {0};
	g_autoptr(GPtrArray) plot = g_ptr_array_new_with_free_func(g_free);
	const char *const *plot_words;
	g_autoptr(GError) error = NULL;

	sweep_words_init(&words);
	if (!check_options(options, &error) ||
	    (options->file != NULL && !sweep_file_read(options->file, &words, &error)) ||
	    !take_options(&words, plot, options, &error) || !check_words(&words, &error))
		return cli_fail(error);
	plot_words = (const char *const *)plot->pdata;
	if (plot_words[0] != NULL && !sweep_check_plot(plot_words, options->output, &error))
		return cli_fail(error);
	if (!sweep_job_init(&job, &words, &error))
		return cli_fail(error);
	if (options->emit != NULL)
		return emit(options);
	if (options->shard != NULL
		    ? !sweep_shard_parse(options->shard, &job.sweep.shard, &error)
		    : !sweep_shard_from_slurm(environment, &job.sweep.shard, &error))
		return cli_fail(error);
	return run_sweep(&job, plot_words, options, &error);
}

static CliStatus run(int argc, char **argv)
{
	g_auto(Options) options = {0};
	const GOptionEntry entries[] = {
		{"config", 0, 0, G_OPTION_ARG_FILENAME, &options.config,
		 "The machine: a path, or the name of an installed config (fermi.json)",
		 "CONFIG"},
		{"vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.varied,
		 "Vary a key of the config or an option of the workload: 64,128 or 1..4 or "
		 "1..10:+3 or 64..4096:*2; may be repeated",
		 "KEY=VALUES"},
		{"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.settings,
		 "Fix a key of the config or an option of the workload; may be repeated",
		 "KEY=VALUE"},
		{"zip", 0, 0, G_OPTION_ARG_NONE, &options.zip,
		 "Take the first values together, the second ones, ... instead of all "
		 "combinations",
		 NULL},
		{"sample", 0, 0, G_OPTION_ARG_INT64, &options.sample,
		 "Take N combinations, spread evenly (a Latin hypercube; --seed makes another)",
		 "N"},
		{"gen", 0, 0, G_OPTION_ARG_STRING, &options.gen,
		 "Make the traces with 'atomsim gen WORKLOAD' instead of reading them",
		 "WORKLOAD"},
		{"file", 0, 0, G_OPTION_ARG_FILENAME, &options.file,
		 "Read a sweep file: JSON with the same meaning as these options", "FILE"},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
		 "Folder for the results (default: results on standard output)", "FOLDER"},
		{"format", 0, 0, G_OPTION_ARG_STRING, &options.format,
		 "On standard output: json (default; one line a point) or csv", "FORMAT"},
		{"resume", 0, 0, G_OPTION_ARG_NONE, &options.resume,
		 "Go on where a sweep into the same folder was stopped", NULL},
		{"plot", 0, 0, G_OPTION_ARG_STRING, &options.plot,
		 "Draw FOLDER/plot.svg: --plot x=KEY y=KEY [series=KEY] [file=FILE.svg]",
		 "x=KEY"},
		{"shard", 0, 0, G_OPTION_ARG_STRING, &options.shard,
		 "Run a part of the points (default: from SLURM_ARRAY_TASK_ID and _COUNT)",
		 "I/N"},
		{"emit", 0, 0, G_OPTION_ARG_STRING, &options.emit,
		 "Print a job file, slurm or parallel, that runs the shards; run nothing",
		 "KIND"},
		{"shards", 0, 0, G_OPTION_ARG_INT, &options.shards,
		 "Shards of --emit (default 16)", "N"},
		{"seed", 0, 0, G_OPTION_ARG_INT64, &options.seed,
		 "Seed of the random winner rule and of --sample (default 0)", "N"},
		{"jobs", 0, 0, G_OPTION_ARG_INT, &options.jobs,
		 "Points run at a time (default: one for each processor)", "N"},
		{G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.operands, NULL,
		 NULL},
		{NULL, 0, 0, 0, NULL, NULL, NULL},
	};
	g_autoptr(GOptionContext) context = NULL;
	CliStatus status;

	if (argc > 1 && strcmp(argv[1], "merge") == 0)
		return sweep_merge(argc - 1, argv + 1);
	context = cli_options(&command_sweep, entries);
	g_option_context_set_description(context, "'atomsim sweep merge -o FOLDER SHARD...' "
						  "puts the results of shards together.\n"
						  "docs/sweep.md tells more.\n");
	if (!cli_parse(context, &argc, &argv, &status))
		return status;
	return sweep_with(&options);
}

const Command command_sweep = {
	.name = "sweep",
	.synopsis = "[OPTION]... --config CONFIG --vary KEY=VALUES... TRACE...",
	.summary = "Run many designs on the same traces, in parallel",
	.run = run,
};
