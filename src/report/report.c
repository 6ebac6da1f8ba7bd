/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <string.h>

#include "replay/known-errors.h"

const ReportFormat *const report_formats[N_REPORT_FORMATS] = {&report_text, &report_json,
							      &report_csv};

double report_time_us(const RunReport *report, uint64_t cycles)
{
	return report->machine->clock_mhz > 0 ? (double)cycles / report->machine->clock_mhz
					      : 0.0;
}

char *report_launch(const RunReport *report)
{
	const LaunchState *launch = &report->machine->launch;
	const uint32_t n = machine_launch_sms(report->machine);
	const gboolean fewer = n < report->machine->sm.count;
	GString *text = g_string_new(NULL);

	if (report->result->statistics.memory.accesses > 0)
		g_string_append_printf(text, ", L2 %s, place %s", launch_l2_names[launch->l2],
				       launch_place_names[launch->place]);
	if (fewer)
		g_string_append_printf(text, ", %u SM%s", n, n == 1 ? "" : "s");
	if (launch->warps != LAUNCH_WARPS_STAGGERED)
		g_string_append_printf(text, ", warps %s", launch_warps_names[launch->warps]);
	g_string_erase(text, 0, MIN(text->len, 2));
	return g_string_free(text, text->len == 0);
}

double report_gain(const RunReport *report)
{
	return (double)report->unchanged->statistics.cycles /
	       (double)MAX(report->result->statistics.cycles, 1);
}

/* Whether the trace says that it was not recorded from a program that ran. */
static gboolean is_made_up(const RunReport *report)
{
	const char *source = cJSON_GetStringValue(
		cJSON_GetObjectItemCaseSensitive(report->metadata, "source"));

	return source != NULL && strcmp(source, "capture") != 0;
}

const KnownError *report_known_error(const RunReport *report, const char **why)
{
	const KnownError *known =
		known_kernel_error(report->machine, &report->result->statistics);
	const char *none = NULL;

	if (report->machine->changed)
		none = "the config is not the one that was held against kernels";
	else if (known == NULL)
		none = "no kernel like it was measured";
	else if (is_made_up(report))
		none = "what was held against kernels are captured traces";
	if (why != NULL)
		*why = none;
	return none == NULL ? known : NULL;
}
