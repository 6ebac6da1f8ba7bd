/* SPDX-License-Identifier: MIT */
#include "replay/replay.h"

#include "base/error.h"
#include "replay/failure.h"

/* Why the run of a request ended before its end. */
static void set_error(const Replay *replay, const char *place, const SimResult *result,
		      GError **error)
{
	if (result->status == SIM_SOURCE_FAILED && replay->reader != NULL &&
	    trace_failure(replay->reader) != NULL)
		g_propagate_error(error, g_error_copy(trace_failure(replay->reader)));
	else
		replay_set_failure(place, replay->machine, result,
				   replay->reader ? trace_metadata_json(replay->reader) : NULL,
				   error);
}

static void run_baseline(const Replay *replay, IdealRuns *runs, const char *name,
			 ReplayResult *result)
{
	g_autofree IdealRun *free_run = g_new(IdealRun, 1);
	g_autofree char *place = NULL;

	free_run->machine = machine_with_ideals(replay->machine, N_CONTENTION_IDEALS);
	if (ideal_runs_make(runs, free_run, 1) && free_run->result.status == SIM_OK)
		result->has_baseline = true;
	result->baseline = free_run->result;
	if (!result->has_baseline && result->baseline.status == SIM_OK)
		result->baseline.status = SIM_INTERRUPTED;
	if (result->has_baseline)
		return;
	place = g_strdup_printf("%s: no figure without contention", name);
	set_error(replay, place, &result->baseline, &result->baseline_error);
}

/* What it cost: cycles first, as most instructions have no other cost. */
static gint compare_sites(gconstpointer a, gconstpointer b)
{
	const HotSpot *x = a, *y = b;

	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? 1 : -1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Of all sites those that cost anything, or whose lanes a combiner met, costliest first. */
static GArray *costly_sites(const HotSpot *all, uint32_t n_sites)
{
	GArray *sites = g_array_new(FALSE, FALSE, sizeof(HotSpot));

	for (uint32_t i = 0; i <= n_sites; i++)
		if (all[i].cycles + all[i].failures + all[i].passes + all[i].lane_operations +
				    all[i].local_segments >
			    0 ||
		    combine_counters_any(&all[i].combined))
			g_array_append_val(sites, all[i]);
	g_array_sort(sites, compare_sites);
	return sites;
}

/* Where nobody says: by what the run has executed, which is the same everywhere. */
static bool wants_causes(const Replay *replay, const SimResult *run)
{
	return replay->causes == WANTED_YES ||
	       (replay->causes == WANTED_AUTO &&
		run->statistics.warp_instructions <= CAUSES_MOST_INSTRUCTIONS);
}

/* The baseline and the causes of a run that has reached its end. */
static void find_ideals(const Replay *replay, const SimRequest *request, const char *name,
			ReplayResult *result)
{
	IdealRuns runs = {.request = request, .run = &result->run};

	if (replay->baseline)
		run_baseline(replay, &runs, name, result);
	if (!replay_interrupted(result) && wants_causes(replay, &result->run)) {
		result->has_causes =
			causes_find(&runs, result->has_baseline ? &result->baseline : NULL,
				    &result->causes);
		result->causes_interrupted = !result->has_causes;
	}
	ideal_runs_clear(&runs);
}

/* Whether the run that is asked for can be that of a sample. */
static gboolean check_sample(const Replay *replay, const TraceSample *sample, GError **error)
{
	RecordSource *source = trace_source(replay->reader);
	const uint64_t lacks = estimate_sample_lacks(replay->machine, source);
	g_autofree char *problem = NULL;

	if (!replay->sampled || replay->source || replay->observer)
		problem = g_strdup("this needs all of them; 'atomsim run' alone estimates the "
				   "launch");
	else if (lacks > 0)
		problem = g_strdup_printf("on this machine an estimate needs %" G_GUINT64_FORMAT
					  " more: sample more waves",
					  lacks);
	else
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_TRACE,
			    "%s: a sample of %" G_GUINT64_FORMAT
			    " of a launch's %" G_GUINT64_FORMAT " blocks: %s",
			    trace_path(replay->reader), source->n_blocks, sample->blocks,
			    problem);
}

/* The run alone. FALSE if there is none; how it ended says its status. */
static gboolean simulate(const Replay *replay, const SimRequest *request,
			 const TraceSample *sample, ReplayResult *result, GError **error)
{
	result->has_estimate = sample->blocks > 0 || replay->within > 0;
	if (sample->blocks > 0 && !check_sample(replay, sample, error)) {
		result->run.status = SIM_SOURCE_FAILED;
		return FALSE;
	}
	if (sample->blocks > 0)
		estimate_sample(request, replay->reader, sample, replay->within, &result->run,
				&result->estimate);
	else if (replay->within > 0)
		estimate_run(request, replay->reader, replay->within, &result->run,
			     &result->estimate);
	else
		sim_run(request, &result->run);
	return TRUE;
}

gboolean replay_run(const Replay *replay, ReplayResult *result, GError **error)
{
	TraceReader *reader = replay->reader;
	const char *name = replay->name != NULL ? replay->name : trace_path(reader);
	SimRequest request = {
		.machine = replay->machine,
		.source = replay->source != NULL ? replay->source : trace_source(reader),
		.seed = replay->seed,
		.n_threads = replay->n_threads,
		.all_sms = replay->all_sms,
		.n_sites = reader != NULL ? trace_n_sites(reader) : replay->n_sites,
		.observer = replay->observer,
		.progress = replay->progress,
		.progress_data = replay->progress_data,
	};
	g_autofree HotSpot *sites = NULL;
	g_auto(TraceSample) sample = {0};
	gint64 start_us = g_get_monotonic_time();

	replay_result_clear(result);
	if (reader != NULL && !trace_sample(reader, &sample, error))
		return FALSE;
	if (replay->sites)
		request.sites = sites = g_new(HotSpot, (gsize)request.n_sites + 1);
	result->has_utilization =
		replay->utilization && replay->within <= 0 && sample.blocks == 0;
	if (result->has_utilization)
		request.utilization = &result->utilization;
	if (!simulate(replay, &request, &sample, result, error))
		return FALSE;
	result->wall_s = (double)(g_get_monotonic_time() - start_us) / G_USEC_PER_SEC;
	if (replay->sites)
		result->sites = costly_sites(sites, request.n_sites);
	if (result->run.status != SIM_OK) {
		set_error(replay, name, &result->run, error);
		return FALSE;
	}
	if (sample.blocks == 0)
		find_ideals(replay, &request, name, result);
	return TRUE;
}

gboolean replay_interrupted(const ReplayResult *result)
{
	return result->run.status == SIM_INTERRUPTED ||
	       result->baseline.status == SIM_INTERRUPTED || result->causes_interrupted;
}

void replay_result_clear(ReplayResult *result)
{
	g_clear_error(&result->baseline_error);
	g_clear_pointer(&result->sites, g_array_unref);
	*result = (ReplayResult){0};
}
