/* SPDX-License-Identifier: MIT */
/* Points of what an SM does cycle by cycle. Only the files beside it may include it. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_ISSUE_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_ISSUE_H

#include "base/csv.h"
#include "validate/frame/validate.h"
#include "sim/run/machine.h"

/* Whether the table is one of those that validate_add_issue reads, by its columns (validate.h). */
gboolean validate_is_issue(const CsvTable *table);
gboolean validate_add_issue(Validation *validation, const Machine *machine,
			    const CsvTable *table, GError **error);

#endif
