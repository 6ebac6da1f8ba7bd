/* SPDX-License-Identifier: MIT */
/* Measured blocks of several warps. Only validate-file.c may include it. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_BLOCKS_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_BLOCKS_H

#include "base/csv.h"
#include "validate/frame/validate.h"
#include "sim/run/machine.h"

/* The patterns that the rows of a table name, from the file beside it that has them: those of cases,
   and those that warps repeat. NULL and an error as csv_read, for a column or a cell.
   g_hash_table_unref. */
GHashTable *validate_case_patterns(const CsvTable *cases, GError **error);
GHashTable *validate_named_patterns(const CsvTable *repeats, GError **error);

/* Add a point for each row. Errors: as validate_add. */
gboolean validate_add_cases(Validation *validation, const Machine *machine,
			    const CsvTable *table, GHashTable *patterns, GError **error);
gboolean validate_add_repeats(Validation *validation, const Machine *machine,
			      const CsvTable *table, GHashTable *patterns, GError **error);

#endif
