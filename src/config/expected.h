/* SPDX-License-Identifier: MIT */
/*
 * How far off a machine's runs have been found to be: expected-errors.json in its folder, which `make expected-errors` writes, keyed by
 * the checksum of the config that was compared with measurements. replay/expected-error.h says what of it goes for a run.
 * Who may include it: config and every layer above.
 */
#ifndef ATOMSIM_CONFIG_EXPECTED_H
#define ATOMSIM_CONFIG_EXPECTED_H

#include <glib.h>

#include "sim/run/machine.h"

#define EXPECTED_ERRORS_FILE "expected-errors.json"

typedef struct ExpectedError {
	char *what;   /* launches: their class; changes: how a what-if begins */
	guint points; /* measured ones */
	double median,
		high; /* relative, rounded up to whole per cents; high: of launches the 90th percentile, of changes the most */
} ExpectedError;

typedef struct ExpectedErrors {
	char *checksum;		    /* of the config that they were found of */
	GArray *launches, *changes; /* of ExpectedError */
} ExpectedErrors;

/* SHA-256, in hexadecimal, of all that the machine's config says beyond the defaults, but for what no run depends on: name and
   sim.*. g_free. */
char *expected_checksum(const Machine *machine);

/* Whether two machines have the same checksum, in a hundredth of the time. */
gboolean expected_same(const Machine *a, const Machine *b);

#endif
