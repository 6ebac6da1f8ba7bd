/* SPDX-License-Identifier: MIT */
/*
 * The simulator's front door: a run is a pure function of machine, records and seed.
 * Who may include it: layers above sim.
 */
#ifndef ATOMSIM_SIM_RUN_RUN_H
#define ATOMSIM_SIM_RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/run/block-log.h"
#include "sim/run/machine.h"
#include "sim/run/observer.h"
#include "sim/run/order.h"
#include "base/record.h"
#include "sim/run/statistics.h"
#include "sim/run/utilization.h"

#define HOT_SPOTS 16 /* rows of each table */

/* No run goes on for longer: half a day of a GPU. What one instruction adds to a time is bounded
   (KEY_MAX_CYCLES times the passes of an access, or checked), so no time wraps; nor does a sum over the
   65,536 warps of all SMs, which stays below 2^63. */
#define SIM_MAX_CYCLE (UINT64_C(1) << 46)

typedef struct {
	const Machine *machine;
	RecordSource *source;
	uint64_t seed;	    /* of the random winner rule */
	uint32_t n_threads; /* 1 or more; the result does not depend on it */
	uint32_t n_sites;   /* sites that records may name: 0 .. n_sites */
	HotSpot *
		sites; /* room for these: what the instructions of each cost; NULL: nobody asks */
	Utilization *utilization; /* filled: how busy units were; NULL: nobody asks */
	Observer *observer;	  /* NULL: none. With one, one thread is used */
	BlockLog *
		block_log; /* new, of as many blocks as the source has: filled; NULL: nobody asks */
	/* Called from the thread of sim_run, while no SM runs, before that block of the source is dispatched; once or more. May
	   lower the source's n_blocks, down to `block`, and change what later blocks are. NULL: none. */
	void (*before_block)(void *data, uint64_t block);
	void *before_block_data;
	/* Of SMs that share a memory: called from the thread of sim_run, while no SM runs, now and then at cycles that do not
	   depend on the number of threads. NULL: none. */
	void (*between_windows)(void *data);
	void *between_windows_data;
	RunOrder *note_order; /* new: filled with the order of this run; NULL: nobody asks */
	const RunOrder *
		keep_order; /* of another run of the same source, which warps keep; NULL: none */
	RunOrderKind order; /* how, with keep_order */
	bool all_sms; /* simulate each SM, also those that do what another does; the result is the same */
	/* Called from the thread of sim_run now and then; returning false interrupts. NULL: none. */
	bool (*progress)(void *data, uint64_t blocks_done, uint64_t n_blocks);
	void *progress_data;
} SimRequest;

typedef enum {
	SIM_OK,
	SIM_INTERRUPTED,   /* by progress; the result holds what was done so far */
	SIM_SOURCE_FAILED, /* a stream failed; the source keeps why */
	SIM_TOO_LARGE,	/* a block that cannot fit an SM: block, needed, available, resource */
	SIM_BAD_RECORD, /* a record that the machine cannot execute: block, warp, problem */
	SIM_DEADLOCK,	/* nothing can happen any more; holders says who holds what */
	SIM_LIVELOCK,	/* watchdog_cycles without progress; holders likewise */
	SIM_TOO_LONG,	/* it would go on beyond SIM_MAX_CYCLE: block, warp */
} SimStatus;

/* Who waits for what when a run cannot go on. */
typedef struct {
	uint64_t block;
	uint32_t sm;
	uint32_t warp;	   /* within the block */
	const char *state; /* constant: "barrier", "spin lock", "lock retry", ... */
	uint64_t since_cycle;
	uint32_t site;
	uint32_t word; /* spin lock, lock retry: byte address within the block / 4 */
	/* barrier: its number, warps that have come, and of how many; 0: of all of the block */
	uint32_t barrier, n_arrived, n_wanted;
	bool has_holder;
	uint64_t holder_block; /* of that spin lock or lock bit */
	uint32_t holder_warp;
} BlockedWarp;

#define MAX_BLOCKED_WARPS 16

/* The limits that a run only compares with what a block needs: it would have been the same with any that
   is at least `met` and below `refused`. */
typedef enum {
	SIM_LIMIT_WARPS,  /* sm.max_warps */
	SIM_LIMIT_BLOCKS, /* sm.max_blocks */
	SIM_LIMIT_BYTES,  /* shared.bytes */
	N_SIM_LIMITS,
} SimLimitKind;

typedef struct {
	uint64_t met;	  /* the most that was needed and was there */
	uint64_t refused; /* the least that was needed and was not; UINT64_MAX: always was */
} SimLimit;

typedef struct {
	SimStatus status;
	RunOrderKind order; /* as the request says */
	Statistics statistics;
	uint64_t blocks_done;
	uint32_t n_sms; /* that were given blocks, */
	uint32_t
		sms_simulated; /* and of these: the others did what one of them does (sim/run/representatives.h) */
	SimLimit limits[N_SIM_LIMITS];
	/* Bit i: there was an atomic on shared memory of use i (attempts at spin locks not counted); one of AtomicKind i on
	   global memory whose addresses the trace says. */
	uint32_t atomic_uses, global_kinds;
	HotSpot addresses[HOT_SPOTS], locks[HOT_SPOTS], banks[HOT_SPOTS];
	uint32_t n_addresses, n_locks, n_banks;
	/* Why it failed, by status. */
	uint64_t block;
	uint32_t warp;
	const char *resource; /* constant: "warps", "shared bytes" */
	const char *problem;  /* constant */
	uint64_t needed, available;
	BlockedWarp blocked_warps[MAX_BLOCKED_WARPS];
	uint32_t n_blocked_warps; /* shown */
	uint64_t waiting;	  /* in all */
	uint64_t failed_cycle;
} SimResult;

/* Blocks of the source that are resident at a time: of the first one's size, on all SMs that take blocks; at least 1. */
uint64_t sim_wave_blocks(const Machine *machine, RecordSource *source);

/* Whether all SMs share a memory, so that what one does depends on all others. */
bool sim_shares_memory(const Machine *machine, const RecordSource *source);

/* Runs. The machine must have passed config's checks. Fills *result whatever the outcome. */
SimStatus sim_run(const SimRequest *request, SimResult *result);

#endif
