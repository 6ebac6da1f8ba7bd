/* SPDX-License-Identifier: MIT */
/* Chosen columns of a table in CSV, in the order in which they were chosen. A leaf: every layer may include it. */
#ifndef ATOMSIM_BASE_CSV_COLUMNS_H
#define ATOMSIM_BASE_CSV_COLUMNS_H

#include <glib.h>

typedef struct CsvColumns CsvColumns;

/* words: "cycles,trace.name"; known: the NULL-terminated names that a table of the kind can have. Errors: ATOMSIM_ERROR_USAGE for a
   name that is none of them, or is there twice. */
CsvColumns *csv_columns_new(const char *words, const char *const *known, GError **error);
void csv_columns_free(CsvColumns *columns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CsvColumns, csv_columns_free)

/* Leaves of rows in CSV the chosen cells. The first text of a table begins with its header; a column that this one lacks has empty cells.
   columns: NULL: all of them. */
void csv_columns_take(CsvColumns *columns, GString *text);

/* Whether the file begins with a header of known names, or of patterns with *, alone: a table of this kind with some of its columns. */
gboolean csv_columns_are_of(const char *path, const char *const *known);

#endif
