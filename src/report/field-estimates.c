/* SPDX-License-Identifier: MIT */
/* Fields of a report that say what of it is estimated, and how well. */
#include <stddef.h>

#include "report/fields-internal.h"

static cJSON *estimate_count(const RunReport *report, size_t offset)
{
	const char *estimate = (const char *)report->estimate;

	return estimate ? field_count_item(*(const uint64_t *)(const void *)(estimate + offset))
			: NULL;
}

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

cJSON *field_cycles_low(const RunReport *report)
{
	return estimate_count(report, offsetof(Estimate, low));
}

cJSON *field_cycles_high(const RunReport *report)
{
	return estimate_count(report, offsetof(Estimate, high));
}

cJSON *field_waves(const RunReport *report)
{
	return estimate_count(report, offsetof(Estimate, n_waves));
}

cJSON *field_waves_simulated(const RunReport *report)
{
	return estimate_count(report, offsetof(Estimate, waves));
}

cJSON *field_blocks_simulated(const RunReport *report)
{
	return estimate_count(report, offsetof(Estimate, blocks));
}

cJSON *field_records_skipped(const RunReport *report)
{
	return estimate_count(report, offsetof(Estimate, records_skipped));
}

cJSON *field_instructions_simulated(const RunReport *report)
{
	return estimate_count(report, offsetof(Estimate, simulated_instructions));
}

cJSON *field_sampled(const RunReport *report)
{
	const Estimate *estimate = report->estimate;
	g_autofree char *no =
		estimate && estimate->whole ? g_strdup_printf("no: %s", estimate->whole) : NULL;

	return estimate ? cJSON_CreateString(no ? no : "yes") : NULL;
}
