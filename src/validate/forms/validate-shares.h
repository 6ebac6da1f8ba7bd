/* SPDX-License-Identifier: MIT */
/* What SMs that load at the same time get, measured and simulated (sm-benchmark.h). Who may include it: explore. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_SHARES_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_SHARES_H

#include "base/csv.h"
#include "validate/frame/validate.h"

/* Whether it has the columns of measurements/programs/shares.cu. */
gboolean validate_is_shares(const CsvTable *table);
/* Adds a point for each row of such a table: the cycles that follow from its bytes a cycle. Config, threads and errors as for
   patterns (validate-patterns.h). */
gboolean validate_add_shares(Validation *validation, const Machine *machine,
			     const CsvTable *table, GError **error);

#endif
