/* SPDX-License-Identifier: MIT */
/* Lines of an access within its SM: what the first cache has, and turns that they take. Who may include it: sim only. */
#ifndef ATOMSIM_SIM_MEMORY_EXEC_LINES_H
#define ATOMSIM_SIM_MEMORY_EXEC_LINES_H

#include "sim/sm/exec.h"

/* Lines of atomics without result have turns in their SM. Returns when the first line's is; an access of one or two, as most are, needs
   none. */
Cycle lines_take_turn(Sm *sm, uint32_t n_lines, Cycle now);

/* A load's passes through the first cache and the load/store unit, hit or not: it goes on, access->issue, when those of loads before it
   are made; accesses to shared memory make room for them. Returns how much longer the last pass takes than one alone. */
Cycle lines_pass(Sm *sm, MemoryAccess *access, uint32_t n_lines);

/* Of a load that looks in the first cache. */
typedef struct {
	uint32_t n_followed;
	uint16_t followed[MAX_LANES]; /* misses that bring what it wants, each once */
	uint16_t own;		      /* its own miss; 0: it has none */
} L1Found;

/* When the warp has what the first cache has of a load, `further` later than of one pass; 0: it has none of it. Leaves of its lanes
   those whose sectors are neither there nor on their way; found, empty before: what it has to wait for. */
Cycle lines_hit_at(Sm *sm, MemoryAccess *access, uint64_t *addresses, Cycle further,
		   L1Found *found);

/* A load that finds sectors on their way is answered, as `id`, with the misses that bring them, no earlier than `there`. */
void lines_follow(Sm *sm, uint32_t slot, uint64_t id, const L1Found *found, Cycle there);

#endif
