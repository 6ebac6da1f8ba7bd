/* SPDX-License-Identifier: MIT */
/* Patterns of lanes that warps of chosen SMs walk, measured and simulated (sm-benchmark.h). Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_PATTERNS_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_PATTERNS_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Whether it has the columns of measurements/programs/l2-patterns.cu. */
gboolean validate_is_patterns(const CsvTable *table);
/* Adds a point for each row of such a table. Config: the SMs and the map of the L2 of an H200. Rows run on as many threads as
   there are processors. Errors as validate_add_file. */
gboolean validate_add_patterns(Validation *validation, const Machine *machine,
			       const CsvTable *table, GError **error);

#endif
