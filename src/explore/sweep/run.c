/* SPDX-License-Identifier: MIT */
/*
 * Threads of a pool run points and hand over finished lines; the caller's thread alone writes. It
 * takes all lines that are there and brings them to the disk in one go, so a slow disk makes
 * batches larger and not the sweep slower.
 */
#include "explore/sweep/run.h"

#include <string.h>

#include "base/error.h"
#include "replay/replay.h"
#include "replay/what-if.h"

#define WAIT_US	       (G_USEC_PER_SEC / 10) /* between looks at progress */
#define PROBLEMS_SHOWN 10

SweepInput *sweep_input_new(TraceReader *reader, const char *name)
{
	SweepInput *input = g_new0(SweepInput, 1);

	input->reader = reader;
	input->name = g_strdup(name);
	input->metadata = cJSON_Parse(trace_metadata(reader));
	return input;
}

void sweep_input_free(SweepInput *input)
{
	if (input == NULL)
		return;
	trace_close(input->reader);
	g_free(input->name);
	cJSON_Delete(input->metadata);
	g_free(input);
}

guint sweep_n_points(const Sweep *sweep)
{
	return sweep->plan->n_combinations * (sweep->input_of != NULL ? 1 : sweep->inputs->len);
}

guint sweep_combination(const Sweep *sweep, guint point)
{
	return point % sweep->plan->n_combinations;
}

static const SweepInput *input_of(const Sweep *sweep, guint point)
{
	guint input = sweep->input_of != NULL ? sweep->input_of[point]
					      : point / sweep->plan->n_combinations;

	return g_ptr_array_index(sweep->inputs, input);
}

static Config *config_of(const Sweep *sweep, guint combination, GError **error)
{
	g_auto(GStrv) settings = sweep_plan_settings(sweep->plan, combination, FALSE);
	g_autoptr(WhatIf) what_if = sweep_plan_what_if(sweep->plan, combination, error);
	g_autoptr(Config) config = NULL;

	if (what_if == NULL)
		return NULL;
	config = config_with(sweep->config, (const char *const *)settings, error);
	return config != NULL ? config_with(config, what_if_settings(what_if), error) : NULL;
}

gboolean sweep_check(const Sweep *sweep, GError **error)
{
	g_autoptr(GString) problems = g_string_new(NULL);
	/* Traces are generated later. */
	guint n_points = sweep->plan->n_combinations * MAX(sweep->inputs->len, 1);
	guint n = 0;

	for (guint i = 0; i < sweep->plan->n_combinations; i++) {
		g_autoptr(GError) problem = NULL;
		g_autoptr(Config) config = config_of(sweep, i, &problem);

		if (config != NULL || ++n > PROBLEMS_SHOWN)
			continue;
		g_string_append_printf(problems, "%spoint %u of %u: %s", n > 1 ? "\n" : "",
				       i + 1, n_points, problem->message);
	}
	if (n == 0)
		return TRUE;
	if (n > PROBLEMS_SHOWN)
		g_string_append_printf(problems, "\nand %u more points", n - PROBLEMS_SHOWN);
	g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG, problems->str);
	return FALSE;
}

/* --- One point --- */

typedef struct {
	const Sweep *sweep;
	const SweepHooks *hooks;
	GAsyncQueue *finished; /* of Finished */
	gint stop;	       /* atomic */
} Workers;

/* What a thread hands over. */
typedef struct {
	char *line; /* NULL: not run, or not to its end */
	guint64 executed;
	GError *error;
} Finished;

static void finished_free(gpointer data)
{
	Finished *finished = data;

	g_free(finished->line);
	g_clear_error(&finished->error);
	g_free(finished);
}

static bool may_go_on(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	Workers *workers = data;

	(void)blocks_done;
	(void)n_blocks;
	return !g_atomic_int_get(&workers->stop);
}

static void run_point(Workers *workers, guint i, Finished *finished)
{
	const Sweep *sweep = workers->sweep;
	const SweepInput *input = input_of(sweep, i);
	g_autoptr(Config) config =
		config_of(sweep, sweep_combination(sweep, i), &finished->error);
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) failure = NULL;
	g_autoptr(WhatIf) what_if = NULL;
	g_auto(ChangedSource) changed = {0};
	SweepPoint point = {.sweep = sweep,
			    .point = i,
			    .combination = sweep_combination(sweep, i),
			    .input = input,
			    .config = config};
	Replay replay = {
		.reader = input->reader,
		.name = input->name,
		.seed = sweep->seed,
		.n_threads = 1,
		.progress = may_go_on,
		.progress_data = workers,
	};

	if (config == NULL)
		return;
	what_if = sweep_plan_what_if(sweep->plan, point.combination, &finished->error);
	if (what_if == NULL ||
	    !replay_change(input->reader, what_if, &changed, &finished->error))
		return;
	replay.source = changed.source;
	replay.machine = config_machine(config);
	replay_run(&replay, &result, &failure);
	switch (result.run.status) {
	case SIM_INTERRUPTED:
		return;
	case SIM_SOURCE_FAILED:
		finished->error = g_steal_pointer(&failure);
		return;
	default:
		point.result = &result.run;
		point.failure = failure;
		finished->line = workers->hooks->line(&point);
		finished->executed = result.run.statistics.warp_instructions;
	}
}

static void work(gpointer data, gpointer user_data)
{
	Workers *workers = user_data;
	Finished *finished = g_new0(Finished, 1);

	/* The pool takes no NULL: points are counted from 1 here. */
	if (!g_atomic_int_get(&workers->stop))
		run_point(workers, GPOINTER_TO_UINT(data) - 1, finished);
	g_async_queue_push(workers->finished, finished);
}

/* --- All of them --- */

typedef struct {
	Workers workers;
	SweepFolder *folder;
	GString *batch;
	guint n_jobs, n_returned;
	SweepTally *tally;
	GError *error; /* the first */
} Collector;

static void collect(Collector *collector, Finished *finished)
{
	collector->n_returned++;
	if (finished->error != NULL && collector->error == NULL)
		collector->error = g_steal_pointer(&finished->error);
	if (finished->line != NULL && collector->error == NULL) {
		g_string_append(collector->batch, finished->line);
		collector->tally->n_done++;
		collector->tally->executed += finished->executed;
	}
	finished_free(finished);
}

/* Waits for lines and writes all that there are. */
static void write_batch(Collector *collector)
{
	GAsyncQueue *queue = collector->workers.finished;
	Finished *finished = g_async_queue_timeout_pop(queue, WAIT_US);
	guint n_done = collector->tally->n_done;

	g_string_truncate(collector->batch, 0);
	for (; finished != NULL; finished = g_async_queue_try_pop(queue))
		collect(collector, finished);
	if (collector->batch->len == 0 ||
	    sweep_folder_append(collector->folder, collector->batch->str, collector->batch->len,
				collector->error == NULL ? &collector->error : NULL))
		return;
	collector->tally->n_done = n_done;
}

static void set_interrupted(Collector *collector)
{
	if (collector->error == NULL && collector->n_returned < collector->n_jobs)
		g_set_error(
			&collector->error, ATOMSIM_ERROR, ATOMSIM_ERROR_RUN,
			"interrupted after %u of %u points; with --output they are safe, and "
			"--resume goes on",
			collector->tally->n_done, collector->n_jobs);
}

static void collect_all(Collector *collector)
{
	const SweepHooks *hooks = collector->workers.hooks;

	while (collector->n_returned < collector->n_jobs) {
		write_batch(collector);
		if (!hooks->progress(collector->tally->n_done, collector->n_jobs))
			set_interrupted(collector);
		if (collector->error != NULL)
			g_atomic_int_set(&collector->workers.stop, TRUE);
	}
}

static void push_points(Collector *collector, GThreadPool *pool)
{
	const Sweep *sweep = collector->workers.sweep;

	for (guint i = 0; i < sweep_n_points(sweep); i++) {
		if (!sweep_shard_has(&sweep->shard, i))
			continue;
		if (sweep_folder_has(collector->folder, i)) {
			collector->tally->n_found++;
			continue;
		}
		collector->n_jobs++;
		g_thread_pool_push(pool, GUINT_TO_POINTER(i + 1), NULL);
	}
}

gboolean sweep_run(const Sweep *sweep, SweepFolder *folder, const SweepHooks *hooks,
		   SweepTally *tally, GError **error)
{
	Collector collector = {
		.workers = {.sweep = sweep,
			    .hooks = hooks,
			    .finished = g_async_queue_new_full(finished_free)},
		.folder = folder,
		.batch = g_string_new(NULL),
		.tally = tally,
	};
	GThreadPool *pool = g_thread_pool_new(work, &collector.workers, (gint)hooks->n_threads,
					      FALSE, NULL);

	*tally = (SweepTally){0};
	push_points(&collector, pool);
	collect_all(&collector);
	g_thread_pool_free(pool, FALSE, TRUE);
	g_async_queue_unref(collector.workers.finished);
	g_string_free(collector.batch, TRUE);
	if (collector.error != NULL)
		g_propagate_error(error, collector.error);
	return collector.error == NULL;
}
