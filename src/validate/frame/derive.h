/* SPDX-License-Identifier: MIT */
/*
 * Values of keys that a formula reads off measurements: a machine's derive.csv, a line a key (docs/derive.md).
 * Who may include it: cli.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_DERIVE_H
#define ATOMSIM_VALIDATE_FRAME_DERIVE_H

#include "config/config.h"

typedef struct {
	char *key, *file, *rows,
		*statistic;   /* as the line has them; statistic with what it is of */
	guint n_rows;	      /* that it is of */
	double least, most;   /* of them, in the key's unit, before anything is taken off */
	double exact;	      /* before it is rounded */
	guint64 derived, has; /* and what the config has */
} Derivation;

/* In the order of the table, which names files of `folder`. Errors: IO, INPUT with file and line. g_array_unref. */
GArray *derive(const Config *config, const char *table, const char *folder, GError **error);

/* A config that extends that one and has all derived values, each with its provenance. g_free. */
char *derived_config(const GArray *derivations, const char *extends);

#endif
