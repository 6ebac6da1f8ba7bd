/* SPDX-License-Identifier: MIT */
/*
 * Lines of stores that wait to leave their SM. A store to one of them goes with it, instead of leaving by itself. Who may include it:
 * sim only.
 *
 * Measured on an H200 (issue-merged.csv): a warp's stores to a line take 4 cycles of its SM each where others come between, 2.1 where two
 * or four come behind one another, as stores of different widths and to other bytes of the line do; the four lines of a store 20 cycles, 9
 * where two come behind one another, 5 with four. With 16 lines between a store and the next one to its line that still holds; with 32 half of
 * them merge, with 64 none. (Sectors that leave, counted by Nsight Compute, say the same: of four stores to a line 4 to 5 sectors of 16.)
 */
#ifndef ATOMSIM_SIM_MEMORY_STORE_QUEUE_H
#define ATOMSIM_SIM_MEMORY_STORE_QUEUE_H

#include <stdbool.h>

#include "model/memory/l1.h"
#include "sim/run/machine.h"

typedef struct {
	uint64_t line;
	Cycle leaves;	  /* NEVER: not known yet */
	uint32_t sectors; /* a bit each */
} WaitingLine;

/* Of an SM. */
typedef struct {
	Cycle free; /* when its egress can take the next store */
	uint32_t next;
	WaitingLine waiting
		[MAX_STORE_LINES]; /* the last ones; `next` comes in place of the oldest */
} StoreQueue;

/* What a store writes, by sectors, among all of global memory: those that leave the SM for it, once those are out that merge. */
typedef struct {
	uint32_t n; /* 0 .. MAX_LANES */
	uint64_t sector[MAX_LANES];
	uint32_t bytes[MAX_LANES]; /* that it writes, a bit each */
} StoredSectors;

/* A store comes: takes out what goes with lines that wait, and lets its other lines wait, up to n_lines of all stores (1 ..
   MAX_STORE_LINES; later ones come in place of the oldest, also within a store). Then store_queue_leaves says until when. */
void store_queue_take(StoreQueue *queue, StoredSectors *stored, uint32_t n_lines, Cycle now);
void store_queue_leaves(StoreQueue *queue, uint32_t n_lines, Cycle at);

#endif
