/* SPDX-License-Identifier: MIT */
/*
 * How an SM carries out an atomic on shared memory: interchangeable mechanisms. (On global memory: those of
 * global-mechanism.h.)
 *
 * A mechanism is one file, mech-*.c, that opens with what it models, what it does not, and the
 * source of each rule; and one word in the list below. It brings its own keys, its own parameters
 * and its own state, and says what it is able to do; nobody else knows it by name. It is asked for
 * one warp instruction at a time, because between two of them the scheduler may serve other warps.
 * It honours the ideals that it has waits for (unit->shared->ideals, model/ideals.h), each by a rule at its top:
 * bank_conflicts, that lanes wait for each other's banks; same_word, that lanes of any warp wait for each other's words,
 * but for tries of spin locks;
 * lock_aliases, that they wait for a lock of another word. With all three no lane fails, and no access takes a further pass.
 * Who may include it: model, sim, and layers above.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_MECHANISM_H
#define ATOMSIM_MODEL_ATOMIC_MECHANISM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/key.h"
#include "base/words.h"
#include "model/atomic/closed-form.h"
#include "model/atomic/silent.h"
#include "model/cost-row.h"
#include "model/shared/locks.h"
#include "model/shared/shared.h"
#include "model/snapshot.h"

/* Every mechanism; mech-NAME.c defines mechanism_NAME. */
#define MECHANISMS(X) X(none) X(lock_bits) X(native) X(cas_loop)

/* MECHANISM_none, ...: a mechanism's place in `mechanisms`, and of what is its own elsewhere. */
enum {
#define X(name) MECHANISM_##name,
	MECHANISMS(X)
#undef X
		N_MECHANISMS,
};

typedef struct Mechanism Mechanism;

/* What a mechanism is used for: atomics of an AtomicKind, or those that name mechanisms[m] (ATOMIC_NAMED + m). */
enum {
	ATOMIC_NAMED = N_ATOMIC_KINDS,
	N_ATOMIC_USES = ATOMIC_NAMED + N_MECHANISMS,
};

typedef struct {
	const Mechanism *mechanism;
	/* Instead of it, for operations that need arithmetic on values of these types; NULL: none. */
	const Mechanism *mechanism_f32;
	const Mechanism *mechanism_64bit;
	uint32_t named;	    /* bit m: some atomics name mechanisms[m] for themselves */
	uint32_t locks;	    /* lock bits of an SM's table: 1 .. HASH_MAX_SIZE */
	HashSpec lock_hash; /* word -> lock bit */
	const void *own[N_MECHANISMS]; /* each one's parameters, as its keys fill them */
} AtomicParameters;

/* What an SM has for its mechanisms. */
typedef struct MechanismInstance MechanismInstance;
typedef struct {
	const AtomicParameters *parameters;
	uint32_t issue_cycles; /* sm.issue_cycles */
	uint64_t seed;
	SharedMemory *shared;
	const LockMap *lock_map;  /* NULL: no mechanism of this machine has locks */
	AtomicCounters *counters; /* of what is being executed: atomics, or spin locks */
	/* Lanes for which another lane has operated at their bank, of the step; the caller sets it to 0 again. */
	uint32_t bank_merged;
	/* Of a step that is a compare-and-swap: the lanes that succeed, as in another run; NULL: as it comes. */
	const LaneMask *swapped;
	/* By what they are used for; those of one mechanism share a state. */
	struct MechanismInstance {
		const Mechanism *mechanism; /* NULL: nobody names it */
		void *state;		    /* its own, in this SM; NULL: it has none */
	} instances[N_ATOMIC_USES];
	bool dataflow; /* the trace says what waits for what */
	bool watched;  /* somebody wants to see every instruction: leave Step.silent alone */
	/* Makes a parked warp due at `at`, which is later than the instruction being executed. */
	void (*wake)(void *sm, uint32_t slot, Cycle at);
	void *sm;
} AtomicUnit;

/* One warp's atomic in flight. Lanes are numbered by rank among the active lanes, in lane order. */
typedef struct {
	Operation operation;
	ValueType type;
	bool result;
	bool increment; /* adds 1, or what the trace does not say, and has no operand and no result; for
	                     WANTS_INCREMENT */
	bool tries_lock; /* a spin lock: who waits for its word waits for the lock, which is no same_word */
	LaneMask
		same; /* lanes that leave any word as it is, as far as the trace says: they add 0; for
	                     WANTS_SAME */
	uint32_t n_lanes;	  /* 1 .. MAX_LANES */
	uint32_t word[MAX_LANES]; /* index in the SM's shared memory, of each lane */
	uint8_t slot;		  /* of the warp */
	bool may_trail;		  /* its last instruction may be silent: SILENT_TRAILS */
	bool round_failed; /* kept by the mechanism, false at first: the next step begins a round behind one that no lane has
	                 won, and `lose` may be asked */
	uint64_t block;	   /* with the next two: the atomic's identity, whatever the */
	uint32_t warp;	   /* machine does: block, warp in it, atomic of the warp */
	uint64_t number;
	/* Kept by the mechanism. */
	uint32_t phase;	  /* its own; 0 before the first step */
	uint64_t round;	  /* rounds completed; 0 before the first step */
	LaneMask pending; /* lanes still to do */
} Atomic;

/* What one warp instruction of an atomic did. */
typedef struct {
	const char *name; /* of the instruction, for observers: "LK", "UL", ... */
	Cycle start;	  /* the load/store unit took it; the issue cycle if it needs none */
	Cycle ready;	  /* the warp can issue its next instruction; parked: of no meaning */
	uint32_t bank_cycles; /* of ready - start: further passes */
	uint32_t passes;      /* of its access; 0 if it made none */
	uint32_t failed;      /* lanes that found their lock taken */
	LaneMask winners;     /* lanes whose operation was done by this instruction */
	LaneMask waiting;     /* lanes still to do that do not try: their lock is not free */
	bool retry;	      /* belongs to a round after the first */
	bool done;	      /* the atomic is complete */
	bool parked;	      /* nobody knows yet when: AtomicUnit.wake will say */
	const SilentRun
		*silent; /* follow this one, before the mechanism is asked again; NULL: none */
} Step;

/* A failed round: its first instruction, and what follows it. */
typedef struct {
	Cycle start, ready;	 /* as in a step */
	uint32_t bank_cycles;	 /* of its access */
	uint32_t failed;	 /* lanes: all that tried */
	const SilentRun *silent; /* the rest of the round */
} LostRound;

/* Fills the step of an instruction that takes its issue slot until `ready` and does nothing yet. Not the
   silent ones' cycles: this runs once an instruction. */
static inline void step_begin(Step *step, Cycle now, Cycle ready, bool retry)
{
	step->name = NULL;
	step->start = now;
	step->ready = ready;
	step->bank_cycles = step->passes = step->failed = step->winners = 0;
	step->waiting = 0;
	step->retry = retry;
	step->done = step->parked = false;
	step->silent = NULL;
}

/* Whom an atomic that cannot go on waits for. */
typedef struct {
	uint32_t lane; /* by rank: the first that waits */
	bool has_holder;
	uint32_t slot; /* of the warp that holds its lock */
} AtomicWait;

/*
 * What must hold between keys when the mechanism is used. Every step of a warp must last as long as its scheduler and the banks
 * are busy with it: a lone warp must never wait for what it keeps busy itself.
 */
typedef struct {
	const char *keys[4]; /* paths; the first is named if all are equally old */
	/* "allowed: ..." when it does not hold; else NULL. Without it the first key must be at least each of the others. */
	const char *(*problem)(const AtomicParameters *atomic, const SharedParameters *shared,
			       uint32_t issue_cycles);
} MechanismRule;

struct Mechanism {
	const char *name;    /* as in a config: lock-bits */
	const char *summary; /* one line */
	KeyTable keys;	     /* its parameters; all 0: none */
	const MechanismRule *rules;
	uint32_t n_rules;
	const CostRow *costs; /* its hardware, beside what any SM has; NULL: none */
	uint32_t n_costs;

	bool has_locks; /* bits that atomic.locks and atomic.lock_hash describe; or entries: */
	/* Its locks are that many entries of a CAM, and each word has one of its own while it is locked; 0, or NULL: bits. */
	uint32_t (*cam_entries)(const void *own);
	bool as_store; /* it costs what a store does: shared.store_cycles */
	/* One instruction without a branch on its result: where sm.scoreboard is 1, the warp need
	   not wait for it. */
	bool in_flight;
	/* Whether, with these parameters, its steps depend on Atomic.block: then blocks that ask for the same need not come
	   to the same. NULL: they do not. */
	bool (*by_block)(const void *own);
	enum { WANTS_NOTHING, WANTS_INCREMENT, WANTS_SAME } wants; /* of Atomic's fields */

	/* Its state in one SM, and an end to it; NULL: it has none. */
	void *(*new)(const AtomicUnit *unit);
	void (*free)(void *state);
	/*
	 * Executes the atomic's next warp instruction, issued at `now`. The caller has filled the
	 * atomic's first part, and set phase and round to 0 before the first call; calls for one SM
	 * come in order of `now`. Fills *step so that (the engine asserts all of it)
	 *   now <= start, now + issue_cycles <= ready,
	 *   MAX (start, now + issue_cycles) + bank_cycles <= ready,
	 *   winners are lanes that were pending, each a winner once, and none is left when done;
	 * silent instructions, each of issue_cycles or more, may follow of which the mechanism has already taken
	 * account; the last of the atomic, of issue_cycles, alone and with SILENT_TRAILS, only where atomic->may_trail;
	 * or parked is true and done is not: then start and ready say nothing, and the mechanism calls
	 * unit->wake once, from a later step of any warp or from outside, and then is asked again.
	 */
	void (*step)(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, Step *step);
	/*
	 * The same in short where Atomic.round_failed is set, if this round fails as well: does all that `step` would, and
	 * fills *lost; false, and nothing is changed, if it is not so. NULL: round_failed is never set.
	 */
	bool (*lose)(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, LostRound *lost);
	/* What an atomic that is not complete waits for at `now`; NULL, or false: nothing. */
	bool (*waits)(const void *state, const Atomic *atomic, Cycle now, AtomicWait *wait);
	/* Locks that are set and that nobody is about to clear; NULL: none. */
	uint32_t (*n_held)(const void *state);
	/* The run ends before the atomic does: counts what of it is counted at its end only; NULL: nothing. */
	void (*settle)(AtomicUnit *unit, const void *state, const Atomic *atomic);
	/*
	 * For running through tries that repeat themselves (sim/sm/fast-forward.h). Records all of its state,
	 * of the atomic and of the words of its lanes that decides what this atomic's steps do from
	 * `now` on, Atomic's phase, round and pending lanes included; or snapshot_never. NULL: only those
	 * three, where it has no state, and never where it has one.
	 */
	void (*snapshot)(const AtomicUnit *unit, const void *state, const Atomic *atomic,
			 Cycle now, Snapshot *snapshot);
	/* Puts times after `now` in that state off by `by`, which is longer than any of them is ahead. Atomics
	   may share them: what is further ahead than `by` has been put off already. NULL: there are none. */
	void (*shift)(void *state, const Atomic *atomic, Cycle now, Cycle by);
	/* One warp alone, in closed form: what the simulation of an atomic without operands that are known comes to, in cycles
	   and rounds. NULL: there is none but that. */
	void (*closed_form)(const AtomicParameters *parameters, const SharedParameters *shared,
			    const Ideals *ideals, const ClosedFormAtomic *atomic,
			    ClosedForm *result);
};

#define X(name) extern const Mechanism mechanism_##name;
MECHANISMS(X)
#undef X

extern const Mechanism *const mechanisms[]; /* NULL-terminated, in the order of the list */
/* NULL if there is none of this name. */
const Mechanism *mechanism_find(const char *name);
/* Its place in the list. */
uint32_t mechanism_place(const Mechanism *mechanism);
/* The key that names the mechanism of a kind of atomics: atomic.mechanism where the kind has none of its own. */
const char *mechanism_key(const AtomicParameters *parameters, uint32_t kind);
/* The mechanism of an AtomicKind, or of ATOMIC_NAMED + m. */
const Mechanism *mechanism_of_use(const AtomicParameters *parameters, uint32_t use);
/* Whether some operation is carried out by it. */
bool mechanism_in_use(const AtomicParameters *parameters, const Mechanism *mechanism);
/* Whether a mechanism in use has locks. */
bool atomic_has_locks(const AtomicParameters *parameters);
/* Entries of a CAM that are the locks of the mechanisms in use; 0: their locks are bits, or they have none. */
uint32_t atomic_cam_entries(const AtomicParameters *parameters);
/* Whether a mechanism in use has lock bits. */
bool atomic_has_lock_bits(const AtomicParameters *parameters);
/* Whether a mechanism in use depends on the number of the block (Mechanism.by_block). */
bool atomic_by_block(const AtomicParameters *parameters);

/* The mechanisms in use and their states, made and freed with the SM. The rest of the unit is
   filled. */
void atomic_unit_init(AtomicUnit *unit);
void atomic_unit_clear(AtomicUnit *unit);
/* For an atomic that names mechanisms[place], which must be in use. */
const MechanismInstance *atomic_instance_named(const AtomicUnit *unit, uint32_t place);
/* Whether an operation whose operands nobody knows is taken for an increment: adds without result are votes and counts. */
static inline bool atomic_may_increment(Operation operation, bool result)
{
	return operation == OPERATION_ADD && !result;
}
/* The one that carries out this operation. */
const MechanismInstance *atomic_instance(const AtomicUnit *unit, Operation operation,
					 ValueType type);
/* Locks of all mechanisms that are set and that nobody is about to clear. */
uint32_t atomic_held(const AtomicUnit *unit);
/* Mechanism.settle, .snapshot and .shift of an atomic that the instance carries out. */
void atomic_settle(AtomicUnit *unit, const MechanismInstance *instance, const Atomic *atomic);
void atomic_snapshot(const AtomicUnit *unit, const MechanismInstance *instance,
		     const Atomic *atomic, Cycle now, Snapshot *snapshot);
void atomic_shift(const MechanismInstance *instance, const Atomic *atomic, Cycle now, Cycle by);

/* For mechanisms. Starts the bookkeeping that every one needs: all lanes pending, counted. */
void atomic_begin(AtomicUnit *unit, Atomic *atomic);
/* Counts an atomic that is complete. Called by the mechanism, or behind SILENT_TRAILS by the engine. */
void atomic_end(AtomicUnit *unit, const Atomic *atomic);

#endif
