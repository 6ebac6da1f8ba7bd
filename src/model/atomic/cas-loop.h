/* SPDX-License-Identifier: MIT */
/*
 * The parts of mechanism `cas-loop` (mech-cas-loop.c, where its rules are): its parameters and keys, its state, and the swap.
 * Who may include it: those parts.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_CAS_LOOP_H
#define ATOMSIM_MODEL_ATOMIC_CAS_LOOP_H

#include "model/atomic/mechanism.h"
#include "model/atomic/retry.h"
#include "model/issue/scheduler.h"

typedef struct {
	uint32_t operation_cycles; /* from the word to what the swap would store */
	uint32_t cas_cycles;	   /* the swap, issue to result, one pass */
	uint32_t write_cycles;	   /* the swap's start to when loads find what it stored */
	uint32_t cas_passes;	   /* the swap in passes of another operation */
	uint32_t exit_cycles;  /* the swap's result to the next instruction, all lanes done */
	uint32_t retry_cycles; /* to the retry's load: all lanes that tried failed */
	uint32_t diverged_retry_cycles; /* to the retry's load: some lanes go on, some back */
	uint32_t
		minority_first_retry_cycles; /* the same, the first time after more went on than back */
	uint32_t minority_retry_cycles;	 /* the same, later */
	uint32_t majority_exit_cycles;	 /* added when more lanes go on than back */
	uint32_t operation_64bit_cycles; /* added to the operation of 64 bits */
	uint32_t cas_64bit_cycles;	 /* added behind the swap of 64 bits */
	uint32_t
		both_halves_64bit_cycles; /* added when both halves of the warp swap 64-bit values */
	RetryParameters retry;
} CasLoopParameters;

/* A warp's atomic. */
typedef struct {
	LaneMask reads;	  /* lanes of this round's load, */
	LaneMask tries;	  /* of its swap, */
	LaneMask winners; /* and those whose swap succeeded */
	uint32_t worst_bank;
	bool left_first;   /* at the last split more lanes went on than back */
	bool switched;	   /* has paid minority_first_retry_cycles */
	Cycle read_at;	   /* the load's first pass */
	uint32_t compared; /* instructions of this round's comparison that were issued */
} CasLoopWarp;

typedef struct {
	const CasLoopParameters *parameters;
	Cycle *written_at; /* per word: the last swap that succeeded */
	uint32_t n_words;
	/* Of designs in which not all try again at once (cas-loop-reserve.c); NULL: as GPUs do. */
	RetryWaits *waits;
	Cycle *free_at; /* per word, where lanes wait: reserved until then */
	CasLoopWarp loops[MAX_WARP_SLOTS];
} CasLoop;

#define CAS_LOOP_GROUP	  16 /* lanes of a wide operation that go through the banks together */
#define CAS_LOOP_N_GROUPS (MAX_LANES / CAS_LOOP_GROUP)

static inline bool cas_loop_is_wide(const Atomic *atomic)
{
	return atomic->type == TYPE_U64 || atomic->type == TYPE_S64 || atomic->type == TYPE_F64;
}

/* The bank that a lane's value lies in: of words, or of double words. */
static inline uint32_t cas_loop_bank_of(const AtomicUnit *unit, const Atomic *atomic,
					uint32_t lane)
{
	return unit->shared->table->bank_of[atomic->word[lane]] >> cas_loop_is_wide(atomic);
}

/* The g-th group of the lanes. */
static inline LaneMask cas_loop_group(LaneMask lanes, uint32_t g)
{
	return lanes & lanes_below(CAS_LOOP_GROUP) << g * CAS_LOOP_GROUP;
}

/* Whether the words are known without a load: from an update's own, or from its swap before. Where lanes wait for their turn updates
   load as others do. */
static inline bool cas_loop_has_loaded(const CasLoop *cas, const Atomic *atomic)
{
	return atomic->operation == OPERATION_UPDATE && !cas->waits;
}

/* Whether loads reserve their words. */
static inline bool cas_loop_reserves(const CasLoop *cas)
{
	return cas->waits && cas->parameters->retry.who != RETRY_ALL;
}

/* Of designs in which not all try again at once; without effect where all do. */
void cas_loop_waits_init(CasLoop *cas, const AtomicUnit *unit);
/* Where loads reserve words, that of a round which is issued at `now`: fills loop->reads and loop->tries. Returns the lanes that fail. */
uint32_t cas_loop_reserve(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic,
			  CasLoopWarp *loop, Cycle now);
/* The same of the swap: what its winners had reserved is free from `at` on. */
void cas_loop_free_words(CasLoop *cas, const AtomicUnit *unit, const Atomic *atomic,
			 const CasLoopWarp *loop, Cycle at);
/* The branch back, which is decided, of a warp that waits or backs off: when it goes on. */
void cas_loop_wait(const CasLoop *cas, const AtomicUnit *unit, const Atomic *atomic,
		   const CasLoopWarp *loop, Step *step);
/* As Mechanism.snapshot and shift. */
void cas_loop_snapshot(const AtomicUnit *unit, const void *state, const Atomic *atomic,
		       Cycle now, Snapshot *snapshot);
void cas_loop_shift(void *state, const Atomic *atomic, Cycle now, Cycle by);
/* As Mechanism.n_held and by_block. */
uint32_t cas_loop_n_held(const void *state);
bool cas_loop_by_block(const void *own);

/* The compare-and-swap of the lanes in loop->tries, issued at `now`: who succeeds is in loop->winners. */
void cas_loop_swap(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic, CasLoopWarp *loop,
		   Cycle now, Step *step);

#define N_CAS_LOOP_KEYS 16
extern const Key cas_loop_keys[N_CAS_LOOP_KEYS];
#define N_CAS_LOOP_RULES 3
extern const MechanismRule cas_loop_rules[N_CAS_LOOP_RULES];
#define N_CAS_LOOP_COSTS 4
extern const CostRow cas_loop_costs[N_CAS_LOOP_COSTS];

#endif
