/* SPDX-License-Identifier: MIT */
/*
 * What all plots share: gnuplot draws them from a script and data that stay beside the picture.
 * Who may include it: report, cli.
 */
#ifndef ATOMSIM_REPORT_GNUPLOT_H
#define ATOMSIM_REPORT_GNUPLOT_H

#include <glib.h>

/* A single-quoted gnuplot string of one line. g_free. */
char *gnuplot_quote(const char *text);

/* Errors: ATOMSIM_ERROR_IO. */
gboolean gnuplot_write_file(const char *path, const char *text, GError **error);

/* Runs gnuplot in the script's folder, for the script names its files without one. `gp` is the
   script's whole path, for errors: ATOMSIM_ERROR_IO. */
gboolean gnuplot_run(const char *folder, const char *script, const char *gp, GError **error);

#endif
