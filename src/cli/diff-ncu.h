/* SPDX-License-Identifier: MIT */
/* atomsim diff of reports and a table of ncu. Who may include it: cli/diff.c. */
#ifndef ATOMSIM_CLI_DIFF_NCU_H
#define ATOMSIM_CLI_DIFF_NCU_H

#include <glib.h>

/* Whether a file is a table of ncu, by what is in it. */
gboolean diff_ncu_is(const char *path);

/* Each of the reports in a file beside the launches of its kernel; launch: from 1, or 0 for the median. format: text, json, csv.
   NULL and *error, as of reports and of the table. g_free. */
char *diff_ncu(const char *reports, const char *path, guint launch, const char *format,
	       GError **error);

#endif
