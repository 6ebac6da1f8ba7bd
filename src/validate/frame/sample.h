/* SPDX-License-Identifier: MIT */
/*
 * Which rows of a folder of measurements (atomsim measure) are simulated: all of a large table would take hours. atomsim derive reads all
 * rows, sampled or not; what is held out from it are whole files that no line of derive.csv reads. Who may include it: validate.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_SAMPLE_H
#define ATOMSIM_VALIDATE_FRAME_SAMPLE_H

#include "base/csv.h"

/* A table of fewer rows has one row of each kind: all of them are simulated. */
#define SAMPLE_LEAST_ROWS 200

/*
 * Whether the row is simulated: of a large table some 60 rows, a third of its cells or fewer, whole ones. A cell is what the columns left of the first measured one
 * say, so repeats of a cell stay together; which cells, a checksum of the file's name and the cell says. So it is the same on every day, and on
 * every GPU, but where a cell names what measure scales by the GPU, such as blocks.
 */
gboolean sample_has(const CsvTable *table, guint row);

#endif
