/* SPDX-License-Identifier: MIT */
/*
 * Loops that load words of global memory until another block has stored them, as scans with decoupled look-back do
 * (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA, 2016). A trace holds the tries of the
 * run that was watched, in which blocks were slower than without. So a replay makes as many as it needs: a load is one of a loop
 * if its instruction was seen to load the same words again with nothing but arithmetic and fences of the block in between, and if
 * blocks before its own store those words, past the first cache, as it loads them. It is made again until they have, and the loads
 * behind it that do the same are left out.
 * Only blocks before it, which are dispatched first and wait for none behind them, so nobody waits for ever. Assumed: a first
 * store is what is waited for (status words are written twice, and either will do).
 * Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_MEMORY_WAIT_LOOPS_H
#define ATOMSIM_SIM_MEMORY_WAIT_LOOPS_H

#include <glib.h>

#include "base/record.h"
#include "model/memory/coalesce.h"
#include "model/issue/issue.h"
#include "model/memory/memory-parameters.h"
#include "model/shared/shared.h"
#include "sim/sm/record-log.h"

typedef struct WaitLoops WaitLoops;

/* What a loop does between two tries. */
typedef struct {
	uint32_t cycles, instructions;
} LoopTime;

/* A warp's try, and what it has read of its stream beyond it. */
typedef struct {
	WaitLoops *wait_loops;
	RecordLog *ahead; /* read, not executed yet from place `at` on */
	uint64_t at;
	bool ended;   /* the stream has failed behind them */
	bool waiting; /* the warp's record is a try that has not succeeded yet */
	LoopTime loop;
	uint32_t n_words;
	uint64_t words[MAX_LANES]; /* that it waits for */
	bool there;		   /* all of them had been stored when it was served */
} WaitLoop;

/* Of a source with data flow; base: byte address of each of its buffers. */
WaitLoops *wait_loops_new(RecordSource *source, const uint64_t *base,
			  const IssueParameters *issue);
void wait_loops_free(WaitLoops *wait_loops); /* NULL: nothing */

/* A load of a warp of this block: whether it is one of a loop that waits, and for which words. *wait_loop is made if it
   is NULL and needed. From any SM's thread. */
bool wait_loops_begin(WaitLoops *wait_loops, const Record *record, uint64_t block,
		      WaitLoop **wait_loop);
/* Whether the next record of a loop, behind what is read ahead, asks for the same words again. */
bool wait_loops_is_again(const Record *first, const Record *record);
/* What may be between two tries. */
bool wait_loops_is_between(const Record *record);
void wait_loop_free(WaitLoop *wait_loop); /* NULL: nothing */

/* A MemoryServed whose data is a WaitLoop. */
void wait_loops_serve_load(void *wait_loop, const Packet *packet, Tick at);
/* What a store's MemoryServed, wait_loops_serve_store, wants as its data. From any SM's thread. */
void *wait_loops_store(WaitLoops *wait_loops, uint32_t n_lanes, const uint64_t *addresses);
/* Between two windows only. */
void wait_loops_serve_store(void *store, const Packet *packet, Tick at);

#endif
