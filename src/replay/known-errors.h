/* SPDX-License-Identifier: MIT */
/*
 * How far off simulated cycles and gains have been found to be, for kernels and changes like the one at hand: what the machine's
 * known-errors.json says. One door for all reports.
 * Who may include it: replay and every layer above.
 */
#ifndef ATOMSIM_REPLAY_KNOWN_ERRORS_H
#define ATOMSIM_REPLAY_KNOWN_ERRORS_H

#include <glib.h>

#include "config/known.h"
#include "sim/run/machine.h"
#include "sim/run/statistics.h"

/* Which kernels a run is like: what its atomics were, and whether its warps spent a fifth of their time or more
   on global memory. NULL: the trace did not say what waits for what, and no such run was measured. */
const char *known_kernels(const Statistics *statistics);

/* What was found of such kernels on the machine as it is; NULL: nothing. */
const KnownError *known_kernel_error(const Machine *machine, const Statistics *statistics);
/* The same of such changes. */
const KnownError *known_change_error(const Machine *machine, const char *change);

#endif
