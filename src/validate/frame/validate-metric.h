/* SPDX-License-Identifier: MIT */
/* Figures as papers state them, and what simulated runs of workloads give. Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FRAME_VALIDATE_METRIC_H
#define ATOMSIM_VALIDATE_FRAME_VALIDATE_METRIC_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Adds a point for each row of a table with the columns that docs/papers/measured.md describes that names a run and has a
   value. Errors as validate_add_file. */
gboolean validate_add_metrics(Validation *validation, const Machine *machine,
			      const CsvTable *table, GError **error);

#endif
