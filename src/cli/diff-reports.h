/* SPDX-License-Identifier: MIT */
/*
 * Reports that were written before, as atomsim diff takes them: a report of --format json, or the results of a sweep, a
 * line each. Who may include it: cli, tests.
 */
#ifndef ATOMSIM_CLI_DIFF_REPORTS_H
#define ATOMSIM_CLI_DIFF_REPORTS_H

#include <glib.h>

/* An empty list of reports (cJSON), which it owns. g_ptr_array_unref. */
GPtrArray *diff_reports_new(void);

/* Those of a file, each as diff_check wants it and with its checksum, if it has one. Errors: ATOMSIM_ERROR_IO;
   ATOMSIM_ERROR_INPUT with file and line. */
GPtrArray *diff_reports_read(const char *path, GError **error);

/* The same of a text of so many bytes, and a NUL behind them, from this path. */
GPtrArray *diff_reports_parse(const char *path, const char *text, gsize length, GError **error);

#endif
