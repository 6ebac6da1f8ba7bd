/* SPDX-License-Identifier: MIT */
/* The library's door: runs and advice. */
#include "library/library.h"

#include <string.h>

#include "answer/advice.h"
#include "answer/run.h"
#include "base/error.h"

#define KEPT_BYTES	  (UINT64_C(1) << 24) /* of a trace that is run several times */
#define KEPT_ADVICE_BYTES (UINT64_C(1) << 28) /* of one that is run many times */

bool library_options(const AtomsimOptions *given, bool alone, AtomsimOptions *options,
		     AtomsimError **error)
{
	GError *problem = NULL;
	const char *odd = NULL;

	*options = (AtomsimOptions){.size = sizeof(*options)};
	if (given != NULL && given->size < sizeof(given->size))
		atomsim_fail(&problem, ATOMSIM_ERROR_USAGE,
			     "AtomsimOptions.size is %zu; allowed: sizeof(AtomsimOptions)",
			     given->size);
	else if (given != NULL)
		memcpy(options, given, MIN(given->size, sizeof(*options)));
	if (options->threads == 0)
		options->threads = g_get_num_processors();
	if (options->what_ifs != NULL && options->what_ifs[0] != NULL)
		odd = "what_ifs";
	else if (options->causes != ATOMSIM_AUTO)
		odd = "causes";
	else if (options->page)
		odd = "page";
	if (problem == NULL && !alone && odd != NULL)
		atomsim_fail(&problem, ATOMSIM_ERROR_USAGE,
			     "AtomsimOptions.%s is set; allowed: for atomsim_run alone", odd);
	if (problem != NULL)
		library_fail(error, problem);
	return problem == NULL;
}

/* The changes, of which there may be none, and the config with them. */
static bool read_what_ifs(const AtomsimConfig *config, const AtomsimOptions *options,
			  WhatIf *what_if, Config **changed, GError **error)
{
	for (guint i = 0; options->what_ifs != NULL && options->what_ifs[i] != NULL; i++)
		if (!what_if_add(what_if, options->what_ifs[i], error))
			return false;
	*changed = replay_config(config->config, what_if, error);
	return *changed != NULL;
}

/* The result of a run that has its report. */
static AtomsimResult *take_answer(const AtomsimConfig *config, const RunRequest *request,
				  const RunAnswer *answer, const HtmlWatch *watch)
{
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	AtomsimResult *result = library_result(
		report_object(answer->report),
		watch ? run_page(request, answer, watch, WANTED_AUTO, left_out) : NULL);

	if (answer->result.baseline_error != NULL)
		g_ptr_array_add(result->notes,
				g_strdup(answer->result.baseline_error->message));
	run_notes(request, answer, (const char *const *)config->settings->pdata,
		  config->shipped, result->notes);
	return result;
}

static AtomsimResult *run(const AtomsimConfig *config, const AtomsimTrace *trace,
			  const AtomsimOptions *options, GError **error)
{
	static const Wanted wanted[] = {[ATOMSIM_AUTO] = WANTED_AUTO,
					[ATOMSIM_YES] = WANTED_YES,
					[ATOMSIM_NO] = WANTED_NO};
	g_autoptr(WhatIf) what_if = what_if_new();
	g_autoptr(Config) changed = NULL;
	g_auto(RunAnswer) answer = {0};
	g_autoptr(GError) interruption = NULL;
	HtmlWatch *watch = NULL;
	AtomsimResult *result = NULL;

	if (!read_what_ifs(config, options, what_if, &changed, error))
		return NULL;
	if (options->page)
		watch = html_watch_new(config_machine(changed));
	const RunRequest request = {
		.config = changed,
		.plain = config->config,
		.config_name = config->name,
		.reader = trace->reader,
		.trace_name = trace->name,
		.what_if = what_if_length(what_if) > 0 ? what_if : NULL,
		.seed = options->seed,
		.n_threads = options->threads,
		.baseline = !options->no_baseline,
		.causes = wanted[MIN(options->causes, ATOMSIM_NO)],
		.observer = watch ? html_watch_observer(watch) : NULL,
		.progress = options->progress,
		.progress_data = options->data,
	};
	if (request.causes != WANTED_NO)
		trace_keep_decoded(trace->reader, KEPT_BYTES);
	if (run_answer(&request, &answer, &interruption, error)) {
		if (interruption != NULL)
			g_propagate_error(error, g_steal_pointer(&interruption));
		else
			result = take_answer(config, &request, &answer, watch);
	}
	g_clear_pointer(&watch, html_watch_free);
	return result;
}

/* What both functions are given. */
static bool check(const AtomsimConfig *config, const AtomsimTrace *trace, AtomsimError **error)
{
	return library_given(config, "config", "a config", error) &&
	       library_given(trace, "trace", "a trace", error);
}

AtomsimResult *atomsim_run(const AtomsimConfig *config, AtomsimTrace *trace,
			   const AtomsimOptions *given, AtomsimError **error)
{
	GError *problem = NULL;
	AtomsimOptions options;
	AtomsimResult *result;

	if (!check(config, trace, error) || !library_options(given, true, &options, error))
		return NULL;
	result = run(config, trace, &options, &problem);
	if (result == NULL)
		library_fail(error, problem);
	return result;
}

/* Keeps that the caller wants no more. */
typedef struct {
	const AtomsimOptions *options;
	bool stopped;
} Patience;

static bool go_on(void *data, uint64_t blocks_done, uint64_t n_blocks)
{
	Patience *patience = data;
	const AtomsimOptions *options = patience->options;

	if (!patience->stopped && options->progress != NULL)
		patience->stopped = !options->progress(options->data, blocks_done, n_blocks);
	return !patience->stopped;
}

AtomsimResult *atomsim_advise(const AtomsimConfig *config, AtomsimTrace *trace,
			      const AtomsimOptions *given, AtomsimError **error)
{
	g_auto(AdviceReport) report = {0};
	GError *problem = NULL;
	AtomsimOptions options;
	Patience patience = {.options = &options};

	if (!check(config, trace, error) || !library_options(given, false, &options, error))
		return NULL;
	trace_keep_decoded(trace->reader, KEPT_ADVICE_BYTES);
	const AdviceRequest request = {.config = config->config,
				       .reader = trace->reader,
				       .seed = options.seed,
				       .n_threads = options.threads,
				       .progress = go_on,
				       .progress_data = &patience};
	if (advise(&request, &report, &problem) && patience.stopped)
		atomsim_fail(&problem, ATOMSIM_ERROR_RUN, "advise: interrupted");
	if (problem == NULL)
		advice_judge(&report, config->config, trace->reader);
	if (problem == NULL)
		return library_result(advice_object(&report, trace->asked, config->config),
				      NULL);
	library_fail(error, problem);
	return NULL;
}
