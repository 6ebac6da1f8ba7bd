/* SPDX-License-Identifier: MIT */
/*
 * The end of each line of results and of a journal, so that a line that was changed or damaged can be told from
 * one that a sweep wrote, and one of another sweep from one of this. A line remains one JSON object; its
 * last members are
 *
 *   "sweep":"0123456789abcdef","xxh64":"0123456789abcdef"}
 *
 * the sweep's identity (sweep_manifest_identity), and the XXH64 (seed 0, in hexadecimal) of all bytes
 * before the comma in front of it. It finds accidents, not forgers. Who may include it: explore's
 * sweeps, cli.
 */
#ifndef ATOMSIM_EXPLORE_SWEEP_SEAL_H
#define ATOMSIM_EXPLORE_SWEEP_SEAL_H

#include <glib.h>

#define SEAL_SWEEP  "sweep"
#define SEAL_MEMBER "xxh64"

/* An XXH64 in hexadecimal. */
#define SEAL_DIGITS 16
void seal_digits(char digits[SEAL_DIGITS + 1], const char *bytes, gsize length);

/* Takes "{...}\n" and gives it with the sweep's identity (SEAL_DIGITS) and its checksum. g_free. */
char *seal_line(char *line, const char *identity);

/* Whether a line of that length, its newline included, has its checksum. */
gboolean seal_is_right(const char *line, gsize length);

/* Whether a line of which that is true is of the sweep. */
gboolean seal_is_of(const char *line, gsize length, const char *identity);

#endif
