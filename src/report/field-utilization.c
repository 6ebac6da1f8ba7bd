/* SPDX-License-Identifier: MIT */
/* Fields of a report that say how busy units were. */
#include "report/fields-internal.h"

#include <math.h>

static cJSON *percent(const RunReport *report, Utilized kind, gboolean busiest)
{
	const UtilizedTime *time;

	if (report->utilization == NULL)
		return NULL;
	time = &report->utilization->times[kind];
	/* Hundredths: the last digits of a sum are nobody's. */
	return cJSON_CreateNumber(round(100 * (busiest ? time->busiest : time->mean)) / 100);
}

#define X(constant, name, doc, counter)                                                        \
	cJSON *field_mean_##name(const RunReport *report)                                      \
	{                                                                                      \
		return percent(report, UTILIZED_##constant, FALSE);                            \
	}                                                                                      \
	cJSON *field_busiest_##name(const RunReport *report)                                   \
	{                                                                                      \
		return percent(report, UTILIZED_##constant, TRUE);                             \
	}
UTILIZED(X)
#undef X
