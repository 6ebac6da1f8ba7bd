/* SPDX-License-Identifier: MIT */
/*
 * Launches one after the other as one piece of work: their cycles added up, and their time with what each
 * launch costs (launch_ns). Who may include it: cli.
 */
#ifndef ATOMSIM_REPORT_SEQUENCE_H
#define ATOMSIM_REPORT_SEQUENCE_H

#include "base/json-shape.h"
#include "report/report.h"

#define SEQUENCE_COLUMNS "launches,cycles,launch_us,time_us"

extern const Shape report_sequence_shape;
/* Text of a format of the n (1 or more) reports of one machine, in the order of the launches: text has the
   reports and then the sum, JSON one object with both, CSV the sum alone. g_free. */
char *report_sequence(const ReportFormat *format, const RunReport *reports, guint n);

#endif
