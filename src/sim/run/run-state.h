/* SPDX-License-Identifier: MIT */
/*
 * What a run under way consists of. Who may include it: sim/run/run.c and what it is made of, run-context.c, deal.c, to-end.c
 * and windows.c.
 */
#ifndef ATOMSIM_SIM_RUN_RUN_STATE_H
#define ATOMSIM_SIM_RUN_RUN_STATE_H

#include <glib.h>

#include "sim/run/representatives.h"
#include "sim/sm/sm.h"
#include "sim/run/thread-pool.h"

#define EPOCH_CYCLES (1u << 20) /* how often an SM on its way to the end tells of it */
#define PROGRESS_EPOCHS                                                                        \
	64 /* an epoch is short while SMs wait for each other: tell each so many */

/* Whether the block that an SM was last asked about fits. */
typedef struct {
	uint32_t n_warps, shared_bytes; /* n_warps 0: it was not asked */
	bool fits;
} RoomAnswer;

/* An SM that has room, and since when. */
typedef struct {
	Cycle since;
	uint32_t sm;
} WithRoom;

struct Run {
	const SimRequest *request;
	GThread *thread;  /* of sim_run */
	gint interrupted; /* atomically: progress said to stop */
	gint blocks_done; /* atomically; for progress only */
	RunContext context;
	Sm *sms;
	uint32_t n_sms;
	EqualSms equal;
	uint64_t next_block;
	bool full;	 /* no SM had room for next_block */
	gint full_since; /* when so many blocks were done */
	/* Of the machine, or as its slow path has them. */
	L2Parameters l2;
	NetworkParameters network;
	DramParameters dram;
	uint32_t *n_dealt; /* per SM, at the start of the kernel */
	RoomAnswer *asked; /* per SM, since a block came or ended */
	WithRoom *
		with_room; /* while blocks are dealt: SMs with room for the next one, in order */
	uint32_t n_with_room;
	Cycle limit;
};

/* Makes of the machine and the kernel what all SMs have in common; the context's first fields and its arena are there. */
void run_open_context(Run *run);
void run_close_context(RunContext *context);

/* Deals out blocks while there is room, and marks their SMs. False: a block fits no empty SM. */
bool run_dispatch(Run *run, Cycle now, SimResult *result);
/* With nothing left to deal: SMs that share no memory. */
void run_tail(Run *run, ThreadPool *pool);
/* With a memory that SMs share: all SMs to the end. */
SimStatus run_windows(Run *run, ThreadPool *pool, SimResult *result);

/* The SM runs until `limit`. */
void run_advance(Run *run, Sm *sm, Cycle limit);
/* The failure of the lowest block, so that it does not depend on which SM was looked at first. */
SimStatus run_failure(const Run *run, SimResult *result);
/* Tells how far the run is, if this is its own thread. */
void run_tell_here(Run *run);
/* Tells how far the run is, in each PROGRESS_EPOCHS-th epoch; SIM_INTERRUPTED: it is to stop. From its own thread
   only. */
SimStatus run_tell_epoch(Run *run, uint64_t epoch);

#endif
