/* SPDX-License-Identifier: MIT */
/*
 * What the launch of a row found, as columns say it that are named as keys: launch.l2, launch.place, ... A row says what it was
 * measured in, whatever the config's launches find. Who may include it: what adds points.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_LAUNCH_COLUMNS_H
#define ATOMSIM_VALIDATE_FRAME_LAUNCH_COLUMNS_H

#include "base/csv.h"
#include "sim/run/machine.h"

/* Whether there are any. Their names are not looked at. */
gboolean launch_columns_are(const CsvTable *table);

/* Puts what the row says into *state. FALSE: ATOMSIM_ERROR_INPUT with file:line, what was found and what is allowed. */
gboolean launch_columns_read(const CsvTable *table, guint row, LaunchState *state,
			     GError **error);

/* What the launch of a row finds where no column says otherwise: what the machine's launches find, but the L2 warm where that is home,
   as programs that measure launch a kernel again and again. */
LaunchState launch_measured(const Machine *machine);

/* The same, but that its warps start together: for programs that are timed from behind a barrier on. Of a machine that is in the row's
   state already. */
LaunchState launch_together(const Machine *machine);

#endif
