/* SPDX-License-Identifier: MIT */
/* The update step of k-means under spin locks, measured and simulated. Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_LOCKS_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_LOCKS_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Adds a point for each row of a table with the columns `kernel`, `n`, `d`, `k`, `cycles`; rows of the same n, d and k are
   variants of each other. Rows run on as many threads as there are processors. Errors as validate_add_file. */
gboolean validate_add_locks(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error);

#endif
