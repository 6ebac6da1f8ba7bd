/* SPDX-License-Identifier: MIT */
/* From points to the results in a folder. */
#include "answer/sweep/sweep.h"

#include "report/counts.h"

/* What a folder says of a sweep that is gone on with has been checked when it was begun. */
static gboolean check_new(const SweepJob *job, const char *path, const cJSON *manifest,
			  const SweepHow *how, GError **error)
{
	return !how->resume || sweep_folder_is_of(path, manifest) ||
	       sweep_check(&job->sweep, error);
}

static SweepFolder *open_folder(const SweepJob *job, const char *path, const SweepHow *how,
				GError **error)
{
	cJSON *manifest =
		sweep_manifest_new(&job->sweep, PACKAGE_VERSION, report_counts_names(), error);
	SweepFolder *folder = NULL;

	if (manifest != NULL && check_new(job, path, manifest, how, error))
		folder = sweep_folder_open(path, manifest, &job->sweep.shard,
					   sweep_n_points(&job->sweep), how->resume, error);
	cJSON_Delete(manifest);
	return folder;
}

gboolean sweep_job_run(SweepJob *job, const char *path, const SweepHow *how, SweepDone *done,
		       GError **error)
{
	const SweepHooks hooks = {how->n_threads,     sweep_brief, how->progress,
				  how->progress_data, how->seen,   how->seen_data};
	const SweepWriter writer = {sweep_whole, &job->sweep, sweep_row};
	g_autoptr(SweepFolder) folder = open_folder(job, path, how, error);

	if (folder == NULL || !sweep_run(&job->sweep, folder, &hooks, &done->tally, error))
		return FALSE;
	if (!sweep_folder_finish(folder, &writer, error))
		return FALSE;
	done->n_failed = sweep_folder_n_failed(folder);
	return TRUE;
}
