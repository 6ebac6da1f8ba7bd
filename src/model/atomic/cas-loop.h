/* SPDX-License-Identifier: MIT */
/*
 * The parts of mechanism `cas-loop` (mech-cas-loop.c, where its rules are): its parameters and keys, its state, and the swap.
 * Who may include it: those parts.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_CAS_LOOP_H
#define ATOMSIM_MODEL_ATOMIC_CAS_LOOP_H

#include "model/atomic/mechanism.h"
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
} CasLoopParameters;

/* A warp's atomic. */
typedef struct {
	LaneMask winners; /* lanes whose swap succeeded in this round */
	uint32_t worst_bank;
	bool left_first;   /* at the last split more lanes went on than back */
	bool switched;	   /* has paid minority_first_retry_cycles */
	Cycle read_at;	   /* the load's first pass */
	uint32_t compared; /* instructions of this round's comparison that were issued */
} CasLoopWarp;

typedef struct {
	const CasLoopParameters *parameters;
	Cycle *written_at; /* per word: the last swap that succeeded */
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

/* The g-th group of the lanes still to do. */
static inline LaneMask cas_loop_group(const Atomic *atomic, uint32_t g)
{
	return atomic->pending & lanes_below(CAS_LOOP_GROUP) << g * CAS_LOOP_GROUP;
}

/* The compare-and-swap of the lanes still to do, issued at `now`: who succeeds is in loop->winners. */
void cas_loop_swap(CasLoop *cas, AtomicUnit *unit, const Atomic *atomic, CasLoopWarp *loop,
		   Cycle now, Step *step);

#define N_CAS_LOOP_KEYS 13
extern const Key cas_loop_keys[N_CAS_LOOP_KEYS];
#define N_CAS_LOOP_RULES 2
extern const MechanismRule cas_loop_rules[N_CAS_LOOP_RULES];

#endif
