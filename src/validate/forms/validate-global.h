/* SPDX-License-Identifier: MIT */
/* Atomics and loads on global memory, measured and simulated. Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_GLOBAL_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_GLOBAL_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Adds a point for each row of a table with the columns `op`, `dependent`, `targets`, `spacing_words`,
   `order`, `blocks`, `threads`, `atomics_per_thread`, `cycles`; its family is the launch. `word_bytes`, if it is there: of the words of the spacing, else 4. Rows run on as
   many threads as there are processors. Errors as validate_add_file. */
gboolean validate_add_global(Validation *validation, const Machine *machine,
			     const CsvTable *table, GError **error);

#endif
