/* SPDX-License-Identifier: MIT */
/* Loads from global memory, measured and simulated. Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_LOADS_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_LOADS_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Adds a point for each row of a table with the columns `kind`, `path`, `footprint_bytes`, `blocks`, `threads`,
   `bytes_per_lane`, `loads_in_flight`, `value`. Rows run on as many threads as there are processors. Errors as
   validate_add_file. */
gboolean validate_add_loads(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error);

#endif
