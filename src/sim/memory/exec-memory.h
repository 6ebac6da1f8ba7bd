/* SPDX-License-Identifier: MIT */
/*
 * A warp's accesses to the shared memory side, and its waits for them. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_MEMORY_EXEC_MEMORY_H
#define ATOMSIM_SIM_MEMORY_EXEC_MEMORY_H

#include "sim/sm/exec.h"

/* Whether the record is of thread-local memory. */
static inline bool exec_is_local(const Sm *sm, const Record *record)
{
	return record->buffer > 0 && record->buffer == sm->context->source->kernel.local_buffer;
}

/* Where the record's buffer begins for a warp at a place, from its begin for all: each place has thread-local memory of its own, and of
   warps that come to it one after the other the later finds what the earlier has left. 0 for any other buffer. Places are the slots of an
   SM, `id`: 0, or where SMs share a memory the SM's. */
static inline uint64_t exec_local_begin(const Sm *sm, uint32_t id, uint64_t slot,
					const Record *record)
{
	return exec_is_local(sm, record)
		       ? id * sm->context->local_sm_bytes + slot * sm->context->local_bytes
		       : 0;
}

/* Whether the memory side times it. */
bool global_is_shared(const Sm *sm, const Record *record);
/* Asks for what the warp's load or store, issued at `now`, wants; returns when the warp goes on. */
Cycle global_ask(Sm *sm, uint32_t slot, Cycle now);
/* The same for the tries or the releases of locks in a record of those. */
Cycle global_ask_locks(Sm *sm, uint32_t slot, Cycle now, bool release);
/* The same for a step of the warp's atomic, whose mechanism's own words begin at own_base. Books nothing. */
Cycle global_ask_step(Sm *sm, uint32_t slot, GlobalAtomic *atomic, const GlobalAsk *ask,
		      uint64_t own_base, Cycle now);
/* The same of what combiners have kept. */
Cycle global_ask_drained(Sm *sm, uint32_t slot, const CombineDrain *drain, AccessKind kind,
			 Cycle now);
/* The warp waits for the replies to all that it uses the results of, to go on with its atomic. */
void global_wait_step(Sm *sm, uint32_t slot, Cycle since);
/* Whether the warp's new record can begin at *ready, which may become later. False: it has been parked
   until replies come. */
bool global_may_begin(Sm *sm, uint32_t slot, Cycle *ready);
/* Whether there is nothing more of what the warp waits for. */
bool global_wait_is_over(const Sm *sm, const Warp *warp, MemoryWait wait);
/* Takes a reply that has come for the SM. Between two windows. Returns whether a warp goes on. */
bool global_take_reply(Sm *sm, const MemoryReply *reply);

Execute exec_global_atomic; /* atomg that SMs share the words of */

/* An access past the first cache, by which blocks may exchange something: it is watched. */
void exec_wait_loop_watch(Sm *sm, uint32_t slot, MemoryAccess *access);
/* The warp's load has been answered at `at`, its values can be used at `usable`: goes on, or tries again. Between two
   windows. */
void exec_wait_loop_answered(Sm *sm, uint32_t slot, Cycle at, Cycle usable);

/* Everything that the warp's fence of the device has waited for is there. Between two windows. */
void exec_fence_answered(Sm *sm, uint32_t slot);

/* A store: what of it leaves its SM for itself (global.sm_store_lines), and the words that it writes whole are in the SM's first cache
   for later loads (global.l1_stores). first_line: of the record's buffer, among all lines. */
void exec_store(Sm *sm, const Record *record, uint64_t first_line, Cycle now,
		StoredSectors *stored);
/* Leaves the lanes whose sectors are sent. */
void exec_merge_lanes(MemoryAccess *access, uint64_t *addresses, const StoredSectors *stored);
/* What is sent takes its bytes' time of the SM's egress; its warp goes on when the queue in front of that has a place
   for it, the load/store unit's (shared.queue). Returns when. */
Cycle exec_send_store(Sm *sm, const Record *record, const StoredSectors *stored, Cycle now);
/* What an atomic operates on is not in the SM's first cache (global.l1_stores). */
void exec_drop_operated(Sm *sm, const Record *record, uint64_t first_line);

#endif
