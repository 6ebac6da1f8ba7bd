/* SPDX-License-Identifier: MIT */
#include "answer/run.h"

#include "base/error.h"

static Replay replay_of(const RunRequest *request)
{
	return (Replay){
		.machine = config_machine(request->config),
		.reader = request->reader,
		.name = request->trace_name,
		.seed = request->seed,
		.n_threads = request->n_threads,
		.all_sms = request->all_sms,
		.baseline = request->baseline,
		.causes = request->causes,
		.sites = true,
		.utilization = !request->no_utilization,
		.sampled = request->what_if == NULL,
		.within = request->within,
		.observer = request->observer,
		.progress = request->progress,
		.progress_data = request->progress_data,
	};
}

/* The trace as it is on the machine as it is, to compare with; then the changes. */
static gboolean run_unchanged(const RunRequest *request, RunAnswer *answer, GError **error)
{
	Replay replay = replay_of(request);

	replay.machine = config_machine(request->plain);
	replay.baseline = replay.sites = replay.utilization = false;
	replay.causes = WANTED_NO;
	replay.observer = NULL;
	answer->unchanged = g_new0(ReplayResult, 1);
	return replay_run(&replay, answer->unchanged, error) &&
	       replay_change(request->reader, request->what_if, &answer->changed, error);
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
		atomsim_fail(interruption, ATOMSIM_ERROR_RUN,
			     "interrupted in the search for causes");
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

gboolean run_answer(const RunRequest *request, RunAnswer *answer, GError **interruption,
		    GError **error)
{
	Replay replay = replay_of(request);
	GError *why = NULL;

	if (request->what_if != NULL && !run_unchanged(request, answer, error))
		return FALSE;
	replay.source = answer->changed.source;
	replay_and_digest(&replay, &answer->result, &why);
	if (!check_end(&answer->result, why, interruption, error))
		return FALSE;
	answer->report = report_new(request->config, request->config_name, &replay,
				    &answer->result, error);
	if (answer->report == NULL)
		return FALSE;
	answer->report->what_if = request->what_if;
	answer->report->unchanged = answer->unchanged != NULL ? &answer->unchanged->run : NULL;
	return TRUE;
}

void run_answer_clear(RunAnswer *answer)
{
	g_clear_pointer(&answer->report, report_free);
	replay_result_clear(&answer->result);
	if (answer->unchanged != NULL)
		replay_result_clear(answer->unchanged);
	g_clear_pointer(&answer->unchanged, g_free);
	changed_source_clear(&answer->changed);
}
