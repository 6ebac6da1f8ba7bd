/* SPDX-License-Identifier: MIT */
/*
 * A checksum at the end of each line of results, so that a line that was changed or damaged is told
 * from one that a sweep wrote. A line remains one JSON object; its last member is
 *
 *   "xxh64":"0123456789abcdef"}
 *
 * the XXH64 (seed 0, in hexadecimal) of all bytes before the comma in front of it. It finds accidents,
 * not forgers. Who may include it: explore's sweeps.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_SEAL_H
#define ATOMSIM_EXPLORE_SWEEP_SEAL_H

#include <glib.h>

#define SEAL_MEMBER "xxh64"

/* Takes "{...}\n" and gives it with its checksum. g_free. */
char *seal_line(char *line);

/* Whether a line of that length, its newline included, has its checksum. */
gboolean seal_is_right(const char *line, gsize length);

#endif
