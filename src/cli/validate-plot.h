/* SPDX-License-Identifier: MIT */
/* Who may include it: cli. */
#ifndef ATOMSIM_CLI_VALIDATE_PLOT_H
#define ATOMSIM_CLI_VALIDATE_PLOT_H

#include "explore/measured/validate.h"

/* Draws the points to `svg`, whose name ends in .svg; script and data stay beside it. table: the points
   as CSV. Errors: ATOMSIM_ERROR_IO. */
gboolean validate_plot(const GPtrArray *points, const Machine *machine, const char *table,
		       const char *svg, GError **error);

#endif
