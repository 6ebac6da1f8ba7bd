/* SPDX-License-Identifier: MIT */
#include "report/report.h"

const ReportFormat *const report_formats[N_REPORT_FORMATS] = {&report_text, &report_json,
							      &report_csv};

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
