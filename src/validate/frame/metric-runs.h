/* SPDX-License-Identifier: MIT */
/*
 * The runs that a row of published figures names: a workload of `atomsim gen` and its parameters, as
 * "algorithm=gm-cl;points=5000;clusters=2..512". Who may include it: explore.
 *
 * In a value "2..512" are the powers of two between, "2,8,64" a list: several runs, where two parameters have some each with
 * each. "update+normalize" are launches one after the other, the same number in all parameters that have a +. "each" is the value
 * of that parameter in the run that this one is compared with. "mechanism=coordinator" is no parameter of a workload: that carries
 * out the run's atomics on global words, and not the config's.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_METRIC_RUNS_H
#define ATOMSIM_VALIDATE_FRAME_METRIC_RUNS_H

#include <glib.h>

#include "sim/run/machine.h"

#define METRIC_MAX_RUNS	    64 /* of a row */
#define METRIC_MAX_LAUNCHES 16 /* of a run */

/* Parameters with one value each, for every run of a row: texts; g_ptr_array_unref. Errors:
   ATOMSIM_ERROR_INPUT, without a place. */
GPtrArray *metric_expand(const char *parameters, GError **error);
/* The same with the values of `own`, a text of metric_expand, in place of each "each". g_free. Errors: as above. */
char *metric_fill(const char *parameters, const char *own, GError **error);

typedef struct {
	double cycles;
	double time_us; /* those cycles, and machine.launch_ns for each launch */
} MetricTime;

typedef struct MetricRuns MetricRuns;

/* Runs on a machine; the same run is simulated once, on so many threads (0: as many as processors). */
MetricRuns *metric_runs_new(const Machine *machine, guint n_threads);
void metric_runs_free(MetricRuns *runs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MetricRuns, metric_runs_free)

/* Simulates the launches of one run, with parameters of metric_expand. Errors: ATOMSIM_ERROR_INPUT, or those of
   the workload and the replay, without a place. */
gboolean metric_run(MetricRuns *runs, const char *workload, const char *parameters,
		    MetricTime *time, GError **error);

#endif
