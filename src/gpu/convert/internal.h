/* SPDX-License-Identifier: MIT */
/* What the files of the conversion share; for them alone. */
#ifndef ATOMSIM_GPU_CONVERT_INTERNAL_H
#define ATOMSIM_GPU_CONVERT_INTERNAL_H

#include "gpu/convert/convert.h"
#include "gpu/convert/gap-lines.h"
#include "gpu/convert/walk.h"

/* gap.c: the trace's data flow. */
typedef struct Gaps Gaps;
/* buffer.c: the numbered buffers of global memory. */
typedef struct Buffers Buffers;

typedef struct {
	uint32_t entered, exited; /* lanes */
	GPtrArray *events;	  /* RawEvent, but for enters; NULL: none yet */

	/* While it is recorded: */
	uint32_t arrived;		   /* lanes that wait at a barrier */
	int loop[TRACE_MAX_LANES];	   /* retry loop that the lane is in, -1 if none */
	uint64_t word[TRACE_MAX_LANES];	   /* its address there */
	uint32_t attempt[TRACE_MAX_LANES]; /* lanes of its last attempt there */
} Warp;

typedef struct {
	uint32_t n_warps, n_ended;
	uint32_t shared_bytes;
	Warp warps[];
} Block;

typedef struct {
	const RawRecording *recording;
	SassFunction *function;
	unsigned target;
	gboolean raw;
	TraceWriter *writer;
	ConvertCounts *counts;
	uint32_t n_warps;
	uint32_t n_threads;
	GHashTable *blocks; /* block_id -> Block, those that are open */
	uint32_t *site_of;  /* by instruction; 0: none */
	bool *locks;	    /* by instruction: takes spin locks; NULL if all stay as seen */
	WalkMap *map;
	ComputeLaunch shape;
	ComputeCode *code;
	GArray *steps; /* WalkStep, of the warp that is recorded */
	Gaps *gaps;
	Buffers *buffers;
} Launch;

/* What a step became when locks were folded. */
typedef enum {
	STEP_PLAIN,
	STEP_LOCK,   /* all lanes that want a lock; their words */
	STEP_UNLOCK, /* the same lanes give them back */
} StepRole;

/* An event on its way to a record. */
typedef struct {
	const RawEvent *event;
	const void *addresses;
	const SassInstruction *instruction; /* NULL if the pc is not the kernel's */
	int index;			    /* of the instruction, -1 */
	uint8_t distinct;		    /* WalkStep's */
	uint32_t value;			    /* and this */
	const uint64_t *addends; /* by lane, of an attempt of a retry loop; NULL: not known */
	uint64_t block_id;
	uint32_t warp_number;
	Block *block;
	Warp *warp;
} Step;

/* append.c: records in their places, and what lies between two of them as a gap. */
/* Appends a record, with the step's site. */
void convert_append(Launch *launch, const Step *step, Record *record);
/* Says what records have no words for, and counts it. */
void convert_append_unknown(Launch *launch, const Step *step, uint64_t *counter);
/* Collects an instruction that makes no record: whether it branched, and whether it is an access that no lane took part in. */
void convert_collect(Launch *launch, const Step *step, bool taken, bool skipped);
/* Says the gap that was collected. It belongs to no site. */
void convert_gap(Launch *launch, const Step *step);

/* marked.c: appends the steps of a warp of a program that recorded itself. */
void convert_marked_steps(Launch *launch, const Warp *warp);
/* records.c: from the steps of a warp to its records. */
void convert_warp(Launch *launch, Block *block, uint64_t block_id, uint32_t warp);
/* access.c. */
/* Bytes of a lane, a power of two. */
uint32_t convert_width_of(const RawEvent *event);
/* Where the event's i-th active lane accesses. */
uint64_t convert_address_of(const Step *step, guint i);
/* Gives a record of shared memory its lanes, width and addresses. False: some are outside of the block's. */
gboolean convert_shared_addresses(const Launch *launch, const Step *step, Record *record);
/* Begins a record of global memory. Whether its words are known: one buffer has them. */
bool convert_begin_global(const Launch *launch, const Step *step, RecordKind kind,
			  Record *record);
/* SHARED, COPY. */
void convert_shared(Launch *launch, const Step *step);
/* GLOBAL. */
void convert_global(Launch *launch, const Step *step);
/* LOCAL_AT. */
void convert_local(Launch *launch, const Step *step);
/* retry.c: SHARED or GLOBAL of an instruction in a retry loop. */
void convert_loop(Launch *launch, const Step *step);
/* lock or unlock: all lanes of the event, each its word. */
void convert_lock(Launch *launch, const Step *step, StepRole role);

/* lock-sites.c: which instructions take spin locks. */
bool *convert_find_locks(Launch *launch);
bool convert_gives_lock_back(const SassInstruction *instruction, const RawEvent *event);
bool convert_can_lock(const RawEvent *event);

/* lock.c: replaces the rounds of spin locks among launch->steps by the lock, the critical section
   once with all lanes, and the unlock. Returns the StepRole of each step, and what the made-up
   events are kept in: both belong to the caller. */
GByteArray *convert_fold_locks(Launch *launch, GPtrArray **made);

/* gap.c. Instructions are collected, and recorded as one `code` record when the next record comes. */
Gaps *gaps_new(const SassFunction *function, TraceWriter *writer);
void gaps_free(Gaps *gaps);
/* The next instruction; `skipped`: an access that none of the lanes took part in; `distinct`, `value`:
   WalkStep's. */
void gaps_add(Gaps *gaps, int index, bool taken, bool skipped, uint8_t distinct,
	      uint32_t value);
/* Whether what is collected must be recorded before more comes. */
bool gaps_is_full(const Gaps *gaps);
/* The number of the gap collected since the last call, from 0; -1 if there is none. */
int64_t gaps_take(Gaps *gaps);
/* What the instruction of a site reads and writes. */
void gaps_add_site(Gaps *gaps, int index, uint32_t site);
/* The lines of constants that its operations read. They stay `gaps`'. */
const GapLines *gaps_lines(const Gaps *gaps);
uint64_t gaps_n_dropped(const Gaps *gaps); /* values beyond those that a trace can number */

/* buffer.c. */
Buffers *buffers_new(const RawRecording *recording);
void buffers_free(Buffers *buffers);
/* An address that the kernel accesses. All are added before the first is asked for. */
void buffers_add(Buffers *buffers, uint64_t address, uint32_t bytes);
/* A byte of thread-local memory that some thread accesses, from the begin of its own. */
void buffers_add_local(Buffers *buffers, uint64_t byte, uint32_t bytes);
void buffers_number(Buffers *buffers);
/* The buffer's number of thread-local memory, from 1, and *begin, the lowest byte of a thread's that is accessed; 0: none is. */
uint16_t buffers_local(const Buffers *buffers, uint64_t *begin);
/* The buffer's number, from 1, and *base, its first address; 0 if the address is in none. */
uint16_t buffers_find(const Buffers *buffers, uint64_t address, uint64_t *base);
/* The launch writes to that buffer. */
void buffers_note_store(Buffers *buffers, uint16_t number);
guint buffers_count(const Buffers *buffers);
ConvertBuffer buffers_get(const Buffers *buffers, guint i); /* buffer i + 1 */

/* --- Steps of a warp from the first try of a spin lock on, until all lanes that wanted one have given it back (lock-region.c) --- */

typedef struct {
	Launch *launch;
	const GArray *steps;
	guint first, end;		/* steps; end is behind the last release */
	uint32_t lanes, waiting;	/* that took or take a lock; that want one now */
	bool drifts;			/* a lane came again before all were done */
	uint64_t word[TRACE_MAX_LANES]; /* address of the lock */
	guint n_taken[TRACE_MAX_LANES];
	GArray *got[TRACE_MAX_LANES]; /* guint: steps of the attempts that succeeded */
	guint tried[TRACE_MAX_LANES]; /* step of the last attempt */
	guint n_attempts;
} LockRegion;

/* Looks for the end of what begins at step `first`. False: no plain spin locks. lock_region_clear in any case. */
bool lock_region_find(LockRegion *region);
void lock_region_clear(LockRegion *region);

static inline const WalkStep *lock_region_step(const LockRegion *region, guint i)
{
	return &g_array_index(region->steps, WalkStep, i);
}

/* Whether lanes try to take locks there. */
bool lock_region_is_try(const Launch *launch, const WalkStep *step);
/* The address that the lane used, one of the event's. */
uint64_t lock_region_word(const RawEvent *event, int lane);

#endif
