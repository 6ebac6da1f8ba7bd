/* SPDX-License-Identifier: MIT */
/* Which words of shared memory a block can have. Who may include it: explore/explain and cli. */
#ifndef ATOMSIM_EXPLORE_EXPLAIN_WORDS_H
#define ATOMSIM_EXPLORE_EXPLAIN_WORDS_H

#include <stdint.h>

#include <glib.h>

#include "sim/run/machine.h"

/*
 * The bytes of shared memory that a block needs so that a value of `width` bytes (4 or 8) begins at 32-bit word `word` of it, 4 or more.
 * `where` begins the error's message. Errors, with 0: ATOMSIM_ERROR_USAGE if no block of the machine, or of a trace, has so many.
 */
uint32_t explain_word_bytes(const Machine *machine, uint32_t word, uint32_t width,
			    const char *where, GError **error);

#endif
