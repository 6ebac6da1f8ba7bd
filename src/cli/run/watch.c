/* SPDX-License-Identifier: MIT */
#include "cli/run/watch.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/advise.h"
#include "cli/cli.h"
#include "cli/explain/explain.h"

void watch_options_clear(WatchOptions *options)
{
	g_free(options->timeline);
	g_free(options->window);
	g_free(options->page);
	g_free(options->advice);
}

static gboolean refuse(GError **error, const char *problem)
{
	g_set_error_literal(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE, problem);
	return FALSE;
}

static gboolean check_timeline(const WatchOptions *options, guint n_traces, GError **error)
{
	TimelineWindow window;

	if (!timeline_has_format(options->timeline)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--timeline %s: allowed: a file name that ends in .json (Perfetto) "
			    "or .kanata (Konata)",
			    options->timeline);
		return FALSE;
	}
	if (n_traces > 1)
		return refuse(error, "--timeline shows one trace; several are given");
	return timeline_window_parse(options->window, &window, error) &&
	       overwrite_plan(options->timeline, &timeline_kind, error);
}

gboolean watch_check(const WatchOptions *options, guint n_traces, GError **error)
{
	if (options->window != NULL && options->timeline == NULL)
		return refuse(error, "--timeline-window: there is no --timeline");
	if (options->advice != NULL && options->page == NULL)
		return refuse(error, "--advice is on the page; there is no --report");
	if (options->timeline != NULL && !check_timeline(options, n_traces, error))
		return FALSE;
	if (options->page == NULL)
		return TRUE;
	if (!g_str_has_suffix(options->page, ".html")) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_USAGE,
			    "--report %s: allowed: a file name that ends in .html",
			    options->page);
		return FALSE;
	}
	if (n_traces > 1)
		return refuse(error, "--report shows one trace; several are given");
	return overwrite_plan(options->page, &html_kind, error);
}

static void notify_both(Observer *observer, const Instruction *instruction)
{
	Watch *watch = (Watch *)observer;
	Observer *timeline = timeline_observer(watch->timeline);
	Observer *page = html_watch_observer(watch->page);

	timeline->instruction(timeline, instruction);
	page->instruction(page, instruction);
}

gboolean watch_begin(Watch *watch, const WatchOptions *options, const Machine *machine,
		     const TraceReader *reader, GError **error)
{
	TimelineWindow window;

	watch->both.instruction = notify_both;
	if (options->page != NULL)
		watch->page = html_watch_new(machine);
	if (options->timeline == NULL)
		return TRUE;
	if (!timeline_window_parse(options->window, &window, error))
		return FALSE;
	watch->timeline = timeline_open(options->timeline, machine, trace_metadata_json(reader),
					&window, error);
	return watch->timeline != NULL;
}

Observer *watch_observer(Watch *watch)
{
	if (watch->timeline != NULL && watch->page != NULL)
		return &watch->both;
	if (watch->timeline != NULL)
		return timeline_observer(watch->timeline);
	return watch->page != NULL ? html_watch_observer(watch->page) : NULL;
}

/* --- The page --- */

/* The SASS of an atomic: of the site, or of the next where a loop's first load stands for it. NULL: not known. */
static const char *sass_of(const RunReport *report, uint32_t site)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");

	for (uint32_t i = site; site > 0 && i <= site + 1; i++) {
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
			cJSON_GetArrayItem(sites, (int)i - 1), "instruction"));

		if (name != NULL && g_str_has_prefix(name, "ATOM"))
			return name;
	}
	return NULL;
}

/* An atomic of the run as its warp alone would do it; NULL if that cannot be said. */
static cJSON *explain_atomic(const HtmlAtomic *atomic, const RunReport *report)
{
	const Record *record = &atomic->record;
	g_autofree ExplainRequest *request = g_new0(ExplainRequest, 1);
	g_auto(Explanation) explanation = {0};
	g_autofree char *where = report_site_label(report, record->site);
	const char *sass = sass_of(report, record->site);
	uint64_t left = record->mask;
	cJSON *object;

	if (left > UINT32_MAX)
		return NULL;
	request->machine = report->machine;
	request->operation = (Operation)record->operation;
	request->type = (ValueType)record->type;
	request->result = record->result;
	request->seed = report->seed;
	request->n_warps = 1;
	request->warps[0].mask = (uint32_t)left;
	for (uint32_t i = 0; i < record->n_lanes; i++, left &= left - 1)
		request->warps[0].word[__builtin_ctzll(left)] = record->address[i] / 4;
	if (!explain(request, &explanation, NULL))
		return NULL;
	object = explanation_to_cjson(request, &explanation);
	cJSON_AddStringToObject(object, "where", where);
	if (sass != NULL)
		cJSON_AddStringToObject(object, "instruction", sass);
	return object;
}

static cJSON *explain_atomics(const Watch *watch, const RunReport *report)
{
	cJSON *list = cJSON_CreateArray();
	guint n;
	const HtmlAtomic *atomics = html_watch_atomics(watch->page, &n);

	for (guint i = 0; i < n; i++) {
		cJSON *atomic = explain_atomic(&atomics[i], report);

		if (atomic != NULL)
			cJSON_AddItemToArray(list, atomic);
	}
	return list;
}

/* NULL: there is none, for the page is of a changed trace, or of a part of one, or nobody wants it. */
static cJSON *find_advice(const WatchOptions *options, const RunReport *report,
			  const ReplayResult *result, TraceReader *reader, const Config *config)
{
	const gboolean is_auto = options->advice_wanted == WANTED_AUTO;
	g_auto(AdviceReport) advice = {0};
	const AdviceRequest request = {
		.config = config,
		.reader = reader,
		.seed = report->seed,
		.n_threads = report->threads,
		.progress = cli_on_blocks,
		.unchanged = result->has_baseline && result->has_causes ? result : NULL,
		.most_instructions = is_auto ? ADVICE_MOST_INSTRUCTIONS : 0};

	if (options->advice_wanted == WANTED_NO || report->what_if != NULL ||
	    report->result->status != SIM_OK)
		return NULL;
	/* One change would be too long. */
	if (is_auto &&
	    report->result->statistics.warp_instructions > ADVICE_MOST_INSTRUCTIONS) {
		cJSON *object = cJSON_CreateObject();

		cJSON_AddTrueToObject(object, "too_long");
		return object;
	}
	if (!advise(&request, &advice, NULL))
		return NULL;
	return advice_to_cjson(&advice, report->trace_name, config);
}

static gboolean write_page(const Watch *watch, const WatchOptions *options,
			   const RunReport *report, const ReplayResult *result,
			   TraceReader *reader, const Config *config, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(trace_path(reader));
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = report_html(
		report, watch->page, explain_atomics(watch, report),
		find_advice(options, report, result, reader, config), folder, left_out);

	for (guint i = 0; i < left_out->len; i++) {
		g_autofree char *words = text_printable(g_ptr_array_index(left_out, i));

		g_printerr("atomsim: %s: does not quote %s\n", options->page, words);
	}
	return output_write_file(options->page, &html_kind, text, strlen(text), error);
}

gboolean watch_end(Watch *watch, const WatchOptions *options, const RunReport *report,
		   const ReplayResult *result, TraceReader *reader, const Config *config,
		   GError **error)
{
	guint64 left_out = 0;

	if (watch->timeline != NULL &&
	    !timeline_close(g_steal_pointer(&watch->timeline), &left_out, error))
		return FALSE;
	if (left_out > 0)
		g_printerr("atomsim: %s: %" G_GUINT64_FORMAT
			   " instructions of the window are left out; --timeline-window "
			   "chooses which\n",
			   options->timeline, left_out);
	return watch->page == NULL ||
	       write_page(watch, options, report, result, reader, config, error);
}

void watch_clear(Watch *watch)
{
	g_clear_pointer(&watch->timeline, timeline_abandon);
	g_clear_pointer(&watch->page, html_watch_free);
}
