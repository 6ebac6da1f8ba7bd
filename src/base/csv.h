/* SPDX-License-Identifier: MIT */
/*
 * Strict reader of CSV tables with a header (RFC 4180; also CRLF and a UTF-8 byte order mark).
 * Every row has as many cells as the header, and no two columns share a name: what is wrong is an
 * error with file:line:column. A leaf: every layer may include it.
 */
#ifndef ATOMSIM_BASE_CSV_H
#define ATOMSIM_BASE_CSV_H

#include <glib.h>

typedef struct CsvTable CsvTable;

#define CSV_MAX_BYTES (1u << 30)

/* Reads a whole file of up to CSV_MAX_BYTES. Errors: ATOMSIM_ERROR_IO, ATOMSIM_ERROR_INPUT. */
CsvTable *csv_read(const char *path, GError **error);
/* The same from text; `name` stands for the path. Lines of which is_row, given where one begins, is not true are no rows; NULL: all are. */
CsvTable *csv_parse_among(const char *name, const char *text, gsize length,
			  gboolean (*is_row)(const char *line), GError **error);
static inline CsvTable *csv_parse(const char *name, const char *text, gsize length,
				  GError **error)
{
	return csv_parse_among(name, text, length, NULL, error);
}
void csv_free(CsvTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CsvTable, csv_free)

/* As given to csv_read. */
const char *csv_path(const CsvTable *table);
guint csv_rows(const CsvTable *table); /* without the header */
/* The column of that name, or -1. */
int csv_column(const CsvTable *table, const char *name);
/* The name of a column from 0; NULL behind the last. */
const char *csv_column_name(const CsvTable *table, guint column);
/* Like csv_column, but its absence is an error that lists the columns there are. */
gboolean csv_require(const CsvTable *table, const char *name, guint *column, GError **error);
/* The columns of n names. */
gboolean csv_require_all(const CsvTable *table, const char *const *names, guint n,
			 guint *columns, GError **error);
/* A cell; row and column must exist (g_assert). */
const char *csv_cell(const CsvTable *table, guint row, guint column);
guint csv_line(const CsvTable *table, guint row); /* of the file, from 1 */

/* Sets an error that begins with file:line and the column's name, and returns FALSE. */
gboolean csv_fail_cell(const CsvTable *table, guint row, guint column, GError **error,
		       const char *format, ...) G_GNUC_PRINTF(5, 6);

/* A cell as a finite number of at least `lowest` (C locale, nothing around it). */
gboolean csv_number(const CsvTable *table, guint row, guint column, double lowest,
		    double *number, GError **error);

#endif
