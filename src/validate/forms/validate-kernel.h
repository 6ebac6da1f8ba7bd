/* SPDX-License-Identifier: MIT */
/* Whole kernels, measured and replayed. Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_KERNEL_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_KERNEL_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Adds a point for each row of a table with the columns `trace`, `program` and `cycles` whose trace is
   there: NAME.bin in the folder that is named as the table without .csv. Errors as
   validate_add_file. */
gboolean validate_add_kernels(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error);

#endif
