/* SPDX-License-Identifier: MIT */
/* atomsim measure: a folder of measurements of this machine's GPU, nearly all that a config is derived from. */
#include "cli/measure/measure.h"

#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/option.h"

#define OVERHEAD 1.3 /* compiling and starting beside the runs' own seconds, on 16 processors */
#define PER_UNIT 1000 /* progress is counted in them */
#define UNIT	 "ms of work"

/* --- Progress --- */

typedef struct {
	double done, total; /* seconds on an H100 */
	double current;	    /* of the run that is made */
} Progress;

static gboolean tick(gpointer data, double seconds)
{
	const Progress *p = data;
	const double done = p->done + MIN(seconds, p->current);

	return cli_progress(UNIT, (guint64)(done * PER_UNIT),
			    (guint64)(p->total * PER_UNIT) + 1);
}

static double estimate_of(const Measurement *m, const MeasureOptions *options)
{
	double seconds = 0;

	for (guint i = 0; i < m->runs->len; i++) {
		const MeasureRun *run = g_ptr_array_index(m->runs, i);

		if (run->state == RUN_OPEN && measure_is_wanted(options, run->step))
			seconds += run->estimate;
	}
	return seconds;
}

/* A line for the step, and one for each run that has something to say. */
static void say_step(const Measurement *m, const char *step)
{
	guint n[4] = {0};
	double seconds = 0;

	for (guint i = 0; i < m->runs->len; i++) {
		const MeasureRun *run = g_ptr_array_index(m->runs, i);
		g_autofree char *name = g_strjoin(*run->arguments ? " " : "", run->program,
						  run->arguments, NULL);

		if (strcmp(run->step, step) != 0)
			continue;
		n[run->state]++;
		seconds += run->seconds;
		if (run->why != NULL)
			g_printerr("atomsim: measure: %s: %s\n", name, run->why);
		if (run->noisy)
			g_printerr("atomsim: measure: %s: repeats are %.1f %% apart, %.0f %% "
				   "allowed: marked as noisy\n",
				   name, run->spread, measure_allowed_spread(run));
	}
	g_printerr("%-8s %u of %u runs, %u left out, %u failed, %.0f s\n", step, n[RUN_DONE],
		   n[RUN_OPEN] + n[RUN_DONE] + n[RUN_LEFT_OUT] + n[RUN_FAILED], n[RUN_LEFT_OUT],
		   n[RUN_FAILED], seconds);
}

/* --- The work --- */

/* throttled: by a look before or behind the step. Clocks fall where the GPU becomes hot, whatever nvidia-smi calls the reason. */
static void mark_slowed(Measurement *m, const char *step, gboolean throttled)
{
	const StepClocks *clocks = g_hash_table_lookup(m->clocks, step);

	if (!throttled && clocks->least * 10 >= clocks->most * 9)
		return;
	for (guint i = 0; i < m->runs->len; i++) {
		MeasureRun *run = g_ptr_array_index(m->runs, i);

		if (run->state == RUN_DONE && strcmp(run->step, step) == 0)
			run->throttled = TRUE;
	}
}

/* FALSE: the user wants to stop, or *error. */
static gboolean run_step(Measurement *m, const MeasureOptions *options, const char *step,
			 Progress *progress, GError **error)
{
	StepClocks *clocks = g_hash_table_lookup(m->clocks, step);
	GpuSample before, after;
	gboolean going_on;

	progress->current = 0;
	going_on = measure_compile(m, options->nvcc, step, tick, progress);
	before = measure_gpu_look(&m->gpu, m->work);
	clocks->before = before.clock_mhz;
	for (guint i = 0; going_on && i < m->runs->len; i++) {
		MeasureRun *run = g_ptr_array_index(m->runs, i);
		const gint64 begin = g_get_monotonic_time();

		if (run->state != RUN_OPEN || strcmp(run->step, step) != 0)
			continue;
		progress->current = run->estimate;
		going_on = measure_run(m, run, tick, progress);
		progress->done += run->estimate;
		m->seconds += (double)(g_get_monotonic_time() - begin) / 1e6;
		if (!measure_state_write(m, error))
			return FALSE;
	}
	after = measure_gpu_look(&m->gpu, m->work);
	clocks->after = after.clock_mhz;
	mark_slowed(m, step, before.throttled || after.throttled);
	return going_on && measure_state_write(m, error);
}

static gboolean has_open(const Measurement *m, const char *step)
{
	for (guint i = 0; i < m->runs->len; i++) {
		const MeasureRun *run = g_ptr_array_index(m->runs, i);

		if (run->state == RUN_OPEN && strcmp(run->step, step) == 0)
			return TRUE;
	}
	return FALSE;
}

static gboolean run_steps(Measurement *m, const MeasureOptions *options, char **names,
			  GError **error)
{
	Progress progress = {.total = estimate_of(m, options)};

	g_printerr("%s, %s: about %.0f min\n",
		   (const char *)g_hash_table_lookup(m->gpu.facts, "name"), m->gpu.arch,
		   MAX(1, OVERHEAD * progress.total / 60));
	for (guint i = 0; names[i] != NULL; i++) {
		if (!measure_is_wanted(options, names[i]))
			continue;
		if (has_open(m, names[i]) && !run_step(m, options, names[i], &progress, error))
			return FALSE;
		cli_progress(UNIT, 1, 1);
		say_step(m, names[i]);
	}
	return TRUE;
}

static gboolean measure(Measurement *m, MeasureOptions *options, GError **error)
{
	g_auto(GStrv) names = NULL;
	Progress none = {0};

	cli_progress(UNIT, 0, 1); /* from now on SIGINT asks to stop */
	return measure_prepare(m, options, &names, tick, &none, error) &&
	       run_steps(m, options, names, error);
}

/* CLI_FAILED if a program of the steps that are asked for has failed. */
static CliStatus conclude(const Measurement *m, const MeasureOptions *options)
{
	guint failed = 0;

	for (guint i = 0; i < m->runs->len; i++) {
		const MeasureRun *run = g_ptr_array_index(m->runs, i);

		failed += run->state == RUN_FAILED && measure_is_wanted(options, run->step);
	}
	if (failed > 0)
		g_printerr("atomsim: measure: %u run%s failed; the same command tries %s "
			   "again\n",
			   failed, failed == 1 ? "" : "s", failed == 1 ? "it" : "them");
	return failed > 0 ? CLI_FAILED : CLI_GOOD;
}

/* What the user gave. */
static MeasureOptions given;

static const GOptionEntry entries[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output,
	 "Write the measurements here; a folder in which some were made already is "
	 "gone on with",
	 "FOLDER"},
	{"steps", 0, 0, G_OPTION_ARG_STRING, &given.steps,
	 "Make only these steps, with commas between them: atomics, issue, memory, "
	 "locks, kernels (default: all, in this order)",
	 "LIST"},
	{"arch", 0, 0, G_OPTION_ARG_STRING, &given.arch,
	 "Compile for this architecture, as nvcc names it (default: the GPU's)", "SM"},
	{"allow-load", 0, 0, G_OPTION_ARG_NONE, &given.allow_load,
	 "Measure even if the GPU is in use or throttled; mark the results", NULL},
	OPTION_END,
};

static CliStatus run(GError **error)
{
	g_auto(Measurement) measurement = {0};

	if (given.output == NULL) {
		atomsim_fail(error, ATOMSIM_ERROR_USAGE,
			     "measure: no folder to write to: give -o FOLDER");
		return CLI_FAILED;
	}
	if (measure(&measurement, &given, error))
		return conclude(&measurement, &given);
	if (*error != NULL)
		return CLI_FAILED;
	g_printerr("atomsim: measure: interrupted\n");
	cli_print_resume(NULL);
	return CLI_INTERRUPTED;
}

const Command command_measure = {
	.name = "measure",
	.synopsis = "[OPTION]... -o FOLDER",
	.summary = "Measure this GPU: nearly everything that its config needs",
	.examples = "atomsim measure -o my-gpu-measurements\n"
		    "atomsim measure --steps atomics,memory -o my-gpu-measurements",
	.failure = "a program of the steps that failed",
	.options = entries,
	.run = run,
};
