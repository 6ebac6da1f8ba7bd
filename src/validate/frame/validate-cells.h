/* SPDX-License-Identifier: MIT */
/* Cells of tables of measured points. Only the files beside it that add points may include it. */
#ifndef ATOMSIM_VALIDATE_FRAME_VALIDATE_CELLS_H
#define ATOMSIM_VALIDATE_FRAME_VALIDATE_CELLS_H

#include "base/csv.h"

/* Each names the cell in its error (ATOMSIM_ERROR_INPUT). */

/* A whole number from min to max. */
gboolean measured_whole(const CsvTable *table, guint row, guint column, guint min, guint max,
			guint *number, GError **error);
/* "FILE:LINE". g_free. */
char *measured_place(const CsvTable *table, guint row);

#endif
