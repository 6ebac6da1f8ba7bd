/* SPDX-License-Identifier: MIT */
/*
 * How long each unit of a machine worked in a run, to compare with the run's length: an observer of sums. For tests and fuzz targets.
 */
#ifndef ATOMSIM_TESTS_LAWS_UNITS_H
#define ATOMSIM_TESTS_LAWS_UNITS_H

#include <glib.h>

#include "sim/run/run.h"

typedef struct UnitsWatch UnitsWatch;

/* Of one run. The machine outlives it. */
UnitsWatch *units_watch_new(const Machine *machine);
void units_watch_free(UnitsWatch *watch);
Observer *units_watch_observer(UnitsWatch *watch);

/* No run is shorter than its busiest unit worked: each SM's banks, ports to them and issue slots, each slice of the L2 and each
   of its ports; and what the watch was told is what the run has counted. NULL, or in words what is broken. g_free. Of the run that was
   watched, which is over, with issue not ideal. */
char *units_too_short(const UnitsWatch *watch, const SimResult *result);

#endif
