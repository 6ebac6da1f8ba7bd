/* SPDX-License-Identifier: MIT */
/* What convert-launch.c and convert-access.c share; for them alone. */
#ifndef ATOMSIM_CAPTURE_CONVERT_INTERNAL_H
#define ATOMSIM_CAPTURE_CONVERT_INTERNAL_H

#include "capture/convert/convert.h"

typedef struct {
	uint32_t entered, exited; /* lanes */
	uint32_t arrived;	  /* lanes that wait at a barrier */
	uint64_t n_events;
	uint64_t last_event[TRACE_MAX_LANES]; /* number of each lane's last event, from 1 */
	int at[TRACE_MAX_LANES];	      /* its instruction */
	int loop[TRACE_MAX_LANES];	      /* retry loop that the lane is in, -1 if none */
	uint32_t word[TRACE_MAX_LANES];	      /* its address there */
	uint32_t attempt[TRACE_MAX_LANES];    /* lanes of its last attempt there */
	uint32_t waiting, holding;	      /* lanes, of spin locks */
	int lock_site[TRACE_MAX_LANES];	      /* instruction that takes the lock */
	uint32_t lock_word[TRACE_MAX_LANES];  /* byte address of the lock */
} Warp;

typedef struct {
	uint32_t n_ended;
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
	uint32_t *site_of;  /* by instruction */
	bool *locks;	    /* by instruction: takes spin locks; NULL if all stay as seen */
} Launch;

/* An event on its way to a record. */
typedef struct {
	const RawEvent *event;
	const void *addresses;
	const SassInstruction *instruction; /* NULL if the pc is not the kernel's */
	int index;			    /* of the instruction, -1 */
	Block *block;
	Warp *warp;
} Step;

/* Appends a record, with the step's site. */
void convert_append(Launch *launch, const Step *step, Record *record);
/* One of bar, unknown. */
void convert_append_plain(Launch *launch, const Step *step, RecordKind kind, uint32_t count);
/* Tells what records have no words for, and counts it. */
void convert_append_unknown(Launch *launch, const Step *step, uint64_t *counter);
/* Arithmetic since the warp's last event. */
void convert_append_arithmetic(Launch *launch, const Step *step);

/* Byte address of the event's i-th lane in the block's shared memory. False if it lies outside
   or across words, which no GPU does. */
bool convert_shared_address(const Launch *launch, const Step *step, guint i, uint32_t *address);

/* Which instructions take spin locks: see lock-sites.c. */
bool *convert_find_locks(Launch *launch);
bool convert_tries_lock(const SassInstruction *instruction);
bool convert_gives_lock_back(const SassInstruction *instruction, const RawEvent *event);
/* Before each event: tells the locks that its lanes have taken. */
void convert_settle_locks(Launch *launch, const Step *step);
/* Tells an event of taking or giving back locks; false if it is another. */
bool convert_lock(Launch *launch, const Step *step);

/* SHARED, COPY. */
void convert_shared(Launch *launch, const Step *step);
/* SHARED of an instruction in a retry loop. */
void convert_loop(Launch *launch, const Step *step);
/* GLOBAL. */
void convert_global(Launch *launch, const Step *step);

#endif
