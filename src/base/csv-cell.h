/* SPDX-License-Identifier: MIT */
/*
 * What a text is as a cell of a CSV table. One that a spreadsheet would take for a formula, for it begins with = + - @,
 * a tab or a line end and is no number, gets an apostrophe in front, and so does one that would be read back as one of
 * these: base/csv.h takes it away. A leaf: every layer may include it.
 */
#ifndef ATOMSIM_BASE_CSV_CELL_H
#define ATOMSIM_BASE_CSV_CELL_H

#include <glib.h>

/* Appends a cell, marked, and quoted where RFC 4180 says that it must be; no comma. */
void csv_append_cell(GString *line, const char *text);
/* The text with the apostrophe, if it gets one: what other readers of CSV, such as gnuplot, find in the cell. g_free. */
char *csv_mark(const char *text);
/* Back again: the text itself, a part of `cell`. */
const char *csv_unmark(const char *cell);

#endif
