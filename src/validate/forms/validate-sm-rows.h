/* SPDX-License-Identifier: MIT */
/* Rows whose program runs on chosen SMs. Only the files beside it that add points may include it. */
#ifndef ATOMSIM_VALIDATE_FORMS_VALIDATE_SM_ROWS_H
#define ATOMSIM_VALIDATE_FORMS_VALIDATE_SM_ROWS_H

#include "validate/frame/sm-benchmark.h"
#include "validate/frame/validate-rows.h"

#define SM_ROW_MAX_COLUMNS 10

typedef struct {
	const char *const *columns; /* all of which a file has */
	guint n_columns;	    /* at most SM_ROW_MAX_COLUMNS */
	gsize row_bytes; /* of what `read` fills in, which begins with an SmProgram and is zero before */
	/* Reads line i: the program, what was measured and how it is called. FALSE: a cell is wrong. */
	gboolean (*read)(const Machine *machine, const CsvTable *table, guint i,
			 const guint *columns, SmProgram *program, MeasuredRow *measured,
			 GError **error);
} SmRowForm;

/* Whether a table has the form's columns. */
gboolean sm_rows_are(const CsvTable *table, const SmRowForm *form);
/* Adds a point for each row. The machine needs the SMs and the map of the L2 of an H200. Errors as validate_add_file. */
gboolean sm_rows_add(Validation *validation, const Machine *machine, const CsvTable *table,
		     const SmRowForm *form, GError **error);

#endif
