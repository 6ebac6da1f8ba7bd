/* SPDX-License-Identifier: MIT */
/*
 * Loops that load words of global memory until another block has stored them, as scans with decoupled look-back do
 * (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA, 2016). A trace holds the tries of the
 * run that was watched, in which blocks were slower than without. So a replay makes as many as it needs: a load is one of a loop
 * if its instruction was seen to load the same words again with nothing but arithmetic and fences of the block in between, and if
 * blocks before its own store those words, past the first cache, as it loads them. It is made again until they have, and the loads
 * behind it that do the same are left out.
 * Only blocks before it, which are dealt out first and wait for none behind them, so nobody waits for ever. Assumed: a first
 * store is what is waited for (status words are written twice, and either will do).
 * Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_POLLS_H
#define ATOMSIM_SIM_POLLS_H

#include <glib.h>

#include "base/record.h"
#include "model/coalesce.h"
#include "model/issue.h"
#include "model/memory-parameters.h"
#include "model/shared.h"
#include "sim/record-log.h"

typedef struct Polls Polls;

/* What a loop does between two tries. */
typedef struct {
	uint32_t cycles, instructions;
} PollLoop;

/* A warp's try, and what it has read of its stream beyond it. */
typedef struct {
	Polls *polls;
	RecordLog *ahead; /* read, not executed yet from place `at` on */
	uint64_t at;
	bool ended;   /* the stream has failed behind them */
	bool waiting; /* the warp's record is a try that has not succeeded yet */
	PollLoop loop;
	uint32_t n_words;
	uint64_t words[MAX_LANES]; /* that it waits for */
	bool there;		   /* all of them had been stored when it was served */
} Poll;

/* Of a source with data flow; base: byte address of each of its buffers. */
Polls *polls_new(RecordSource *source, const uint64_t *base, const IssueParameters *issue);
void polls_free(Polls *polls); /* NULL: nothing */

/* A load of a warp of this block: whether it is one of a loop that waits, and for which words. *poll is made if it
   is NULL and needed. From any SM's thread. */
bool polls_begin(Polls *polls, const Record *record, uint64_t block, Poll **poll);
/* Whether the next record of a loop, behind what is read ahead, asks for the same words again. */
bool polls_is_again(const Record *first, const Record *record);
/* What may stand between two tries. */
bool polls_is_between(const Record *record);
void poll_free(Poll *poll); /* NULL: nothing */

/* A MemoryServed whose data is a Poll. */
void polls_serve_load(void *poll, const Packet *packet, Tick at);
/* What a store's MemoryServed, polls_serve_store, wants as its data. From any SM's thread. */
void *polls_store(Polls *polls, uint32_t n_lanes, const uint64_t *addresses);
void polls_serve_store(void *store, const Packet *packet, Tick at);

#endif
