/* SPDX-License-Identifier: MIT */
/*
 * Numbers of four lanes that are worked on at once, where a loop over the lanes is a large part of the time. To be read and
 * written by memcpy, as lanes lie anywhere; never passed or returned, for how that is done hangs on the processor. A leaf: every
 * layer may include it.
 */
#ifndef ATOMSIM_BASE_VECTORS_H
#define ATOMSIM_BASE_VECTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FOUR_LANES 4

typedef uint32_t FourNarrow __attribute__((vector_size(4 * FOUR_LANES)));
typedef uint64_t FourWide __attribute__((vector_size(8 * FOUR_LANES)));

/* Whether there are several lanes, and each lane's value of `width` bytes follows that of the lane before. */
#define LANES_FOLLOW(name, Number, Four)                                                       \
	static inline bool name(uint32_t n_lanes, uint32_t width, const Number *bytes)         \
	{                                                                                      \
		const Number first = bytes[0], last = bytes[n_lanes - 1];                      \
		Four four, astray = {0}, row = {0, width, 2 * width, 3 * width};               \
		Number strays = 0;                                                             \
		uint32_t i = 0;                                                                \
                                                                                               \
		/* No number goes round if the last does not. */                               \
		if (n_lanes == 1 || last < first || last - first != (n_lanes - 1) * width)     \
			return false;                                                          \
		for (row += first; i + FOUR_LANES <= n_lanes;                                  \
		     i += FOUR_LANES, row += FOUR_LANES * width) {                             \
			memcpy(&four, &bytes[i], sizeof four);                                 \
			astray |= four ^ row;                                                  \
		}                                                                              \
		for (; i < n_lanes; i++)                                                       \
			strays |= bytes[i] ^ (first + i * width);                              \
		return (strays | astray[0] | astray[1] | astray[2] | astray[3]) == 0;          \
	}

LANES_FOLLOW(narrow_lanes_follow, uint32_t, FourNarrow)
LANES_FOLLOW(wide_lanes_follow, uint64_t, FourWide)

#endif
