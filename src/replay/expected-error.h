/* SPDX-License-Identifier: MIT */
/*
 * How far off simulated cycles and gains have been found to be, for launches and changes like the one at hand: what the machine's
 * expected-errors.json says. One door for all reports.
 * Who may include it: replay and every layer above.
 */
#ifndef ATOMSIM_REPLAY_EXPECTED_ERROR_H
#define ATOMSIM_REPLAY_EXPECTED_ERROR_H

#include <glib.h>

#include "config/expected.h"
#include "sim/run/machine.h"
#include "sim/run/statistics.h"

/* The class of launches that a run belongs to, by its counters. NULL: the trace did not say what waits for what, and no such run
   was measured. */
const char *expected_class(const Machine *machine, const Statistics *statistics);

/* The error of such launches on the machine as it is, of the busiest SM's cycles; NULL: too few were measured. */
const ExpectedError *expected_launch_error(const Machine *machine,
					   const Statistics *statistics);
/* The same of such changes, of their gains. */
const ExpectedError *expected_change_error(const Machine *machine, const char *change);

#endif
