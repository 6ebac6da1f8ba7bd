/* SPDX-License-Identifier: MIT */
/*
 * How an SM carries out an atomic on shared memory: interchangeable mechanisms.
 *
 * A mechanism is one file, mech-*.c, that opens with what it models, what it does not, and the
 * source of each rule; and one word in the list below. It is asked for one warp instruction
 * at a time, because between two of them the scheduler may serve other warps.
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_MECHANISM_H
#define ATOMSIM_MODEL_MECHANISM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/locks.h"
#include "model/shared.h"
#include "model/winner.h"
#include "base/words.h"

/* Every mechanism; mech-NAME.c defines mechanism_NAME. */
#define MECHANISMS(X) X(none) X(uncontended) X(lock_bits) X(native) X(cas_loop)

typedef struct Mechanism Mechanism;

typedef struct {
	const Mechanism *mechanism;
	/* Instead of it, for operations that need arithmetic on values of these types; NULL: none. */
	const Mechanism *mechanism_f32;
	const Mechanism *mechanism_64bit;
	uint32_t locks;	    /* lock bits of an SM's table: 1 .. HASH_MAX_SIZE */
	HashSpec lock_hash; /* word -> lock bit */
	WinnerRule winner;
	uint32_t t_base_cycles;	    /* one warp, one round, no conflict */
	uint32_t t_position_cycles; /* each further round: t_base plus the branch back */
	uint32_t lk_cycles;	    /* of t_base: load-and-lock until its data are there */
	uint32_t operation_cycles;  /* of t_base: the operation; the rest is store-and-unlock */
	uint32_t hold_cycles; /* a lock stays set for this long after its unlocking store */
	/* mech-native.c */
	uint32_t native_cycles;	    /* issue to result, one lane a bank */
	uint32_t native_cas_cycles; /* the same of a compare-and-swap */
	uint32_t
		native_cas_passes; /* a lane's compare-and-swap in passes of another operation */
	uint32_t native_merge;	   /* 1: adds without result merge lanes of one word */
	/* mech-cas-loop.c */
	uint32_t loop_swap_passes; /* the loop's swap in passes of another operation */
	uint32_t
		loop_exit_cycles; /* the swap's result to the next instruction, all lanes done */
	uint32_t loop_retry_cycles;  /* to the retry's load: all lanes that tried failed */
	uint32_t loop_split_cycles;  /* to the retry's load: some lanes go on, some back */
	uint32_t loop_switch_cycles; /* the same, the first time after more went on than back */
	uint32_t loop_leave_cycles;  /* added when more lanes go on than back */
	uint32_t loop_wide_cycles;   /* added to each round of a 64-bit operation */
	uint32_t loop_halves_cycles; /* added when both halves of the warp swap 64-bit values */
} AtomicParameters;

/* What all atomics of an SM share. */
typedef struct {
	const AtomicParameters *parameters;
	uint32_t issue_cycles; /* sm.issue_cycles */
	SharedMemory *shared;
	const LockMap *lock_map;
	LockEntry *locks;  /* lock_map->n_locks entries */
	uint32_t serial;   /* of the atomic whose lanes are being sorted, as in SharedMemory */
	uint32_t *commits; /* cas-loop: per word, how often it was written; NULL: none yet */
	AtomicCounters *counters; /* of what is being executed: atomics, or spin locks */
} AtomicUnit;

/* One warp's atomic in flight. Lanes are numbered by rank among the active lanes, in lane order;
   words and locks by the order in which the lanes name them. */
typedef struct {
	Operation operation;
	ValueType type;
	bool result;
	bool increment;	  /* adds 1, or what the trace does not say, and has no result */
	uint32_t n_lanes; /* 1 .. 32 */
	uint32_t word[TRACE_MAX_LANES]; /* index in the SM's shared memory, of each lane */
	uint8_t warp;			/* slot */
	uint64_t salt;			/* winner_salt */
	/* From here on the mechanism's own. */
	uint8_t phase;
	bool was_sorted; /* the warp's last atomic had lanes that share a word */
	bool aliased;	 /* two of the words share a lock */
	uint32_t round;
	uint32_t pending;	    /* lanes still to do */
	uint32_t winners;	    /* lanes that hold their lock in this round */
	uint32_t n_tried, n_failed; /* lanes that try in this round, those in vain */
	uint32_t won;		    /* words of the winners */
	uint32_t gone;		    /* words of the winners that no other lane waits for */
	uint32_t read_passes, write_passes;
	uint32_t worst_read_bank, worst_write_bank;
	/* The lanes sorted by word: the different words, numbered in the order of their first lane. */
	uint32_t n_words;
	uint32_t words_pending;		  /* words with a lane still to do */
	uint32_t words[TRACE_MAX_LANES];  /* index */
	uint32_t rivals[TRACE_MAX_LANES]; /* lanes that try its lock */
	uint16_t lock[TRACE_MAX_LANES];	  /* number of its lock */
	uint8_t n_left[TRACE_MAX_LANES];  /* its lanes still to do */
	uint8_t pass_of[TRACE_MAX_LANES]; /* the pass of UL that stores it: 0 .. */
	uint8_t word_of[TRACE_MAX_LANES]; /* lane -> word */
	/* cas-loop */
	bool left_first;		/* at the last split more lanes went on than back */
	bool switched;			/* has paid loop_switch_cycles */
	uint32_t seen[TRACE_MAX_LANES]; /* commits of each lane's word when it was read */
} Atomic;

/* What one warp instruction of an atomic did. */
typedef struct {
	const char *name; /* of the instruction, for observers: "LK", "UL", ... */
	Cycle start;	  /* the load/store unit took it; the issue cycle if it needs none */
	Cycle ready;	  /* the warp can issue its next instruction */
	uint32_t bank_cycles; /* of ready - start: further passes */
	uint32_t passes;      /* of its access; 0 if it made none */
	uint32_t failed;      /* lanes that found their lock taken */
	uint32_t winners;     /* lanes whose operation was done by this instruction */
	bool retry;	      /* belongs to a round after the first */
	bool done;	      /* the atomic is complete */
} Step;

struct Mechanism {
	const char *name;    /* as in a config: lock-bits */
	const char *summary; /* one line */
	/* One instruction without a branch on its result: where sm.scoreboard is 1, the warp need
	   not wait for it. */
	bool in_flight;
	/* What the same work costs without any conflict; NULL: itself under shared.conflict_free. */
	const Mechanism *uncontended;
	/* Executes the next warp instruction of the atomic, issued at `now`. The caller has filled
	   the atomic's first part and set phase, round to 0 before the first call; calls for one
	   SM come in order of `now`. */
	void (*step)(AtomicUnit *unit, Atomic *atomic, Cycle now, Step *step);
};

#define X(name) extern const Mechanism mechanism_##name;
MECHANISMS(X)
#undef X

extern const Mechanism *const mechanisms[]; /* NULL-terminated */
/* NULL if there is none of this name. */
const Mechanism *mechanism_find(const char *name);
/* The one that carries out this operation. Exchange and compare-and-swap need no arithmetic. */
const Mechanism *mechanism_for(const AtomicParameters *parameters, Operation operation,
			       ValueType type);

/* Starts the atomic's bookkeeping that every mechanism needs: all lanes pending, counted. */
void atomic_begin(AtomicUnit *unit, Atomic *atomic);
/* Starts to sort another atomic's lanes: no lock has been seen yet. Returns the new serial. */
uint32_t atomic_next_serial(AtomicUnit *unit);
/* Latency of lock-bits' store-and-unlock of one pass: what LK, operation and the issue slot of the
   branch leave of t_base. */
static inline uint32_t atomic_ul_cycles(const AtomicUnit *unit)
{
	const AtomicParameters *p = unit->parameters;

	return p->t_base_cycles - p->lk_cycles - p->operation_cycles - unit->issue_cycles;
}

/* Counts an atomic that is complete. */
void atomic_end(AtomicUnit *unit, const Atomic *atomic);

#endif
