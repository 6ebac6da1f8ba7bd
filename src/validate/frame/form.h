/* SPDX-License-Identifier: MIT */
/*
 * Forms: what a trace text says of rows of measurements (docs/reference/trace-text.md). A row's column `form` names the text; columns are its
 * parameters; its blocks `form` say what was measured, and which runs it is compared with. Who may include it: validate-file.c,
 * and the files beside it named form-*.c.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_FORM_H
#define ATOMSIM_VALIDATE_FRAME_FORM_H

#include <glib.h>

#include "base/csv.h"
#include "trace/text/text.h"
#include "validate/frame/validate.h"
#include "sim/run/machine.h"
#include "sim/run/observer.h"

/* --- Figures --- */

typedef enum {
	FIGURE_NUMBER,
	FIGURE_VARIABLE, /* of the text, or a column */
	FIGURE_PLUS,
	FIGURE_MINUS,
	FIGURE_TIMES,
	FIGURE_OVER,
	FIGURE_MAX,
	FIGURE_RUN,  /* a statistic of a run */
	FIGURE_ROWS, /* of a column in other rows */
} FigureKind;

/* A cell of another row, by its column; its value is of this row. */
typedef struct FormCell FormCell;
struct FormCell {
	const char *column;
	gboolean differs; /* != */
	gboolean has;	  /* the value is a part of it */
	const Expression *value;
	const FormCell *next;
};

typedef struct Figure Figure;
struct Figure {
	FigureKind kind;
	TextPlace place;
	double number;
	const char *name; /* variable; rows: the column */
	guint row;	  /* run, rows: of its table */
	const Figure *a, *b;
	const FormCell *cells; /* run: parameters; rows: which ones */
};

/* --- Forms --- */

typedef enum { SKIP_WHEN, SKIP_WITHOUT, SKIP_BEHIND } SkipKind;

/* Rows that are passed over. */
typedef struct FormSkip FormSkip;
struct FormSkip {
	SkipKind kind;
	const char *why;
	const Expression *when;
	const FormCell *cells; /* without: no row has them; behind: one before this one has */
	const FormSkip *next;
};

typedef enum { GIVEN_JOIN, GIVEN_RANKS } GivenKind;

/* A parameter that comes from elsewhere than the row. */
typedef struct FormGiven FormGiven;
struct FormGiven {
	GivenKind kind;
	TextPlace place;
	const char *parameter;
	const char *file;	/* join: its column of that name, in the folder of the table */
	const FormCell *cells;	/* of which rows */
	const Expression *from; /* ranks: of those SMs */
	const FormGiven *next;
};

/* A point of each row. */
typedef struct FormPoint FormPoint;
struct FormPoint {
	TextPlace place;
	const Expression *operation, *name; /* name: a list, printed one behind the other */
	const Figure *measured, *simulated;
	const FormSkip *skips;
	const FormGiven *given;
	const Expression *held_back; /* NULL: 0 */
	const Expression *sms;	     /* that blocks go to; NULL: the machine's */
	gboolean together; /* warps start at once: what was measured began behind a barrier */
	gboolean memory;   /* it needs a memory side */
	const Expression *workload; /* NULL: the text is the program */
	const FormCell *settings;   /* of the workload */
	const FormPoint *next;
};

typedef struct {
	char *name; /* as rows have it */
	TraceText *text;
	const FormPoint *points;
} Form;

/* Errors: ATOMSIM_ERROR_IO, ATOMSIM_ERROR_INPUT with file:line:column. */
Form *form_read(const char *name, const char *path, GError **error);
void form_free(Form *form);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Form, form_free)

/* Reading: for form-read.c and form-figure.c. */
const Figure *figure_read(Lexer *lexer, TextScope *scope, gboolean may_run);
/* A name, or one between ${ and }: of a column, or of a setting. NULL: failed. */
const char *form_name_read(Lexer *lexer, TextScope *scope);
/* Cells with commas between them, up to what is no further one. FALSE: failed. */
gboolean form_cells_read(Lexer *lexer, TextScope *scope, gboolean settings,
			 const FormCell **cells);

/* --- Rows --- */

typedef struct FormTable FormTable;

/* A row of a table whose form is known. */
typedef struct {
	const CsvTable *table;
	const FormTable *forms;
	GStringChunk *texts; /* what was joined, of all rows */
	guint row;
	const Form *form;
	const FormPoint *point;
	const Machine *machine;
	TextState state;	  /* its variables */
	const char *const *names; /* the settings that they come from: NULL-terminated */
	const char *const *values;
	const char *
		*launch_class; /* where a run of it says of what class it is; NULL: nowhere */
} FormRow;

/* What a figure gives, real numbers. Errors: ATOMSIM_ERROR_INPUT, and those of runs. *skipped: why there is no program, as a constant;
   then it fails, too. */
gboolean figure_value(const Figure *figure, const FormRow *row, double *value,
		      const char **skipped, GError **error);
/* The cells that this row says, to be looked for in a table. */
typedef struct {
	const CsvTable *table;
	GArray *columns;  /* guint */
	GPtrArray *texts; /* of each */
	const FormCell *cells;
} FormMatch;

/* FALSE: the table has no such column, or a cell no value. */
gboolean form_match_init(FormMatch *match, const FormRow *row, const CsvTable *table,
			 const FormCell *cells, GError **error);
gboolean form_match_has(const FormMatch *match, guint row);
void form_match_clear(FormMatch *match);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FormMatch, form_match_clear)

/* What a parameter is that no column has: of the machine, and of the row. NULL: its default. g_free. */
char *form_known_value(const FormRow *row, const char *name);
/* What the row's form gives it: the parameter's value, in row->texts. NULL: failed. */
const char *form_given_value(const FormRow *row, const FormGiven *given, GError **error);
/* A statistic of a run with those parameters changed: row of form_statistics. */
gboolean form_run(const FormRow *row, const FormCell *parameters, guint statistic,
		  double *value, const char **skipped, GError **error);
/* Names of the statistics: NULL-terminated. */
extern const char *const form_statistics[];

/* --- Tables --- */

/* The forms of a table's rows. */
/* Reads all that its rows name. usual: the form of a table that has no column `form`. Errors as form_read, and those of cells. */
FormTable *form_table_read(const CsvTable *table, const char *usual, GError **error);
/* The form of a row; NULL: it has none. */
const Form *form_table_form(const FormTable *forms, guint row);
/* Another table that a form joins, in the folder of the first. */
const CsvTable *form_table_beside(const FormTable *forms, const char *file);
void form_table_free(FormTable *forms);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FormTable, form_table_free)
gboolean form_table_add(Validation *validation, const Machine *machine, const CsvTable *table,
			const FormTable *forms, GError **error);

/* --- What kernels read that take the time SM by SM, for form-run.c: each SM's from its first block's start behind a barrier to its last warp's end (sm-clocks.c) --- */

typedef struct SmClocks SmClocks;

SmClocks *sm_clocks_new(const Machine *machine, guint n_blocks);
void sm_clocks_free(SmClocks *clocks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SmClocks, sm_clocks_free)

/* Of the run whose clocks are read; owned by them. */
Observer *sm_clocks_observer(SmClocks *clocks);
/* Cycles of the SM that took longest. Blocks without a barrier took no time. */
Cycle sm_clocks_read(const SmClocks *clocks);

#endif
