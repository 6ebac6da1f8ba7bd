/* SPDX-License-Identifier: MIT */
/*
 * All that a report takes from a run's counters, as a list of numbers: short, and enough to write the report
 * again. Which they are is said by names, in their order. Who may include it: report, cli.
 */
#ifndef ATOMSIM_REPORT_COUNTS_H
#define ATOMSIM_REPORT_COUNTS_H

#include <cjson/cJSON.h>

#include "sim/run/run.h"

/* An array of texts, paths of the report. cJSON_Delete. */
cJSON *report_counts_names(void);

/* An array with a whole number of each; distributions are arrays of degree, count, degree, count... cJSON_Delete. */
cJSON *report_counts(const SimResult *result);

/* Puts them into a result that is 0 else. FALSE if this is no such array. */
gboolean report_counts_read(const cJSON *counts, SimResult *result);

#endif
