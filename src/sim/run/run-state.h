/* SPDX-License-Identifier: MIT */
/*
 * What a run under way consists of. Who may include it: sim/run/run.c and what it is made of, run-context.c, dispatch.c,
 * advance.c, tail.c and windows.c.
 */
#ifndef ATOMSIM_SIM_RUN_RUN_STATE_H
#define ATOMSIM_SIM_RUN_RUN_STATE_H

#include <glib.h>

#include "sim/run/representatives.h"
#include "sim/sm/sm.h"
#include "sim/run/thread-pool.h"

#define PROGRESS_CYCLES	 (1u << 20) /* how often an SM that runs to its end reports progress */
#define PROGRESS_WINDOWS 64	    /* a window is short: progress is reported each so many */

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
	Representatives equal;
	uint64_t next_block;
	bool full;	 /* no SM had room for next_block */
	gint full_since; /* when so many blocks were done */
	uint64_t
		noted_mcycles; /* thousandths of a cycle: when the last end was taken note of */
	/* Of the machine, or as its slow path has them. */
	L2Parameters l2;
	NetworkParameters network;
	DramParameters dram;
	uint32_t *n_dispatched; /* per SM, at the start of the kernel */
	RoomAnswer *asked;	/* per SM, since a block came or ended */
	WithRoom *
		with_room; /* while blocks are dispatched: SMs with room for the next one, in order */
	uint32_t n_with_room;
	Cycle limit;
};

/* Makes of the machine and the kernel what all SMs have in common; the context's first fields and its arena are there. */
void run_open_context(Run *run);
void run_close_context(RunContext *context);

/* Dispatches blocks while there is room, and marks their SMs. False: a block fits no empty SM. */
bool run_dispatch(Run *run, Cycle now, SimResult *result);
/* With no block left to dispatch: SMs that share no memory. */
void run_tail(Run *run, ThreadPool *pool);
/* With a memory that SMs share: all SMs to the end. */
SimStatus run_windows(Run *run, ThreadPool *pool, SimResult *result);

/* --- advance.c --- */

/* The SM runs until `limit`. */
void run_advance(Run *run, Sm *sm, Cycle limit);
/* The failure of the lowest block, so that it does not depend on which SM was looked at first. */
SimStatus run_failure(const Run *run, SimResult *result);
/* Reports progress, if this is the run's own thread. */
void run_report_here(Run *run);
/* Reports progress, in each PROGRESS_WINDOWS-th window; SIM_INTERRUPTED: the run is to stop. From its own thread
   only. */
SimStatus run_report_progress(Run *run, uint64_t window);

#endif
