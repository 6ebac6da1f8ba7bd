/* SPDX-License-Identifier: MIT */
/*
 * Numbers of four lanes that are worked on at once, where a loop over the lanes is a large part of the time. To be read and
 * written by memcpy, as lanes lie anywhere; never passed or returned, for how that is done hangs on the processor. A leaf: every
 * layer may include it.
 */
#ifndef ATOMSIM_BASE_VECTORS_H
#define ATOMSIM_BASE_VECTORS_H

#include <stdint.h>

#define FOUR_LANES 4

typedef uint32_t FourNarrow __attribute__((vector_size(4 * FOUR_LANES)));
typedef uint64_t FourWide __attribute__((vector_size(8 * FOUR_LANES)));

#endif
