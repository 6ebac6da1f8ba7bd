/* SPDX-License-Identifier: MIT */
/* Fields of a report that are no plain counter of its statistics. */
#include <math.h>
#include <string.h>

#include "config/provenance.h"
#include "replay/expected-error.h"
#include "replay/launch-time.h"
#include "report/cost.h"
#include "report/fields-internal.h"

/* Raw digits: cJSON's numbers are doubles and would round counts above 2^53. */
cJSON *field_count_item(uint64_t count)
{
	char digits[24];

	g_snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, count);
	return cJSON_CreateRaw(digits);
}

/* --- Of several fields --- */

static uint64_t count_at(gconstpointer owner, const Field *field)
{
	return *(const uint64_t *)(gconstpointer)((const char *)owner + field->offset);
}

cJSON *field_text(const RunReport *report, const Field *field)
{
	const char *text =
		*(const char *const *)(gconstpointer)((const char *)report + field->offset);

	return text ? cJSON_CreateString(text) : NULL;
}

cJSON *field_count(const RunReport *report, const Field *field)
{
	return field_count_item(count_at(report, field));
}

cJSON *field_estimated(const RunReport *report, const Field *field)
{
	return report->estimate ? field_count_item(count_at(report->estimate, field)) : NULL;
}

cJSON *field_per_second(const RunReport *report, const Field *field)
{
	const double count = (double)count_at(&report->result->statistics, field);

	return report->wall_s > 0 ? cJSON_CreateNumber(count / report->wall_s) : NULL;
}

cJSON *field_utilized(const RunReport *report, const Field *field)
{
	const char *utilization = (const char *)report->utilization;

	if (utilization == NULL)
		return NULL;
	/* Hundredths: the last digits of a sum are nobody's. */
	return cJSON_CreateNumber(
		round(100 * *(const double *)(gconstpointer)(utilization + field->offset)) /
		100);
}

cJSON *field_metadata_text(const RunReport *report, const Field *field)
{
	return field_named_text(report->metadata, field);
}

cJSON *field_named_text(const cJSON *object, const Field *field)
{
	const char *text = cJSON_GetStringValue(
		cJSON_GetObjectItemCaseSensitive(object, strrchr(field->path, '.') + 1));

	return text ? cJSON_CreateString(text) : NULL;
}

/* --- Of one --- */

cJSON *field_status(const RunReport *report)
{
	return cJSON_CreateString(report->result->status == SIM_INTERRUPTED ? "interrupted"
									    : "complete");
}

cJSON *field_time_us(const RunReport *report)
{
	return cJSON_CreateNumber(report_time_us(report, report->result->statistics.cycles));
}

cJSON *field_busy_cycles(const RunReport *report)
{
	if (report->machine->sm.launch_cycles == 0)
		return NULL;
	return field_count_item(
		launch_busy_cycles(report->machine, &report->result->statistics));
}

cJSON *field_elapsed_cycles(const RunReport *report)
{
	if (report->machine->launch_ns == 0)
		return NULL;
	return field_count_item(
		launch_elapsed_cycles(report->machine, &report->result->statistics));
}

cJSON *field_duration_us(const RunReport *report)
{
	const double us = launch_duration_us(report->machine, &report->result->statistics);

	return us > 0 ? cJSON_CreateNumber(us) : NULL;
}

cJSON *field_cost_bits(const RunReport *report)
{
	return field_count_item(cost_bits(report->machine));
}

cJSON *field_changes(const RunReport *report)
{
	cJSON *list = report->what_if != NULL ? cJSON_CreateArray() : NULL;

	for (guint i = 0; list != NULL && i < what_if_length(report->what_if); i++)
		cJSON_AddItemToArray(list,
				     cJSON_CreateString(what_if_text(report->what_if, i)));
	return list;
}

cJSON *field_unchanged_cycles(const RunReport *report)
{
	return report->what_if ? field_count_item(report->unchanged->statistics.cycles) : NULL;
}

cJSON *field_gain(const RunReport *report)
{
	return report->what_if ? cJSON_CreateNumber(report_gain(report)) : NULL;
}

cJSON *field_baseline_cycles(const RunReport *report)
{
	return report->baseline ? field_count_item(report->baseline->statistics.cycles) : NULL;
}

cJSON *field_order_item(RunOrderKind order)
{
	static const char *const names[] = {
		[ORDER_OWN] = "own",	 [ORDER_KEPT] = "kept",		[ORDER_PACED] = "paced",
		[ORDER_TIMED] = "timed", [ORDER_ORIGINAL] = "original",
	};

	return cJSON_CreateString(names[order]);
}

cJSON *field_baseline_order(const RunReport *report)
{
	return report->baseline ? field_order_item(report->baseline->order) : NULL;
}

cJSON *field_baseline_time_us(const RunReport *report)
{
	if (report->baseline == NULL)
		return NULL;
	return cJSON_CreateNumber(report_time_us(report, report->baseline->statistics.cycles));
}

cJSON *field_slowdown(const RunReport *report)
{
	uint64_t cycles = report->baseline ? report->baseline->statistics.cycles : 0;

	if (cycles == 0)
		return NULL;
	return cJSON_CreateNumber((double)report->result->statistics.cycles / (double)cycles);
}

cJSON *field_blocks(const RunReport *report)
{
	return field_count_item(report->result->blocks_done);
}

cJSON *field_assumptions(const RunReport *report)
{
	cJSON *list = cJSON_CreateArray();

	for (guint i = 0; report->assumptions != NULL && report->assumptions[i] != NULL; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(report->assumptions[i]));
	return list;
}

cJSON *field_provenance(const RunReport *report)
{
	g_auto(ProvenanceCounts) counts = {0};

	if (report->config == NULL)
		return NULL;
	provenance_count(report->config, &counts);
	return provenance_counts_json(&counts);
}

cJSON *field_config(const RunReport *report)
{
	return report->config != NULL ? config_to_cjson(report->config) : NULL;
}

/* --- Performance of atomsim itself, left out where equal runs must give equal bytes --- */

cJSON *field_wall_s(const RunReport *report)
{
	return report->wall_s >= 0 ? cJSON_CreateNumber(report->wall_s) : NULL;
}

cJSON *field_expected_class(const RunReport *report)
{
	const char *class = report_expected_class(report);

	return class ? cJSON_CreateString(class) : NULL;
}

cJSON *field_expected_launches(const RunReport *report)
{
	const ExpectedError *error = report_expected_error(report);

	return field_count_item(error ? error->points : 0);
}

cJSON *field_expected_median(const RunReport *report)
{
	const ExpectedError *error = report_expected_error(report);

	return error ? cJSON_CreateNumber(error->median) : NULL;
}

cJSON *field_expected_p90(const RunReport *report)
{
	const ExpectedError *error = report_expected_error(report);

	return error ? cJSON_CreateNumber(error->high) : NULL;
}

cJSON *field_expected_none(const RunReport *report)
{
	g_autofree char *none = report_expected_none(report);

	return none ? cJSON_CreateString(none) : NULL;
}

cJSON *field_threads(const RunReport *report)
{
	return report->wall_s >= 0 ? field_count_item(report->threads) : NULL;
}

cJSON *field_sms_simulated(const RunReport *report)
{
	return report->wall_s >= 0 ? field_count_item(report->result->sms_simulated) : NULL;
}

/* --- What is estimated, and how well --- */

cJSON *field_within_percent(const RunReport *report)
{
	return report->estimate && report->estimate->within > 0
		       ? cJSON_CreateNumber(100 * report->estimate->within)
		       : NULL;
}

cJSON *field_confidence(const RunReport *report)
{
	return report->estimate ? cJSON_CreateNumber(ESTIMATE_CONFIDENCE) : NULL;
}

cJSON *field_sampled(const RunReport *report)
{
	const Estimate *estimate = report->estimate;
	g_autofree char *no =
		estimate && estimate->whole ? g_strdup_printf("no: %s", estimate->whole) : NULL;

	return estimate ? cJSON_CreateString(no ? no : "yes") : NULL;
}
