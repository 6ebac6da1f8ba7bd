/* SPDX-License-Identifier: MIT */
/*
 * What is known of a machine's errors: known-errors.json in its folder, which `make known-errors` writes, keyed by the checksum of
 * the config that was held against measurements. replay/known-errors.h says what of it goes for a run.
 * Who may include it: config and every layer above.
 */
#ifndef ATOMSIM_CONFIG_KNOWN_H
#define ATOMSIM_CONFIG_KNOWN_H

#include <glib.h>

#include "sim/run/machine.h"

#define KNOWN_ERRORS_FILE "known-errors.json"

typedef struct KnownError {
	char *what;	    /* kernels: what they are like; changes: how a what-if begins */
	guint points;	    /* measured ones */
	double median, max; /* relative, rounded up to whole per cents */
} KnownError;

typedef struct KnownErrors {
	char *checksum;		   /* of the config that they were found of */
	GArray *kernels, *changes; /* of KnownError */
} KnownErrors;

/* SHA-256, in hexadecimal, of all that the machine's config says beyond the defaults, but for what no run depends on: name and
   sim.*. g_free. */
char *known_checksum(const Machine *machine);

/* Whether two machines have the same checksum, in a hundredth of the time. */
gboolean known_same(const Machine *a, const Machine *b);

#endif
