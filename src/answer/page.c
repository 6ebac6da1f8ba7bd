/* SPDX-License-Identifier: MIT */
/* The page of a run: what it shows beside the report. */
#include "answer/run.h"

#include "answer/advice.h"
#include "answer/explanation.h"

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
	object = explanation_object(request, &explanation);
	cJSON_AddStringToObject(object, "where", where);
	if (sass != NULL)
		cJSON_AddStringToObject(object, "instruction", sass);
	return object;
}

static cJSON *explain_atomics(const HtmlWatch *watch, const RunReport *report)
{
	cJSON *list = cJSON_CreateArray();
	guint n;
	const HtmlAtomic *atomics = html_watch_atomics(watch, &n);

	for (guint i = 0; i < n; i++) {
		cJSON *atomic = explain_atomic(&atomics[i], report);

		if (atomic != NULL)
			cJSON_AddItemToArray(list, atomic);
	}
	return list;
}

/* NULL: there is none, for the page is of a changed trace, or of a part of one, or nobody wants it. */
static cJSON *find_advice(const RunRequest *request, const RunAnswer *answer, Wanted wanted)
{
	const RunReport *report = answer->report;
	const ReplayResult *result = &answer->result;
	g_auto(AdviceReport) advice = {0};
	const AdviceRequest asked = {
		.config = request->config,
		.reader = request->reader,
		.seed = request->seed,
		.n_threads = request->n_threads,
		.progress = request->progress,
		.progress_data = request->progress_data,
		.unchanged = result->has_baseline && result->has_causes ? result : NULL,
		.most_instructions = wanted == WANTED_AUTO ? ADVICE_MOST_INSTRUCTIONS : 0};

	if (wanted == WANTED_NO || report->what_if != NULL || report->result->status != SIM_OK)
		return NULL;
	/* One change would be too long. */
	if (wanted == WANTED_AUTO &&
	    report->result->statistics.warp_instructions > ADVICE_MOST_INSTRUCTIONS) {
		cJSON *object = cJSON_CreateObject();

		cJSON_AddTrueToObject(object, "too_long");
		return object;
	}
	if (!advise(&asked, &advice, NULL))
		return NULL;
	advice_judge(&advice, request->config, request->reader);
	return advice_object(&advice, report->trace_name, request->config);
}

char *run_page(const RunRequest *request, const RunAnswer *answer, const HtmlWatch *watch,
	       Wanted advice, GPtrArray *left_out)
{
	g_autofree char *folder = g_path_get_dirname(trace_path(request->reader));

	return report_html(answer->report, watch, explain_atomics(watch, answer->report),
			   find_advice(request, answer, advice), folder, left_out);
}
