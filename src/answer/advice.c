/* SPDX-License-Identifier: MIT */
#include "answer/advice.h"

#include "model/ideals.h"

static cJSON *one_object(const Advice *advice)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *error;

	cJSON_AddNumberToObject(object, "gain", advice->gain);
	cJSON_AddNumberToObject(object, "cycles", (double)advice->cycles);
	if (advice->behind_cycles > 0)
		cJSON_AddNumberToObject(object, "behind_cycles", (double)advice->behind_cycles);
	cJSON_AddStringToObject(object, "cause", advice_cause_names[advice->cause]);
	cJSON_AddStringToObject(object, "words", advice->words);
	cJSON_AddStringToObject(object, advice->of_design ? "set" : "what_if", advice->change);
	if (advice->buffer > 0) {
		cJSON_AddNumberToObject(object, "buffer", advice->buffer);
	} else if (!advice->of_design) {
		cJSON_AddNumberToObject(object, "first_byte", advice->first_byte);
		cJSON_AddNumberToObject(object, "last_byte", advice->last_byte);
	}
	if (advice->line > 0)
		cJSON_AddNumberToObject(object, "line", advice->line);
	cJSON_AddNumberToObject(object, "shared_bytes", advice->shared_bytes);
	cJSON_AddNumberToObject(object, "resident_blocks", advice->resident_blocks);
	if (advice->expected_points == 0) {
		cJSON_AddNullToObject(object, "expected_error");
		return object;
	}
	error = cJSON_AddObjectToObject(object, "expected_error");
	cJSON_AddNumberToObject(error, "points", advice->expected_points);
	cJSON_AddNumberToObject(error, "median", advice->expected_median);
	cJSON_AddNumberToObject(error, "max", advice->expected_max);
	return object;
}

static void add_list(cJSON *object, const char *name, const GPtrArray *all)
{
	cJSON *list = cJSON_AddArrayToObject(object, name);

	for (guint i = 0; i < all->len; i++)
		cJSON_AddItemToArray(list, one_object(all->pdata[i]));
}

static void add_limits(cJSON *object, const AdviceReport *report)
{
	cJSON *list = cJSON_AddArrayToObject(object, "not_simulated");

	for (guint i = 0; i < report->limits->len; i++) {
		const AdviceLimit *limit = &g_array_index(report->limits, AdviceLimit, i);
		cJSON *item = cJSON_CreateObject();

		cJSON_AddNumberToObject(item, "most_gain", limit->most_gain);
		cJSON_AddStringToObject(item, "cause", advice_cause_names[limit->cause]);
		cJSON_AddStringToObject(item, "words", limit->words);
		cJSON_AddItemToArray(list, item);
	}
}

static void add_refused(cJSON *object, const AdviceReport *report)
{
	cJSON *list = cJSON_AddArrayToObject(object, "refused");

	for (guint i = 0; i < report->refused->len; i++) {
		const AdviceRefusal *refusal = report->refused->pdata[i];
		cJSON *item = cJSON_CreateObject();

		cJSON_AddStringToObject(item, "what_if", refusal->change);
		cJSON_AddStringToObject(item, "why", refusal->why);
		cJSON_AddItemToArray(list, item);
	}
}

/* Cycles without each thing that can have cost any. */
static void add_causes(cJSON *object, const AdviceReport *report)
{
	cJSON *causes = cJSON_AddObjectToObject(object, "cycles_without");

	for (unsigned i = 0; i < N_IDEALS; i++)
		if (report->causes.without[i].known)
			cJSON_AddNumberToObject(causes, ideal_names[i],
						(double)report->causes.without[i].cycles);
}

cJSON *advice_object(const AdviceReport *report, const char *trace, const Config *config)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "trace", trace);
	cJSON_AddStringToObject(object, "machine", config_machine(config)->name);
	cJSON_AddNumberToObject(object, "cycles", (double)report->cycles);
	cJSON_AddNumberToObject(object, "contention_free_cycles",
				(double)report->contention_free_cycles);
	cJSON_AddNumberToObject(object, "shared_bytes", report->shared_bytes);
	cJSON_AddNumberToObject(object, "resident_blocks", report->resident_blocks);
	cJSON_AddNumberToObject(object, "tried", report->tried);
	if (report->too_long)
		cJSON_AddTrueToObject(object, "too_long");
	add_list(object, "advice", report->advice);
	add_list(object, "designs", report->designs);
	add_limits(object, report);
	add_refused(object, report);
	add_causes(object, report);
	if (report->nothing)
		cJSON_AddStringToObject(object, "nothing", report->nothing);
	return object;
}
