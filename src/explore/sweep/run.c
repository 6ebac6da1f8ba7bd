/* SPDX-License-Identifier: MIT */
/*
 * Threads run points and hand over finished lines; the caller's thread alone writes, and runs points
 * itself where no thread is to be had. It takes all lines that are there and brings them to the disk in one go, so a slow disk makes
 * batches larger and not the sweep slower.
 */
#include "explore/sweep/run.h"

#include <string.h>

#include "base/error.h"
#include "explore/sweep/seal.h"
#include "explore/sweep/share.h"
#include "replay/replay.h"
#include "replay/what-if.h"

#define WAIT_US (G_USEC_PER_SEC / 10) /* between looks at progress */

/* --- One point --- */

typedef struct {
	const Sweep *sweep;
	const SweepHooks *hooks;
	const char *identity;  /* of the sweep */
	GAsyncQueue *finished; /* of Finished */
	gint stop;	       /* atomic */
	GArray *points;	       /* to run, guint from 0 */
	SweepShare *share;
	gint next; /* of them, to take; atomic */
} Workers;

/* What a thread hands over. */
typedef struct {
	char *line;	 /* NULL: not run, or not to its end */
	gboolean shared; /* it is another point's run */
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

/* Runs a point whose config is there. FALSE: it came to no end. */
static gboolean replay_point(Workers *workers, const SweepPoint *point, ReplayResult *result,
			     GError **failure, GError **error)
{
	const Sweep *sweep = workers->sweep;
	g_autoptr(WhatIf) what_if = sweep_plan_what_if(sweep->plan, point->combination, error);
	g_auto(ChangedSource) changed = {0};
	Replay replay = {
		.machine = config_machine(point->config),
		.reader = point->input->reader,
		.name = point->input->name,
		.seed = sweep->seed,
		.n_threads = 1,
		.progress = may_go_on,
		.progress_data = workers,
	};

	if (what_if == NULL || !replay_change(replay.reader, what_if, &changed, error))
		return FALSE;
	replay.source = changed.source;
	replay_run(&replay, result, failure);
	if (result->run.status == SIM_SOURCE_FAILED)
		g_propagate_error(error, g_steal_pointer(failure));
	return result->run.status != SIM_SOURCE_FAILED && result->run.status != SIM_INTERRUPTED;
}

static void run_point(Workers *workers, guint i, Finished *finished)
{
	const Sweep *sweep = workers->sweep;
	g_autoptr(Config) config =
		sweep_config(sweep, sweep_combination(sweep, i), &finished->error);
	g_auto(ReplayResult) result = {0};
	g_autoptr(GError) failure = NULL;
	g_autofree char *problem = NULL;
	SweepPoint point = {
		.sweep = sweep,
		.point = i,
		.combination = sweep_combination(sweep, i),
		.input = g_ptr_array_index(sweep->inputs, sweep_input(sweep, i)),
		.config = config,
	};

	if (config == NULL)
		return;
	point.result = sweep_share_find(workers->share, i, config_machine(config));
	finished->shared = point.result != NULL;
	if (!finished->shared) {
		if (!replay_point(workers, &point, &result, &failure, &finished->error))
			return;
		point.result = &result.run;
		problem = failure ? g_strndup(failure->message, strcspn(failure->message, "\n"))
				  : NULL;
		point.problem = problem;
		finished->executed = result.run.statistics.warp_instructions;
		sweep_share_add(workers->share, i, &result.run);
	}
	finished->line = seal_line(workers->hooks->line(&point), workers->identity);
	if (workers->hooks->seen != NULL)
		workers->hooks->seen(workers->hooks->data, &point);
}

/* Runs the next point and hands it over. FALSE if there is none. */
static gboolean run_next(Workers *workers)
{
	guint i = (guint)g_atomic_int_add(&workers->next, 1);
	Finished *finished;

	if (i >= workers->points->len)
		return FALSE;
	finished = g_new0(Finished, 1);
	if (!g_atomic_int_get(&workers->stop))
		run_point(workers, g_array_index(workers->points, guint, i), finished);
	g_async_queue_push(workers->finished, finished);
	return TRUE;
}

static gpointer work(gpointer data)
{
	while (run_next(data))
		continue;
	return NULL;
}

/* --- All of them --- */

typedef struct {
	Workers workers;
	SweepFolder *folder;
	GString *batch;
	GPtrArray *threads; /* of GThread; as many as there were to be had */
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
		collector->tally->n_shared += finished->shared;
		collector->tally->executed += finished->executed;
	}
	finished_free(finished);
}

/* Waits for lines and writes all that there are. */
static void write_batch(Collector *collector)
{
	GAsyncQueue *queue = collector->workers.finished;
	Finished *finished = collector->threads->len > 0
				     ? g_async_queue_timeout_pop(queue, WAIT_US)
				     : g_async_queue_try_pop(queue);
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
		atomsim_fail(&collector->error, ATOMSIM_ERROR_RUN,
			     "interrupted after %u of %u points", collector->tally->n_done,
			     collector->n_jobs);
}

static void collect_all(Collector *collector)
{
	const SweepHooks *hooks = collector->workers.hooks;

	while (collector->n_returned < collector->n_jobs) {
		if (collector->threads->len == 0)
			run_next(&collector->workers);
		write_batch(collector);
		if (!hooks->progress(hooks->progress_data, collector->tally->n_done,
				     collector->n_jobs))
			set_interrupted(collector);
		if (collector->error != NULL)
			g_atomic_int_set(&collector->workers.stop, TRUE);
	}
}

static void find_points(Collector *collector)
{
	const Sweep *sweep = collector->workers.sweep;

	for (guint i = 0; i < sweep_n_points(sweep); i++) {
		if (!sweep_shard_has(&sweep->shard, i))
			continue;
		if (sweep_folder_has(collector->folder, i))
			collector->tally->n_found++;
		else
			g_array_append_val(collector->workers.points, i);
	}
	collector->n_jobs = collector->workers.points->len;
	sweep_share_order(collector->workers.share, collector->workers.points);
}

static void start_threads(Collector *collector)
{
	guint n = MIN(collector->workers.hooks->n_threads, collector->n_jobs);

	for (guint i = 0; i < n; i++) {
		GThread *thread = g_thread_try_new("sweep", work, &collector->workers, NULL);

		if (thread == NULL)
			break;
		g_ptr_array_add(collector->threads, thread);
	}
}

gboolean sweep_run(const Sweep *sweep, SweepFolder *folder, const SweepHooks *hooks,
		   SweepTally *tally, GError **error)
{
	Collector collector = {
		.workers = {.sweep = sweep,
			    .hooks = hooks,
			    .identity = sweep_folder_identity(folder),
			    .finished = g_async_queue_new_full(finished_free),
			    .points = g_array_new(FALSE, FALSE, sizeof(guint)),
			    .share = sweep_share_new(sweep)},
		.folder = folder,
		.batch = g_string_new(NULL),
		.threads = g_ptr_array_new(),
		.tally = tally,
	};

	*tally = (SweepTally){0};
	find_points(&collector);
	start_threads(&collector);
	collect_all(&collector);
	for (guint i = 0; i < collector.threads->len; i++)
		g_thread_join(g_ptr_array_index(collector.threads, i));
	g_ptr_array_unref(collector.threads);
	g_array_unref(collector.workers.points);
	sweep_share_free(collector.workers.share);
	g_async_queue_unref(collector.workers.finished);
	g_string_free(collector.batch, TRUE);
	if (collector.error != NULL)
		g_propagate_error(error, collector.error);
	return collector.error == NULL;
}
