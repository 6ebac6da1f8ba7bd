/* SPDX-License-Identifier: MIT */
/* Cells of tables of measured points. Only the files beside it that add points may include it. */
#ifndef ATOMSIM_VALIDATE_FRAME_VALIDATE_CELLS_H
#define ATOMSIM_VALIDATE_FRAME_VALIDATE_CELLS_H

#include "base/csv.h"
#include "validate/frame/benchmark.h"

/* Each names the cell in its error (ATOMSIM_ERROR_INPUT). */

/* The words of an access, as `gen pattern` reads them: - is an idle lane. */
gboolean measured_addresses(const CsvTable *table, guint row, guint column, Lanes *lanes,
			    GError **error);
/* A whole number from min to max. */
gboolean measured_whole(const CsvTable *table, guint row, guint column, guint min, guint max,
			guint *number, GError **error);
/* Which of these words: NULL behind the last. */
gboolean measured_word(const CsvTable *table, guint row, guint column, const char *const *words,
		       guint *found, GError **error);
/* An operation by its name. */
const BenchmarkOperation *measured_operation(const CsvTable *table, guint row, guint column,
					     GError **error);
/* "FILE:LINE". g_free. */
char *measured_place(const CsvTable *table, guint row);

#endif
