/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <string.h>

const ReportFormat *const report_formats[] = {&report_text, &report_json, &report_csv, NULL};

const ReportFormat *report_format_find(const char *name)
{
	for (guint i = 0; report_formats[i] != NULL; i++)
		if (strcmp(report_formats[i]->name, name) == 0)
			return report_formats[i];
	return NULL;
}

char *report_format_names(void)
{
	GString *names = g_string_new(NULL);

	for (guint i = 0; report_formats[i] != NULL; i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
				       report_formats[i]->name);
	return g_string_free(names, FALSE);
}

double report_time_us(const RunReport *report, uint64_t cycles)
{
	return report->machine->clock_mhz > 0 ? (double)cycles / report->machine->clock_mhz
					      : 0.0;
}

double report_gain(const RunReport *report)
{
	return (double)report->unchanged->statistics.cycles /
	       (double)MAX(report->result->statistics.cycles, 1);
}
