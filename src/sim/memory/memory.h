/* SPDX-License-Identifier: MIT */
/*
 * The memory that SMs share: network, L2 slices, DRAM, as events in one total order.
 *
 * SMs run side by side in windows no longer than memory_window: what they ask for within a window
 * reaches the network no earlier than the window's end. The serving between the windows is one thread's
 * work: events by cycle, within a cycle in the order in which they were made, which depends
 * on the requests alone. So a run's result does not depend on how many threads it has.
 * Who may include it: sim.
 */
#ifndef ATOMSIM_SIM_MEMORY_MEMORY_H
#define ATOMSIM_SIM_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/memory/coalesce.h"
#include "model/counters.h"
#include "model/memory/memory-parameters.h"
#include "model/shared/shared.h"
#include "sim/memory/tlb.h"
#include "sim/run/arena.h"
#include "sim/run/launch-state.h"
#include "sim/run/observer.h"
#include "sim/run/utilization.h"

typedef struct Memory Memory;

/* Called for each packet of an access when it is served, all of them in one total order and by one thread: here
   what words hold can be looked at and changed. at: when the last of its lanes has been served. */
typedef void (*MemoryServed)(void *data, const Packet *packet, Tick at);

#define MEMORY_ID_SITE 32 /* first bit */

/* What a warp instruction asks for. */
typedef struct {
	Cycle issue; /* not before that of the access before it by the same SM */
	uint32_t sm;
	uint64_t
		id; /* comes back in the reply; from MEMORY_ID_SITE on the instruction's site */
	AccessKind kind;
	bool result; /* atomics: the program uses the old values */
	bool tries;  /* for a lock, again and again */
	bool cached; /* a load that may keep what it brings in the SM: no fence asks for that */
	uint16_t miss;	/* comes back, too; 0: none of the first cache */
	uint32_t width; /* as coalesce takes them */
	uint32_t n_lanes;
	const uint64_t *addresses;
	bool in_row; /* each lane's value lies behind that of the one before: only addresses[0] is looked at */
	MemoryServed served; /* NULL: nobody asks */
	void *served_data;   /* the asker's; it leaves that alone until the reply is there */
} MemoryAccess;

/* An access is complete: data are there, or the memory has done what was asked. */
typedef struct {
	Cycle at;
	uint64_t id;
	uint32_t sm;
	uint16_t miss;
	bool near, far; /* a fence has to ask the SM's own partition, the other */
	bool dram; /* what came last came from there, or from a line on its way from there */
	bool room; /* no access's: warps that wait for room may ask again */
} MemoryReply;

/* What all lines before `end` are found as, from the end of those before on. */
typedef struct {
	uint64_t end;
	LaunchL2 l2;
} FoundLines;

/* Of an access: 32 lanes, 16 bytes each. */
#define MEMORY_ACCESS_BYTES 512

/* n_sms: those that get blocks, of n_all. footprint_bytes: as dram_init takes it. arena: for what is under way; outlives it. */
Memory *memory_new(const L2Parameters *l2, const NetworkParameters *network,
		   const DramParameters *dram, const LaunchState *launch, const Ideals *ideals,
		   uint32_t clock_mhz, uint32_t n_sms, uint32_t n_all, uint64_t footprint_bytes,
		   Arena *arena);
/* How often the launch touches its footprint: n_records, 0: unknown. Without it a part of the lines is in the L2 wherever there is no room for
   all, however few the launch touches; that is still so for a launch of few records, and for atomics. Before the first access. */
void memory_walk(Memory *memory, const DramParameters *dram, uint64_t footprint_bytes,
		 uint64_t n_records);
/* Of a launch that finds its lines `recorded`: as what it finds them; the last end is behind all. Takes `found`. */
void memory_find(Memory *memory, FoundLines *found, uint32_t n);
/* Translations that `tlb` lacks are not there. Takes it. */
void memory_translate(Memory *memory, Tlb *tlb);
void memory_free(Memory *memory);
/* Says what its slices do from now on. */
void memory_watch(Memory *memory, Observer *observer);

/* From the SM's thread. */
void memory_access(Memory *memory, const MemoryAccess *access);
/* Whether the SM's stores and atomics wait in it as many as there is room for; then the warp that asks waits for a reply that says `room`. */
bool memory_is_full(const Memory *memory, uint32_t sm);
void memory_wait_for_room(Memory *memory, uint32_t sm);
/* A warp that has waited so goes on, by such a reply or by one of its own. */
void memory_end_wait_for_room(Memory *memory, uint32_t sm);
/* Between two windows: takes the next reply to any SM, in the order in which memory served; false: there is none. */
bool memory_reply(Memory *memory, MemoryReply *reply);

/* First cycle at which something happens here, what SMs have asked for included; NEVER if nothing will.
   Between two windows. */
Cycle memory_next(Memory *memory);
/* After memory_next: with no SM doing anything before `now`, serves all that is known then. All replies
   that are due before now + one_way_cycles are there afterwards. */
void memory_serve(Memory *memory, Cycle now);
/* When the last atomics that had to wait in an SM had left it; 0: none had to. */
Cycle memory_left_at(const Memory *memory, uint32_t sm);
/* When the last packet of an SM had left it; 0: none has. */
Cycle memory_sent_at(const Memory *memory, uint32_t sm);
/* When slices, their ports, DRAM channels and the ways between them have done all that they were given, less the way of a
   packet from its SM: what is taken on at once in an idle memory is drained as it is sent. At the end of a run. */
Cycle memory_drained_at(const Memory *memory);
MemoryCounters memory_counters(const Memory *memory);
/* From now on how busy slices are is kept, until memory_busy: adds that to *sum, for a run of so many cycles. */
void memory_meter(Memory *memory);
void memory_busy(Memory *memory, UtilizationSum *sum, Cycle cycles);
/* From now on lanes that slices merge (l2.merge_packets) are added to by_site[site], too, which outlives the memory; all that accesses name
   have room there. */
void memory_count_merged(Memory *memory, uint64_t *by_site);

#endif
