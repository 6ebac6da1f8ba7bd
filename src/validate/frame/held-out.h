/* SPDX-License-Identifier: MIT */
/*
 * Which rows of a folder of measurements (atomsim measure) no constant may be chosen by. Who may include it: validate, explore, cli.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_HELD_OUT_H
#define ATOMSIM_VALIDATE_FRAME_HELD_OUT_H

#include "base/csv.h"

/* A table of fewer rows has one row of each kind, which its constant is read off: all of them are used. */
#define HELD_OUT_LEAST_ROWS 300

/*
 * Whether the row is held out: a third of the cells of a table, whole ones. A cell is what the columns left of the first measured one say, so
 * repeats of a cell stay together; which third, a checksum of the file's name and the cell says, so it is the same on every GPU and day.
 */
gboolean held_out_row(const CsvTable *table, guint row);
/* Whether it is a table of which some are. */
gboolean held_out_some(const CsvTable *table);

#endif
