/* SPDX-License-Identifier: MIT */
/*
 * How far off simulated cycles and gains have been found to be, for kernels and changes like the one at hand:
 * known-errors.inc, which `make known-errors` writes from the validation and tests/what-if.sh holds against
 * it. One table for all reports. It holds for the shipped configs as they are: of a changed one nothing is known.
 * Who may include it: replay and every layer above.
 */
#ifndef ATOMSIM_REPLAY_KNOWN_ERRORS_H
#define ATOMSIM_REPLAY_KNOWN_ERRORS_H

#include <glib.h>

#include "sim/run/machine.h"
#include "sim/run/statistics.h"

typedef struct KnownError {
	const char *machine;
	const char *what;   /* kernels: known_kernels; changes: how a what-if begins */
	guint points;	    /* measured ones */
	double median, max; /* relative, rounded up to whole per cents */
} KnownError;

/* Which kernels a run is like: what its atomics were, and whether its warps spent a fifth of their time or more
   on global memory. NULL: the trace did not say what waits for what, and no such run was measured. */
const char *known_kernels(const Statistics *statistics);

/* What was found of such kernels on the shipped machine of that name, changed or not; NULL: nothing. */
const KnownError *known_kernel_error(const Machine *machine, const Statistics *statistics);
/* What was found of such changes; NULL: nothing, or the machine is not as it is shipped. */
const KnownError *known_change_error(const Machine *machine, const char *change);

#endif
