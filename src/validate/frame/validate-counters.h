/* SPDX-License-Identifier: MIT */
/* What a GPU's counters counted of accesses to shared memory, and what a replay counts. Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FRAME_VALIDATE_COUNTERS_H
#define ATOMSIM_VALIDATE_FRAME_VALIDATE_COUNTERS_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Whether the table has the columns of single accesses, or of loops of additions. */
gboolean validate_is_counters(const CsvTable *table);
/* Adds points for each row; those of 0 are passed over. Errors as validate_add_file. */
gboolean validate_add_counters(Validation *validation, const Machine *machine,
			       const CsvTable *table, GError **error);

#endif
