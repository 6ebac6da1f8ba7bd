/* SPDX-License-Identifier: MIT */
/*
 * Random programs of all record kinds, for tests.
 */
#ifndef ATOMSIM_TESTS_RANDOM_PROGRAM_H
#define ATOMSIM_TESTS_RANDOM_PROGRAM_H

#include "list-source.h"

#define PROGRAM_WORDS 4096 /* of shared memory, of each block */
#define PROGRAM_SITES 5	   /* its records are of sites 0 .. 4 */

/* Accesses and atomics of all widths, operations and types, with a result and without, arithmetic,
   global accesses, spin locks and barriers, which all warps of a block reach. warp_lanes: 32 or 64. */
ListSource *random_program(GRand *rand, uint64_t n_blocks, uint32_t n_warps,
			   uint32_t warp_lanes);

#endif
