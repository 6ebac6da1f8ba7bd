/* SPDX-License-Identifier: MIT */
/*
 * What a run counts. A field's name is its key in the JSON report and its column in CSV.
 *
 * Laws, each held by a test: every lane operation is done exactly once; attempts = successes +
 * failures; retries = failures; passes = accesses + conflict_passes; the warp cycles of all
 * states add up to the resident warps' time; no lock is set at the end.
 * Who may include it: sim and every layer above.
 */
#ifndef ATOMSIM_SIM_RUN_STATISTICS_H
#define ATOMSIM_SIM_RUN_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dataflow.h"
#include "model/atomic/combiner.h"
#include "model/counters.h"
#include "base/words.h"

/* What a resident warp is doing; it is in exactly one state in each cycle. X(constant, name, doc) */
#define WARP_STATES(X)                                                                         \
	X(ISSUE, "issue", "its instruction is issuing")                                        \
	X(READY, "ready", "eligible, not selected: the scheduler issues another warp")         \
	X(ARITHMETIC, "arithmetic", "waits for an arithmetic result, or as long as for one")   \
	X(QUEUE, "load_store_queue", "waits for the LSU, which serves other accesses")         \
	X(SHARED, "shared_latency",                                                            \
	  "access to shared memory or first round of an atomic, without conflicts")            \
	X(BANK, "bank_conflict",                                                               \
	  "further passes of its own accesses but attempts at spin locks, or of accesses "     \
	  "ahead of them in the LSU")                                                          \
	X(RETRY, "lock_retry",                                                                 \
	  "rounds of an atomic after its first, failed attempts at spin locks and further "    \
	  "passes of any, waits for a lock")                                                   \
	X(GLOBAL_QUEUE, "global_queue", "an access to global memory waits to be sent")         \
	X(GLOBAL, "global_latency",                                                            \
	  "waits for global memory, on a machine without a model of its caches")               \
	X(L1, "l1_latency", "waits for the L1")                                                \
	X(L2, "l2_latency", "waits for the L2, its atomics included")                          \
	X(DRAM, "dram_latency", "waits for DRAM, for lines that miss in the L2")               \
	X(FENCE, "fence", "waits at a memory fence")                                           \
	X(BARRIER, "barrier", "waits at a barrier")                                            \
	X(DONE, "done", "finished, waiting for its block")

typedef enum {
#define X(constant, name, doc) STATE_##constant,
	WARP_STATES(X)
#undef X
		N_WARP_STATES,
} WarpState;

extern const char *const warp_state_names[N_WARP_STATES];

/* Whether a warp in that state waits for what global memory answers. */
static inline bool state_is_global(WarpState state)
{
	return state >= STATE_GLOBAL && state <= STATE_DRAM;
}

/* The sum of those. */
uint64_t statistics_global_wait(const uint64_t *warp_cycles);

typedef struct {
	uint64_t cycles; /* start of the kernel to the last store drained */
	/* Start of the kernel to the end of its last block: SMs are done, what they have sent may be under way. */
	uint64_t busy_cycles;
	uint64_t first_block_end; /* of all SMs; 0: none has ended */
	uint64_t blocks;
	uint64_t warps;
	uint64_t trace_records;		     /* replayed */
	uint64_t records[N_RECORD_KINDS];    /* by RecordKind */
	uint64_t trace_warp_instructions;    /* as in the trace: alu and unknown count n */
	uint64_t warp_instructions;	     /* executed: an atomic's rounds and all */
	uint64_t warp_cycles[N_WARP_STATES]; /* summed over warps */
	uint64_t resident_warp_cycles;	     /* the sum that the states must give */
	uint64_t global_segments;	     /* 128-byte segments moved */
	uint64_t fences[N_SCOPES];	     /* by Scope */
	uint64_t spin_attempts;		     /* exchanges that tried a software spin lock */
	uint64_t locks_set_at_end;	     /* 0, or the model is wrong */
	SharedCounters shared;		     /* model/counters.h: accesses, passes, ... */
	AtomicCounters atomics;		     /* model/counters.h: rounds, attempts, ... */
	MemoryCounters memory;		     /* model/counters.h: of accesses with addresses */
	/* Of the records, those of thread-local memory, and their part of global_segments. */
	uint64_t local_loads, local_stores, local_segments;
	/* Of shared.bank_busy_cycles: with passes of atomics and spin locks; of these, that set or clear lock bits. */
	uint64_t atomic_busy_cycles, lock_busy_cycles;
	/* Lanes of atomics on global memory that an SM kept for a while, of them with an operation that it had; words that left again. */
	uint64_t buffered, fused, drained;
	uint64_t merged
		[N_MEMORY_SPACES]; /* lanes that another lane of their warp has operated for */
	uint64_t bank_merged;	   /* of atomics.successes: another lane has, at their bank */
	AtomicCounters spin_locks; /* the same of the exchanges that try software spin locks */
} Statistics;

/* Adds what another SM counted; cycles become the longer ones. */
void statistics_add(Statistics *sum, const Statistics *more);

/* One row of a table of addresses, locks, banks or sites. */
typedef struct {
	uint32_t id;		  /* word of the SM's shared memory, lock, bank, or site */
	uint32_t block_word;	  /* address: word of its block's; UINT32_MAX: not known */
	uint64_t failures;	  /* lanes that found the lock taken; bank: 0 */
	uint64_t passes;	  /* conflict passes; address and lock: 0 */
	uint64_t lane_operations; /* site: of its atomics on shared memory; else 0 */
	uint64_t accesses;	  /* bank: that had conflicts in it; else 0 */
	uint64_t cycles;	  /* site: warp cycles spent in its instructions; else 0 */
	uint64_t local_segments;  /* site: of Statistics.local_segments; else 0 */
	CombineCounters combined; /* site; else 0 */
} HotSpot;

#endif
