/* SPDX-License-Identifier: MIT */
/* Lines of an access within its SM: what the first cache has, and turns that they take. Who may include it: sim only. */
#ifndef ATOMSIM_SIM_MEMORY_EXEC_LINES_H
#define ATOMSIM_SIM_MEMORY_EXEC_LINES_H

#include "sim/sm/exec.h"

/* Lines of loads that the first cache has, and of atomics without result, have turns in their SM. Returns when the first line's is;
   an access of one or two, as most are, needs none. */
Cycle lines_take_turn(Sm *sm, uint32_t n_lines, Cycle now);

/* When the warp has what the first cache has of a load, whose lines take their turns while others are on their way; 0: it has none
   of it. Leaves of its lanes those whose sectors are not there. */
Cycle lines_hit_at(Sm *sm, MemoryAccess *access, uint64_t *addresses, uint32_t n_lines);

#endif
