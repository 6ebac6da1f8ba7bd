/* SPDX-License-Identifier: MIT */
#include "replay/ideal-runs.h"

#include <glib.h>

#include "sim/run/thread-pool.h"

/* The order of a run of more instructions is not kept: eight bytes each and four a record, in arrays that double as they grow. */
#define MOST_ORDERED UINT64_C(16000000)

/* Runs that are made side by side. */
typedef struct {
	SimRequest like;
	IdealRun **runs;
	bool (*progress)(void *data, uint64_t blocks_done, uint64_t n_blocks);
	void *progress_data;
	GThread *thread; /* whose progress is asked */
	gint stop;	 /* atomically: it said so */
} Batch;

static bool tell(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	Batch *batch = data;

	if (batch->progress && g_thread_self() == batch->thread &&
	    !batch->progress(batch->progress_data, blocks_done, n_blocks))
		g_atomic_int_set(&batch->stop, 1);
	return !g_atomic_int_get(&batch->stop);
}

static bool is_shorter(const SimResult *result, const SimResult *than)
{
	return result->status == SIM_OK &&
	       (than->status != SIM_OK || result->statistics.cycles < than->statistics.cycles);
}

static void make_one(void *data, uint32_t i)
{
	Batch *batch = data;
	IdealRun *run = batch->runs[i];
	SimRequest request = batch->like;
	Machine machine = run->machine;
	SimResult result;

	if (request.order >= ORDER_PACED && machine.ideal.issue &&
	    !batch->like.machine->ideal.issue)
		machine.ideal.issue = IDEAL_BUT_PORTS;
	request.machine = &machine;
	sim_run(&request, &result);
	if (request.keep_order == NULL || is_shorter(&result, &run->result))
		run->result = result;
}

/* The request, each on as many threads as are left for it. False: progress ended one. */
static bool make_batch(const SimRequest *like, IdealRun **runs, uint32_t n)
{
	const uint32_t n_threads = MIN(like->n_threads, n);
	ThreadPool *pool;
	Batch batch = {.like = *like,
		       .runs = runs,
		       .progress = like->progress,
		       .progress_data = like->progress_data,
		       .thread = g_thread_self()};

	if (n == 0)
		return true;
	batch.like.n_threads = like->n_threads / n_threads;
	batch.like.progress = tell;
	batch.like.progress_data = &batch;
	pool = thread_pool_new(n_threads);
	thread_pool_do(pool, n, make_one, &batch);
	thread_pool_free(pool);
	return !g_atomic_int_get(&batch.stop);
}

/* Of n the runs that have taken longer than the run. Returns how many. */
static uint32_t find_longer(const SimResult *run, IdealRun *all, uint32_t n, IdealRun **longer)
{
	uint32_t n_longer = 0;

	for (uint32_t i = 0; i < n; i++)
		if (all[i].result.status == SIM_OK &&
		    all[i].result.statistics.cycles > run->statistics.cycles)
			longer[n_longer++] = &all[i];
	return n_longer;
}

/* Notes the order of the run, once. False: progress ended it. */
static bool note_order(IdealRuns *runs, const SimRequest *like)
{
	SimRequest request = *like;
	SimResult result;

	if (runs->order)
		return true;
	runs->order = run_order_new(like->source);
	request.note_order = runs->order;
	request.all_sms = true; /* an SM that did as another here may not there */
	return sim_run(&request, &result) == SIM_OK;
}

bool ideal_runs_make(IdealRuns *runs, IdealRun *all, uint32_t n)
{
	g_autofree IdealRun **some = g_new(IdealRun *, n);
	SimRequest request = *runs->request;
	uint32_t n_some = n;

	request.observer = NULL;
	request.sites = NULL;
	request.utilization = NULL;
	for (uint32_t i = 0; i < n; i++)
		some[i] = &all[i];
	if (!make_batch(&request, some, n))
		return false;
	n_some = find_longer(runs->run, all, n, some);
	if (n_some == 0 || runs->run->statistics.warp_instructions > MOST_ORDERED)
		return true;
	if (!note_order(runs, &request))
		return false;
	request.keep_order = runs->order;
	request.all_sms = true;
	for (request.order = ORDER_KEPT; n_some > 0 && request.order <= ORDER_TIMED;
	     request.order++) {
		if (!make_batch(&request, some, n_some))
			return false;
		n_some = find_longer(runs->run, all, n, some);
	}
	return true;
}

void ideal_runs_clear(IdealRuns *runs)
{
	g_clear_pointer(&runs->order, run_order_free);
}
