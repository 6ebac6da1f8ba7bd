/* SPDX-License-Identifier: MIT */
/* The library's door: sweeps. */
#include "library/library.h"

#include <string.h>

#include "answer/sweep/sweep.h"
#include "base/output.h"

/* Readers of their own: the caller's traces may be in other calls. */
static bool open_again(AtomsimTrace *const *traces, GPtrArray *inputs, GError **error)
{
	for (guint i = 0; traces != NULL && traces[i] != NULL; i++) {
		const char *path = trace_path(traces[i]->reader);
		TraceReader *reader = traces[i]->bytes
					      ? trace_open_bytes(path, traces[i]->bytes, error)
					      : trace_open(path, error);

		if (reader == NULL)
			return false;
		g_ptr_array_add(inputs, sweep_input_new(reader, traces[i]->asked));
	}
	return true;
}

static gboolean on_progress(gpointer data, guint64 done, guint64 total)
{
	const AtomsimOptions *options = data;

	return options->progress == NULL || options->progress(options->data, done, total);
}

static char *run_in(const char *folder, SweepJob *job, AtomsimOptions *options, GError **error)
{
	const SweepHow how = {.n_threads = options->threads,
			      .progress = on_progress,
			      .progress_data = options};
	g_autofree char *path = g_build_filename(folder, SWEEP_RESULTS, NULL);
	SweepDone done = {0};
	char *text = NULL;

	if (sweep_job_run(job, folder, &how, &done, error))
		g_file_get_contents(path, &text, NULL, error);
	return text;
}

static char *sweep(const AtomsimConfig *config, AtomsimTrace *const *traces, const char *text,
		   AtomsimOptions *options, GError **error)
{
	g_autoptr(GPtrArray) inputs =
		g_ptr_array_new_with_free_func((GDestroyNotify)sweep_input_free);
	const SweepAtHand at_hand = {config ? config->config : NULL, inputs};
	g_auto(SweepWords) words = {0};
	g_auto(SweepJob) job = {0};
	char *folder, *results;

	sweep_words_init(&words);
	if (!sweep_text_read("sweep", text, strlen(text), &words, error) ||
	    !open_again(traces, inputs, error))
		return NULL;
	if (inputs->len > 0)
		g_ptr_array_set_size(words.traces, 0);
	if (!sweep_words_check(&words, &at_hand, error))
		return NULL;
	if (words.seed == 0)
		words.seed = (gint64)options->seed;
	if (!sweep_job_init(&job, &words, &at_hand, TRUE, error))
		return NULL;
	folder = output_folder_new("sweep", error);
	if (folder == NULL)
		return NULL;
	results = run_in(folder, &job, options, error);
	output_folder_remove(folder);
	return results;
}

char *atomsim_sweep(const AtomsimConfig *config, AtomsimTrace *const *traces, const char *words,
		    const AtomsimOptions *given, AtomsimError **error)
{
	GError *problem = NULL;
	AtomsimOptions options;
	char *results;

	if (!library_given(words, "words", "what a sweep file says", error) ||
	    !library_options(given, false, &options, error))
		return NULL;
	results = sweep(config, traces, words, &options, &problem);
	if (results == NULL)
		library_fail(error, problem);
	return results;
}
