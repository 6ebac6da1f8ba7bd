/* SPDX-License-Identifier: MIT */
/*
 * Forms of measured files whose rows are little programs (issue-program.h): which columns a row is read from, and what it
 * runs. Only the files beside it that add points may include it.
 */
#ifndef ATOMSIM_VALIDATE_FORMS_ISSUE_FORM_H
#define ATOMSIM_VALIDATE_FORMS_ISSUE_FORM_H

#include "base/csv.h"
#include "validate/forms/issue-program.h"
#include "validate/frame/validate-rows.h"

#define ISSUE_MAX_COLUMNS  8
#define ISSUE_N_SUB_CORES  4
#define ISSUE_NO_CODE	   "no program here for its code"
#define ISSUE_IS_REFERENCE "others are compared with it"

typedef struct {
	const char *operation;
	const char *columns[ISSUE_MAX_COLUMNS];
	guint n_columns;
	gsize row_bytes; /* of what `read` fills in and `program` runs, all zero before */
	/* Fills in a row, what was measured and how it is called. A row without a program gets the reason in measured->why
	   instead. FALSE: a cell is wrong. */
	gboolean (*read)(const CsvTable *table, guint i, const guint *columns, gpointer row,
			 MeasuredRow *measured, GError **error);
	/* Its program, `with` what is timed or without. */
	IssueProgram *(*program)(gconstpointer row, gboolean with);
	/* How many of what was measured the program times more than without; NULL: one. */
	double (*copies)(gconstpointer row);
	/* The row, all of whose code around what is timed it shares and whose measured cycles it puts into *cycles; NULL: the
	   figure is the program's time alone. */
	gconstpointer (*reference)(gconstpointer row, double *cycles);
	gboolean one_sm; /* all blocks are on one */
	gboolean
		until_end; /* to the last instruction's issue, not to the last store's arrival */
	gboolean on_memory_side; /* needs one */
} IssueForm;

/* Whole numbers in n columns, each from 1 to its max. FALSE: a cell is wrong. */
gboolean issue_read_wholes(const CsvTable *table, guint i, const guint *columns,
			   const guint *max, guint *const *numbers, guint n, GError **error);

/* The number in the last of the columns of the row that has `cells` in those before; 0: there is none. */
#define ISSUE_N_KEYS	   5
#define ISSUE_NO_REFERENCE "the file has no row of one of it alone"
gboolean issue_find_reference(const CsvTable *table, const guint *columns,
			      const char *const cells[ISSUE_N_KEYS], double *cycles,
			      GError **error);

extern const IssueForm issue_forms_blocks[], issue_forms_loads[], issue_forms_bursts[],
	issue_forms_latencies[], issue_forms_ends[], issue_forms_lines[], issue_forms_fences[];
extern const guint issue_n_forms_blocks, issue_n_forms_loads, issue_n_forms_bursts,
	issue_n_forms_latencies, issue_n_forms_ends, issue_n_forms_lines, issue_n_forms_fences;

#endif
