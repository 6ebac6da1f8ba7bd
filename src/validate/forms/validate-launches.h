/* SPDX-License-Identifier: MIT */
/* Launches of the kernels on global memory of traces/kernels, measured, and their generators simulated. Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_LAUNCHES_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_LAUNCHES_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Whether the table has the columns of measurements/h200/launches.csv. */
gboolean validate_is_launches(const CsvTable *table);
/* Adds a point for each row that a workload of `atomsim gen` has the program of: columns `program`, `arguments`, `cycles`, and `held`,
   0 or 1. Errors as validate_add_file. */
gboolean validate_add_launches(Validation *validation, const Machine *machine,
			       const CsvTable *table, GError **error);

#endif
