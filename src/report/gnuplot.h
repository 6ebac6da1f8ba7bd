/* SPDX-License-Identifier: MIT */
/*
 * What all plots share: gnuplot draws them from a script and data that stay beside the picture, so
 * that anyone can draw it differently. Who may include it: report, cli.
 */
#ifndef ATOMSIM_REPORT_GNUPLOT_H
#define ATOMSIM_REPORT_GNUPLOT_H

#include <glib.h>

#include "base/output.h"

/* A gnuplot string of one line, with nothing in it that has a meaning. g_free. */
char *gnuplot_quote(const char *text);

/* What --plot takes, for messages. */
#define GNUPLOT_FORMATS "a file name that ends in .svg, .pdf or .png"

/* Whether the name says a format. */
gboolean gnuplot_has_format(const char *path);
/* The file beside a picture with another suffix (".csv", ".gp"). g_free. */
char *gnuplot_sibling(const char *picture, const char *suffix);

/* In pixels of a screen. */
typedef struct {
	guint width, height;
} GnuplotSize;

/* Before the work: that FILE.svg, and FILE.gp and FILE.csv beside it, can be written (overwrite_plan). */
gboolean gnuplot_check(const char *svg, GError **error);

/*
 * Writes FILE.csv and FILE.gp, and has gnuplot draw FILE.svg (or .pdf, .png). The script, without a
 * terminal and names of files: its
 * data are in the file whose name the variable `data` has, and its output is set. Errors:
 * ATOMSIM_ERROR_IO; the script and its data are complete then, if they could be written.
 */
gboolean gnuplot_draw(const char *svg, GnuplotSize size, const char *script, const char *data,
		      GError **error);

#endif
