/* SPDX-License-Identifier: MIT */
/* Rows whose program a workload of `atomsim gen` writes. Only the files beside it that add points may include it. */
#ifndef ATOMSIM_VALIDATE_FRAME_VALIDATE_GENERATED_H
#define ATOMSIM_VALIDATE_FRAME_VALIDATE_GENERATED_H

#include "validate/frame/validate-rows.h"

/* Fills in a row from line i of the table, whose columns have been found: what was measured, and its program by
   generated_row_runs; without that it is passed over. FALSE and *error: the row is not what it should be. */
typedef gboolean (*GeneratedReadRow)(const CsvTable *table, guint i, const guint *columns,
				     MeasuredRow *row, GError **error);

/* The row is a launch on the whole GPU of what the workload writes with these settings ("key=value", NULL-terminated; taken). */
void generated_row_runs(MeasuredRow *row, const char *workload, char **settings);

/* Adds the table's rows; names: its columns, all of which have to be there, GENERATED_MAX_COLUMNS at most. Refuses a machine whose
   global memory has no slices. */
#define GENERATED_MAX_COLUMNS 16
gboolean generated_rows_add(Validation *validation, const Machine *machine,
			    const CsvTable *table, const char *const *names, guint n_columns,
			    GeneratedReadRow read_row, GError **error);

#endif
