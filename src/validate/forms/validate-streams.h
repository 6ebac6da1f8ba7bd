/* SPDX-License-Identifier: MIT */
/* Launches of loads from global memory, measured and simulated. Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_STREAMS_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_STREAMS_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Whether a table has its columns: `state` beside `loads_in_flight`. */
gboolean validate_is_streams(const CsvTable *table);
/* Adds a point for each row of a table with the columns `order`, `state`, `path`, `footprint_bytes`, `blocks`, `threads`,
   `bytes_per_lane`, `loads_in_flight`, `steps`, `cycles`, as measurements/programs/load-points.cu tells them. Rows run on as many threads as
   there are processors. Errors as validate_add_file. */
gboolean validate_add_streams(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error);

#endif
