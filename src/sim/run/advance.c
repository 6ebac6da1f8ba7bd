/* SPDX-License-Identifier: MIT */
/* What all phases of a run need: to advance an SM, to see whether one has failed, to report progress. */
#include "sim/run/deadlock.h"
#include "sim/run/run-state.h"

void run_advance(Run *run, Sm *sm, Cycle limit)
{
	uint64_t before = sm->blocks_done;

	sm_run_until(sm, limit);
	if (sm->blocks_done == before)
		return;
	run->asked[sm->id].n_warps = 0;
	g_atomic_int_add(&run->blocks_done,
			 (gint)((sm->blocks_done - before) * run->equal.n_equal[sm->id]));
}

SimStatus run_failure(const Run *run, SimResult *result)
{
	const Sm *failed = NULL;

	for (uint32_t i = 0; i < run->n_sms; i++)
		if (run->sms[i].status != SIM_OK &&
		    (!failed || run->sms[i].failed_block < failed->failed_block))
			failed = &run->sms[i];
	if (!failed)
		return SIM_OK;
	result->block = failed->failed_block;
	result->warp = failed->failed_warp;
	result->problem = failed->problem;
	result->failed_cycle = failed->failed_cycle;
	if (failed->status == SIM_DEADLOCK || failed->status == SIM_LIVELOCK)
		deadlock_collect(failed, result);
	return failed->status;
}

/* Says how far the run is; from its own thread only. Notes an interruption. */
static void report(Run *run)
{
	const SimRequest *request = run->request;

	if (request->progress &&
	    !request->progress(request->progress_data,
			       (uint64_t)g_atomic_int_get(&run->blocks_done),
			       request->source->n_blocks))
		g_atomic_int_set(&run->interrupted, 1);
}

void run_report_here(Run *run)
{
	if (g_thread_self() == run->thread)
		report(run);
}

SimStatus run_report_progress(Run *run, uint64_t window)
{
	if (window % PROGRESS_WINDOWS == 0)
		report(run);
	return g_atomic_int_get(&run->interrupted) ? SIM_INTERRUPTED : SIM_OK;
}
