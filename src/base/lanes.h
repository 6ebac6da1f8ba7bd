/* SPDX-License-Identifier: MIT */
/* The lanes of a warp as people write them: "0 1024 - 3". A leaf: every layer above sim may include it. */
#ifndef ATOMSIM_BASE_LANES_H
#define ATOMSIM_BASE_LANES_H

#include <glib.h>

#include "base/words.h"

/*
 * Reads numbers of up to 32 bits, separated by blanks or commas, one for each of up to 32 lanes from
 * lane 0 on; - is an idle lane. Fills *mask, and numbers[lane] for its lanes. `where` begins an error's
 * message. Errors: ATOMSIM_ERROR_USAGE, also if no lane is active.
 */
gboolean lanes_parse(const char *text, const char *where, uint32_t *mask,
		     uint32_t numbers[TRACE_MAX_LANES], GError **error);

#endif
