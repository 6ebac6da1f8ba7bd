/* SPDX-License-Identifier: MIT */
/*
 * One SM: its warps, and the loop over its events.
 *
 * SMs of a machine without a memory that they share depend on nothing outside but the blocks that they are given, and run side by
 * side to their ends. Others do so within a window of time, and ask the memory (memory/memory.h); what it answers reaches them
 * between two windows (memory/exec-replies.c).
 * sm.c and events.c issue; exec.c and exec-*.c, here, in locks/ and in memory/, carry out warp instructions; blocks.c has blocks
 * coming and going, fetch.c the next record of a warp. What an SM and its warps keep for fences and locks is
 * theirs who own it: others call functions. docs/dev/architecture.md says who includes whom.
 * Who may include it: sim only, what acts on SMs.
 */
#ifndef ATOMSIM_SIM_SM_SM_H
#define ATOMSIM_SIM_SM_SM_H

#include "model/memory/l1.h"
#include "sim/run/arena.h"
#include "sim/memory/fences.h"
#include "sim/memory/global-atomics.h"
#include "sim/run/machine.h"
#include "sim/memory/memory.h"
#include "sim/memory/misses.h"
#include "sim/run/block-log.h"
#include "sim/run/observer.h"
#include "sim/run/order.h"
#include "sim/memory/store-queue.h"
#include "sim/memory/wait-loops.h"
#include "sim/run/run.h"
#include "sim/sm/scoreboard.h"
#include "sim/locks/locks.h"
#include "sim/sm/turns.h"
#include "sim/sm/wheel.h"

#define MAX_RESIDENT_BLOCKS 64

/* SMs that run on several threads are so many bytes apart, two lines of the simulating processor's cache (which it
   fetches in pairs): what one writes all the time would slow the other, a half on two threads. */
#define SM_APART 128

#define HOST_LINE_BYTES 64 /* a line of the caches of the processor that simulates */

/* What all SMs of a run share and none changes. */
typedef struct {
	const Machine *machine;
	RecordSource *source;
	Observer *observer;
	BlockLog *block_log; /* as in SimRequest */
	uint64_t seed;
	RunOrder *note_order; /* as in SimRequest, these three */
	const RunOrder *keep_order;
	RunOrderKind order;		  /* whose is kept, and how */
	uint32_t n_sites, register_warps; /* that an SM has registers for */
	BankTable banks;
	uint64_t *first_line; /* of each buffer of global memory, one behind the other */
	/* Place in `mechanisms` of each entry of the source's KernelInfo.mechanisms; NULL: none. */
	uint32_t *named;
	LockMap lock_map; /* all 0: no mechanism of the machine has locks */
	IssueTable issue_table;
	FirstUse *first_use;	  /* of each SM; NULL: nothing of it takes time */
	uint32_t line_schedulers; /* of each SM that have warps, with first_use */
	Arena *arena;		  /* of the run */
	Memory *memory;		  /* NULL: global memory is timed flat */
	uint64_t *buffer_base;	  /* byte address of each buffer */
	uint32_t module_constant_cycles, first_module_constant_cycles; /* first-use.c */
	/* Of a warp's thread-local memory; of that of all warps that an SM has room for, and what is between two SMs'. 0: there is none. */
	uint64_t local_bytes, local_sm_bytes;
	GlobalLocks *global_locks; /* with memory; only the memory's serving changes them */
	WaitLoops *wait_loops;	   /* with memory, of a source with data flow; else NULL */
	GlobalAtomics global_atomics;
	bool complete_path;	  /* accesses go the slow way (paths.rule) */
	uint64_t *merged_by_site; /* lanes, at slices; NULL: those do not merge */
	bool metered;		  /* somebody asks how busy units were */
} RunContext;

typedef enum {
	WARP_RUNNING, /* due, ready or issuing */
	WARP_BARRIER,
	WARP_PARKED, /* in an atomic whose mechanism will wake it */
	WARP_ENDED,
} WarpPhase;

/* One of a block's barriers since it was complete last: who has come. */
typedef struct {
	uint64_t arrived, waiting; /* slots of warps; who only arrives does not wait */
	uint32_t n_arrived;	   /* times that a warp has come */
	uint32_t
		n_wanted; /* that make it complete; 0: each warp of the block that has not ended */
	Cycle at;	  /* the barrier unit has served the last arrival */
} Barrier;

typedef struct {
	uint64_t index; /* in the source */
	uint32_t n_warps;
	uint32_t n_live; /* have not ended */
	uint64_t slots;	 /* of its warps */
	uint32_t
		active_slot; /* of a warp that could release a spin lock when one was wanted last */
	uint64_t ended;	     /* those of warps that have ended */
	Barrier barrier;     /* number 0 */
	Barrier *named;	     /* the others, from number 1 on; NULL: none was used yet */
	uint32_t base_bytes;	       /* where its shared memory begins in the SM's */
	uint32_t first_byte, end_byte; /* allocated, the reserved bytes included */
	Cycle start;
	Cycle stored_at; /* its stores to global memory are acknowledged; 0: not waited for */
} ResidentBlock;

/* What a warp waits for of its accesses to global memory. */
typedef enum {
	WAIT_NOTHING,
	WAIT_RESULTS, /* results that the program uses */
	WAIT_ALL,     /* within a fence of the device: all that is under way */
	WAIT_ROOM,   /* fewer than network.in_flight on their way, and room in the SM's queue */
	WAIT_END,    /* with its end, as for results */
	WAIT_STEP,   /* what a step of its atomic has asked for */
	WAIT_VALUES, /* those that its next instruction needs, where the trace says which */
	WAIT_LOOP, /* of its load, which it makes again until other blocks have stored the words */
} MemoryWait;

/* SMs that share a memory take turns, and all their warps together are more than the caches of the simulating processor
   hold: what each instruction looks at lies in its first two lines, and its lines are an odd number, so that those of
   different warps do not fall on each other. */
typedef struct {
	Cycle since; /* ready, waiting at the barrier, parked, or ended since */
	WarpStream *stream;
	Cycle record_since; /* the record's first instruction could be issued */
	/* Accesses to the shared memory side that are on their way: all, those whose result the
	   program uses; and when the last of the results that are known is there. */
	Cycle results_at;
	uint32_t n_flying, n_wanted;
	WaitLoop *wait_loop; /* of loads that wait for other blocks; NULL: there was none yet */
	uint32_t left;	     /* alu, unknown: instructions still to issue */
	bool in_record;	     /* the record's first instruction has been issued */
	bool failing;	     /* no lane of its atomic has got its lock since failing_since */
	bool after_loop;     /* the last record but gaps of joins was an atomic's loop */
	uint8_t phase;	     /* WarpPhase */
	uint8_t memory_wait; /* MemoryWait: WARP_PARKED for global memory */
	uint8_t parked_as;   /* WarpState: WARP_PARKED: what its wait is booked as */
	uint8_t results_by;  /* WarpState: what the result at results_at came from */
	bool has_result;     /* `result` is one */
	uint8_t combining; /* 1 + the combiner that its atomic comes to next; 0: its mechanism has it */
	uint32_t index; /* within the block */
	ResidentBlock *block;
	/* Of an atomic on global memory that SMs share; NULL: there was none yet. */
	GlobalAtomic *global;
	WarpLocks locks;
	Record record;
	/* From here up to `fence` all 0 at its start, and what lies before its record. */
	/* sm.scoreboard: the last of the results that it has not waited for, of all and of loads. */
	Result result, load;
	const IssueOperation *operation, *last_operation; /* code: its gap's next, its last */
	uint64_t n_atomics;				  /* begun so far */
	uint64_t unplaced;  /* cycles since the last site: those of the next one */
	uint32_t last_site; /* 0: it has come to none */
	const MechanismInstance *instance; /* of the mechanism that carries the atomic out */
	Cycle failing_since;
	Cycle replied_at; /* the last of the known replies is there, of stores too */
	Cycle stored_at; /* its stores to shared memory are done, where a barrier waits for that */
	WarpFence fence;
	Atomic atomic;
	char apart[80];
} Warp;

/* Where pointers have 32 bits the lines may fall on each other: slower, but the same run. */
G_STATIC_ASSERT(sizeof(void *) != 8 || sizeof(Warp) % (2 * HOST_LINE_BYTES) == HOST_LINE_BYTES);

typedef struct {
	uint64_t cycles, failures, passes, lane_operations, local_segments;
} SiteCounters;

/* What of a warp's time no site is named for is spent on the way to the next one, or, behind the last, from there: it is booked there. */
static inline void site_book(SiteCounters *sites, Warp *warp, uint32_t site, Cycle cycles)
{
	*(site > 0 ? &sites[site].cycles : &warp->unplaced) += cycles;
}

/* The warp has come to a site, or, once it has ended, back to its last. */
static inline void site_reach(SiteCounters *sites, Warp *warp, uint32_t site)
{
	sites[site].cycles += warp->unplaced;
	warp->unplaced = 0;
	warp->last_site = site;
}

/* The same of a record that may be repeated without end, whether or not it names a site: nothing is put off from round to round. */
static inline void site_repeat(SiteCounters *sites, Warp *warp, Cycle cycles)
{
	sites[warp->record.site].cycles += cycles;
	site_reach(sites, warp, warp->record.site);
}

typedef struct FastForward FastForward; /* sim/sm/fast-forward.h */

typedef struct {
	const RunContext *context;
	const Machine *machine; /* context->machine */
	uint32_t id;
	bool open; /* has what it needs to run (sm_open) */

	Wheel wheel;
	uint64_t ready; /* slots whose warp can issue */
	SchedulerState schedulers[MAX_SCHEDULERS];
	Cycle scheduler_free[MAX_SCHEDULERS];
	Scoreboard scoreboard; /* of traces with data flow */
	SharedMemory shared;
	AtomicUnit atomics;
	AtomicCounters atomic_counters;	    /* of atom records */
	uint32_t atomic_uses, global_kinds; /* as in SimResult */
	Cycle barrier_free;
	Cycle lines_free;     /* when the lines of accesses to global memory have been served */
	Cycle global_free;    /* when the global memory's share is free, */
	StoreQueue stores;    /* on their way out */
	uint64_t global_rest; /* and so many 1/1024 cycles later */
	uint64_t segment_time; /* of one 128-byte segment, in 1/1024 cycle */
	L1 l1;
	Misses misses;	 /* of it, where SMs share a memory */
	Cycle memory_at; /* the last reply of the shared memory side */
	Fences fences;
	Locks locks;

	Silent silent
		[MAX_WARP_SLOTS]; /* by slot: instructions of the warp's atomic that are to be issued first */
	Warp *warps; /* by slot, of the arena where SMs share a memory; undefined but for those of */
	uint64_t used_slots; /* where a warp has been */
	uint64_t age[MAX_WARP_SLOTS];
	uint64_t n_arrived; /* blocks, ever */
	uint64_t free_slots;
	ResidentBlock blocks[MAX_RESIDENT_BLOCKS];
	uint64_t used_blocks; /* bit b: blocks[b] is resident */
	uint64_t new_blocks;  /* of these: warps not opened yet */
	Cycle start_free;     /* the next block can start then */
	uint64_t blocks_done;
	Cycle last_end; /* of a block */
	Cycle ends
		[MAX_RESIDENT_BLOCKS]; /* of blocks whose room no other block has yet, in order */
	uint32_t n_ends;
	Cycle progress_at;	   /* some record was completed then */
	FastForward *fast_forward; /* NULL: has always got on */
	Turns *turns;		   /* whose order its warps keep; NULL: their own */
	bool pause;		   /* failed, or sim/sm/fast-forward.h is to be asked */

	SimStatus status;
	uint64_t failed_block;
	uint32_t failed_warp;
	const char *problem;
	Cycle failed_cycle;
	Statistics statistics;
	SiteCounters *sites; /* n_sites + 1 */
	/* Of combiners that are on, else NULL: their states, */
	void *combiners[N_MEMORY_SPACES][N_COMBINERS];
	CombineCounters *combined_sites; /* n_sites + 1 */
	uint32_t combine_spaces;	 /* bit MemorySpace: some are on */
	bool keeps_atomics; /* some keep operations on global memory, which leave at fences and ends */
	uint64_t *failures;	  /* once finished: shared.failures; NULL: none */
	Meter *meter;		  /* NULL: nobody asks how busy it is */
	Cycle looked_at, look_at; /* when the meter looks next: NEVER without one */
	char apart[SM_APART];
} Sm;

/* *sm is all 0. What is large is made when it first runs, and freed when it is finished: SMs that run one after
   the other use the same memory. */
void sm_init(Sm *sm, const RunContext *context, uint32_t id);
void sm_clear(Sm *sm);

/* First cycle at which something happens; NEVER if nothing will. */
Cycle sm_next(Sm *sm);
/* The same but for failed attempts that are known to change nothing. */
Cycle sm_next_change(Sm *sm);
/* Of SMs that take turns each finds that the others have had the caches of the simulating processor: these ask for what its
   next turn looks at first, of itself, of the warps that begin or have something to do before `limit`, and of their streams, all at
   once rather than one after the other. */
void sm_bring_own(const Sm *sm);
void sm_bring_warps(const Sm *sm, Cycle limit);
void sm_bring_streams(const Sm *sm, Cycle limit);
/* Runs all events before `limit`, or until it fails. */
void sm_run_until(Sm *sm, Cycle limit);

/* Nothing will happen any more: fails as a deadlock if warps are left that wait. */
void sm_end(Sm *sm);

/* Closes its counters at the end of a run, and leaves only those. */
void sm_finish(Sm *sm);

/* --- What it notes of a warp (warp.c) --- */

/* The warp waits from `since` on, and nobody knows yet for how long; its wait is booked as `state`. */
void sm_park(Sm *sm, uint32_t slot, Cycle since, WarpState state);
/* The parked warp is due at `at`, which is later than what the SM is doing and than its `since`. */
void sm_wake(Sm *sm, uint32_t slot, Cycle at);

/* Counts a record of the trace. */
void sm_count_record(Sm *sm, const Record *record);

/* Books that a warp, or its access, waits for the load/store unit: while the banks serve further passes, as bank conflicts, whosever
   they are, else as `state`. */
void sm_book_queue(Sm *sm, Cycle from, Cycle until, WarpState state);

/* Ends the run of this SM, unless it has failed already. `problem`: constant, or NULL. */
void sm_fail(Sm *sm, SimStatus status, const Warp *warp, const char *problem, Cycle cycle);

#endif
