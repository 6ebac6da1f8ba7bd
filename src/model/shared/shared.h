/* SPDX-License-Identifier: MIT */
/*
 * One SM's shared memory: the load/store unit in front of the banks, and what a pass costs.
 *
 * Modelled: banks one word wide; different words of one bank take a pass each, the same word is
 * broadcast (CUDA C Programming Guide 4.2, F.4.3: "a bank conflict only occurs if two or more
 * threads access any bytes within different 32-bit words belonging to the same bank"). A pass
 * keeps the banks busy for pass_cycles ("32 bits per two clock cycles", same place) and adds
 * conflict_latency_cycles to its own warp's latency (Gomez-Luna et al., TPDS 2013, t_bank): the two are
 * different numbers because other warps use the banks meanwhile: the passes of one access are
 * conflict_latency_cycles apart, and those of other accesses go between them. So a lone warp waits conflict_latency_cycles a
 * pass, and many warps together pass_cycles. The banks' calendar is kept cycle by cycle: each
 * pass takes the first free place from its time on, accesses in the order of their issue.
 * Since Volta (our measurements of an H200, measurements/h200): each scheduler reaches the unit
 * through a port of its own that is slower than the banks. It takes time for each register of a warp's lanes
 * (scheduler_port_cycles, scheduler_port_load_cycles, scheduler_port_register_cycles: issue-throughput.csv), hands an access over when all are
 * through, and takes the next one when the banks have begun with this one; the banks serve what has arrived first
 * (swap-steps.csv comes out so, and not with the order of issue). A warp alone gets a pass in warp_pass_cycles,
 * and of a compare-and-swap, which keeps the banks twice as long, in twice that; two of one scheduler already get all that the
 * banks can do (issue/issue-conflicts.csv), but what follows the swap of a loop waits as its warp does. The queue in front has `queue` places; who finds none waits.
 * Fermi's keys leave both out.
 * Loads and stores of 8 and 16 bytes a lane go through the banks by groups of lanes where
 * split_wide_accesses is 1: the rule of wide_groups, read off single accesses of an H200. Where it
 * is 0 their words are counted like any others, and so are those of 64-bit atomics always.
 * Ideals: issue, ports and the queue take any number of accesses at once. bank_conflicts, different words of a bank take one pass, and each group of lanes still its own.
 *
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_SHARED_SHARED_H
#define ATOMSIM_MODEL_SHARED_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "model/shared/calendar.h"
#include "model/shared/conflicts.h"
#include "model/counters.h"
#include "model/ideals.h"
#include "model/shared/hash.h"
#include "model/snapshot.h"
#include "base/words.h"

typedef uint64_t Cycle;

#define NEVER UINT64_MAX /* of a Cycle */

#define SHARED_MAX_BANKS      CONFLICTS_MAX_BANKS
#define STAMP_SHIFT	      6 /* log2 of MAX_LANES */
#define SHARED_MAX_LANE_WORDS 4 /* a lane's widest access: 16 bytes */
#define SHARED_MAX_PASSES     (MAX_LANES * SHARED_MAX_LANE_WORDS)
#define SHARED_MAX_PORTS      8
#define SHARED_MAX_WARPS      64
#define SHARED_MAX_QUEUE      64
#define SHARED_MAX_GROUPS     (MAX_LANES / 8) /* of a wide access */

typedef struct {
	uint32_t bytes;		   /* per SM, for all resident blocks */
	uint32_t allocation_bytes; /* a block's share is rounded up to a multiple of this */
	uint32_t reserved_bytes;   /* in front of each block's share, taken by the system */
	uint32_t banks;		   /* each one 32-bit word wide: 1 .. 64 */
	HashSpec bank_hash;	   /* word -> bank */
	uint32_t pass_cycles;	   /* the banks are busy for this long with one pass */
	uint32_t
		conflict_latency_cycles; /* latency that each pass after the first adds to its warp */
	uint32_t load_cycles;		 /* latency of a load of one pass */
	uint32_t store_cycles;		 /* latency of a store of one pass */
	uint32_t
		scheduler_port_cycles; /* a scheduler's port is busy with an access for so long, */
	uint32_t scheduler_port_load_cycles;	 /* the same with a load; 0: as with others */
	uint32_t scheduler_port_register_cycles; /* and so long for each register beyond two */
	uint32_t warp_pass_cycles; /* and a warp waits so long for each of its passes */
	uint32_t
		queue; /* accesses that can wait for the banks; 0: those that their warps wait with */
	uint32_t
		queue_release_cycles; /* an access leaves the queue so long after its first pass */
	uint32_t
		split_wide_accesses; /* 1: accesses of 8 and 16 bytes a lane go by groups of lanes */
} SharedParameters;

/* The bank of every word that is used, built once for all SMs of a machine. */
typedef struct {
	uint32_t n_words, n_banks;
	bool modulo;	   /* the bank of a word is word % n_banks */
	uint16_t *bank_of; /* n_words entries */
	const ConflictPath *path;
} BankTable;

typedef struct {
	const SharedParameters *parameters;
	const Ideals *ideals;
	const BankTable *table;
	/* Per word: serial << STAMP_SHIFT | number of the word among the different words of that
	   access. Kept apart from the counters because every lane of every access looks here. */
	uint32_t *stamps;
	uint32_t serial;	  /* of the access that is being looked at: 1 .. 2^26 - 1 */
	uint64_t *failures;	  /* per word: lanes that found its lock taken */
	Cycle port_cycles;	  /* that ports were busy, so far */
	Cycle last_pass_at;	  /* the last pass of all accesses so far */
	Calendar calendar;	  /* of the banks */
	uint32_t bank_cycles;	  /* of the access just made: from its first pass to its last */
	uint32_t conflict_cycles; /* of those: what its further passes by conflicts took */
	Cycle pass_at[SHARED_MAX_PASSES];     /* of the access just made: start of each pass */
	uint32_t port;			      /* of the scheduler that issues at the moment, */
	uint32_t warp;			      /* and the slot of its warp */
	Cycle port_free_at[SHARED_MAX_PORTS]; /* takes the next access then, taken or not */
	Cycle through_at[SHARED_MAX_PORTS]; /* the banks took the last access of a port then */
	Cycle lanes_free_at[SHARED_MAX_PORTS]; /* brings the next access to the banks then, */
	Cycle warp_free_at
		[SHARED_MAX_WARPS]; /* and not before the same warp's last is through */
	Cycle queued_at;	    /* when the last access is through the port */
	uint32_t queue_place;	    /* of the next access: 0 .. queue-1 */
	Cycle queue_left_at[SHARED_MAX_QUEUE]; /* by place: its last access left then */
	SharedCounters counters;
	uint64_t bank_conflict_passes
		[SHARED_MAX_BANKS];		   /* of accesses whose worst bank it was */
	uint64_t bank_conflicts[SHARED_MAX_BANKS]; /* number of those accesses */
} SharedMemory;

/* For words 0 .. n_words-1; at most parameters->bytes / 4 of them. */
void bank_table_init(BankTable *table, const SharedParameters *parameters, uint32_t n_words);
void bank_table_clear(BankTable *table);

void shared_init(SharedMemory *shared, const SharedParameters *parameters, const Ideals *ideals,
		 const BankTable *table);
void shared_clear(SharedMemory *shared);

/* Everything that decides how accesses from `now` on are served; none has been handed over later. */
void shared_snapshot(SharedMemory *shared, Cycle now, Snapshot *snapshot);
/* Puts all that it has to do after `now` off by `by`. */
void shared_shift(SharedMemory *shared, Cycle now, Cycle by);

/* When the banks have done all that has been handed over; 0: so long ago that nobody knows. */
static inline Cycle shared_drained_at(const SharedMemory *shared)
{
	return calendar_drained(&shared->calendar);
}

/* Of the cycles from `from`, which is not before the last access was handed over, up to `until`: how many the banks spend on further
   passes of accesses that have been handed over. Passes more than a calendar ahead are not counted. */
static inline Cycle shared_further_cycles(const SharedMemory *shared, Cycle from, Cycle until)
{
	return calendar_further(&shared->calendar, from, until);
}

/* Starts looking at another access: no word has been seen yet. Returns the new serial. */
uint32_t shared_next_serial(SharedMemory *shared);

/* Passes that an access to these words takes (repeats allowed, 1 .. 256 of them, each below
   n_words): the number of different words in the worst bank, whose number goes to *worst_bank. */
uint32_t shared_degree(SharedMemory *shared, const uint32_t *words, uint32_t n,
		       uint32_t *worst_bank);

/* What an access asks of the banks: groups of lanes, one after the other. */
typedef struct {
	uint32_t n_groups;			  /* 1 .. SHARED_MAX_GROUPS */
	uint32_t group_passes[SHARED_MAX_GROUPS]; /* each 1 or more */
	uint32_t passes;			  /* their sum */
	uint32_t worst_bank;			  /* of the group that takes most */
	uint32_t registers; /* that lanes bring: addresses, values; 0: two, or any number */
	bool keeps_port;    /* as long as its warp: the swaps of a loop */
} SharedPasses;

/* Passes of a load or store of those lanes, whose first shared byte is the SM's byte base_bytes. */
void shared_passes(SharedMemory *shared, bool load, uint32_t width, uint32_t base_bytes,
		   const uint32_t *address, LaneMask mask, SharedPasses *passes);

/* Those of the four below that are rare: behind ports, or more than one pass. */
Cycle shared_start_ports(SharedMemory *shared, Cycle now);
Cycle shared_access_ports(SharedMemory *shared, Cycle now, uint32_t passes,
			  uint32_t worst_bank);
void shared_enter_conflict(SharedMemory *shared, Cycle start, uint32_t passes,
			   uint32_t worst_bank);

/* The cycle at which an access handed over at `now` would start. */
static inline Cycle shared_start(SharedMemory *shared, Cycle now)
{
	const SharedParameters *p = shared->parameters;

	if (p->queue > 0)
		return shared_start_ports(shared, now);
	calendar_sweep(&shared->calendar, now);
	return calendar_first_free(&shared->calendar, now, p->pass_cycles);
}

/* shared_access where shared_start (shared, now) has just said `start`. */
static inline void shared_access_at(SharedMemory *shared, Cycle now, Cycle start,
				    uint32_t passes, uint32_t worst_bank)
{
	const SharedParameters *p = shared->parameters;
	SharedCounters *counters = &shared->counters;

	if (p->queue > 0) {
		shared_access_ports(shared, now, passes, worst_bank);
		return;
	}
	counters->accesses++;
	counters->passes += passes;
	counters->bank_busy_cycles += (Cycle)passes * p->pass_cycles;
	counters->degree[passes < DEGREE_BINS ? passes : DEGREE_BINS - 1]++;
	if (passes > 1) {
		shared_enter_conflict(shared, start, passes, worst_bank);
		return;
	}
	calendar_reserve(&shared->calendar, start, p->pass_cycles);
	shared->pass_at[0] = start;
	shared->bank_cycles = shared->conflict_cycles = 0;
	if (start > shared->last_pass_at)
		shared->last_pass_at = start;
}

/* Hands an access of `passes` passes to the load/store unit at cycle `now`; calls must come in
   order of `now`. Returns the cycle at which its first pass starts; shared->bank_cycles then says how
   much later its last one does. Counts it. */
static inline Cycle shared_access(SharedMemory *shared, Cycle now, uint32_t passes,
				  uint32_t worst_bank)
{
	if (shared->parameters->queue > 0)
		return shared_access_ports(shared, now, passes, worst_bank);
	shared_access_at(shared, now, shared_start(shared, now), passes, worst_bank);
	return shared->pass_at[0];
}

/* The same for an access by groups; shared->conflict_cycles says what of bank_cycles is due to
   conflicts. */
Cycle shared_access_groups(SharedMemory *shared, Cycle now, const SharedPasses *passes);

/* The same, each pass as long as bank_times others. */
Cycle shared_access_groups_slow(SharedMemory *shared, Cycle now, const SharedPasses *passes,
				uint32_t bank_times);

/* The same for an access that takes `bank_times` (1 or more) as long in the banks as others, and brings
   so many registers. */
Cycle shared_access_slow(SharedMemory *shared, Cycle now, uint32_t passes, uint32_t worst_bank,
			 uint32_t bank_times, uint32_t registers);

/* How long a port is busy with an access whose lanes bring so many registers; 0: two, or any number. */
uint32_t shared_port_cycles(const SharedParameters *parameters, uint32_t registers);

/* Hands over at `now`, with ports, what goes through the load/store unit but not to the banks: an access to global
   memory, or one that no lane takes part in. Returns from when on the unit is busy with it. The caller then says
   for how long, `cycles`, 1 or more, before anything else is handed over. */
Cycle shared_begin_other(SharedMemory *shared, Cycle now, uint32_t port_cycles);
/* So many cycles of the banks, each the first that is free from `start` on, which is `now` or later, for what no port is taken by and nothing waits. */
void shared_take(SharedMemory *shared, Cycle now, Cycle start, uint32_t cycles);
/* It takes so many places of the queue, 1 or more; all, if there are fewer. */
void shared_end_other(SharedMemory *shared, Cycle start, uint32_t cycles, uint32_t places);

#endif
