/* SPDX-License-Identifier: MIT */
/*
 * What must hold for every run, whatever the machine and the trace: for tests and fuzz targets.
 *
 * Each check returns NULL, or in words what is broken, with the numbers of both sides. g_free.
 */
#ifndef ATOMSIM_TESTS_LAWS_H
#define ATOMSIM_TESTS_LAWS_H

#include <glib.h>

#include "sim/run/utilization.h"
#include "sim/run/run.h"
#include "trace/summary.h"

/* The laws that the table of statistics states (report/fields.c), and those of its lists. sites: of HotSpot, what each
   instruction cost (SimRequest.sites); NULL: nobody asked, and its laws are not looked at. */
char *laws_broken(const SimResult *result, const GArray *sites);

/* What was replayed is what the trace holds: of runs without a what-if. */
char *laws_not_of_trace(const SimResult *result, const TraceSummary *summary,
			gboolean has_dataflow);

/* Nothing is served faster than the machine can: no run is shorter than its busiest unit works. */
char *laws_too_short(const Machine *machine, const SimResult *result);

/* How busy units were is what the run has counted: no mean is above that of the busiest hundredth, nor that above 100 %. */
char *laws_not_utilized(const Utilization *utilization, const SimResult *result);

/* Contention makes no run shorter: `free` is the same without it. */
char *laws_faster_with_contention(const SimResult *result, const SimResult *free);

/* Two runs of the same are the same in all that is reported. */
char *laws_differ(const SimResult *one, const SimResult *other);

/* Evaluates one law of the table against statistics: "LEFT = TERM + TERM" or "LEFT >= TERM"; a term is the path of a
   count, a number, or "group.*" for the sum of a group. Not of instructions. */
gboolean laws_hold(const char *law, const Statistics *statistics);

#endif
