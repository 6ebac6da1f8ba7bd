/* SPDX-License-Identifier: MIT */
/*
 * What each kind of warp instruction does to its SM: one file a kind, exec-*.c, and a row of
 * exec-table.c. Who may include it: sim only.
 *
 * A function of the table executes the next warp instruction of the warp in `slot`, issued at `now`,
 * and says when the warp goes on: by fetch_next (sim/sm/fetch.h) when its record is complete, by wheel_add
 * when it is not, by sm_park when nobody knows yet. It books every cycle until then.
 */
#ifndef ATOMSIM_SIM_SM_EXEC_H
#define ATOMSIM_SIM_SM_EXEC_H

#include <glib.h>

#include "sim/sm/fetch.h"
#include "sim/sm/sm.h"

typedef void Execute(Sm *sm, uint32_t slot, Cycle now);

Execute exec_arithmetic; /* alu, unknown, shfl, vote */
Execute exec_code;
Execute exec_fence;
Execute exec_shared; /* lds, sts */
Execute exec_atomic; /* atom */
Execute exec_lock;
Execute exec_unlock;
Execute exec_global; /* ldg, stg, atomg */
Execute exec_barrier;
Execute exec_exit;

extern Execute *const exec_of_kind[N_RECORD_KINDS];
/* Of a record that is begun: counts it, and refuses what the engine cannot replay. */
void exec_begin_record(Sm *sm, Warp *warp, Cycle now);

/* Carries out the next instruction of the warp in `slot`, issued at `now`. */
static inline void exec_next(Sm *sm, uint32_t slot, Cycle now)
{
	Warp *warp = &sm->warps[slot];

	if (!warp->in_record && !warp_locks_spins(&warp->locks))
		exec_begin_record(sm, warp, now);
	exec_of_kind[warp->record.kind](sm, slot, now);
}

/* The same once scheduler number `scheduler` has issued it. */
static inline void exec_issued(Sm *sm, uint32_t scheduler, uint32_t slot, Cycle now)
{
	sm->shared.port = scheduler;
	sm->shared.warp = slot;
	exec_next(sm, slot, now);
}

/* The next warp instruction of the atomic in warp->atomic: asks its mechanism, books, counts and
   observes. `in_flight`: the warp need not wait for it where machine and mechanism allow. step->ready:
   when the warp goes on; if step->parked it has been parked. */
void exec_atomic_step(Sm *sm, uint32_t slot, Cycle now, bool in_flight, Step *step);
/* Issued at `now`: the last instruction of the warp's atomic, a silent one. */
void exec_atomic_end(Sm *sm, uint32_t slot, Cycle now);
/* The run ends: what was booked of silent instructions that the warp has not issued is taken back. */
void exec_take_back_silent(Sm *sm, uint32_t slot);
/* Fills warp->atomic from the record's lanes; its values are not looked at. */
void exec_atomic_begin(Sm *sm, uint32_t slot, Operation operation, ValueType type, bool result);

/* Fills what the atomic's mechanism asks of the operands (exec-operands.c). */
void exec_atomic_operands(const Sm *sm, Warp *warp);
/* In the order of another run, of an instruction that was a swap there: which lanes succeeded in it, filled; else NULL. Not of locks. */
const LaneMask *exec_atomic_kept(Sm *sm, uint32_t slot, LaneMask *winners);
/* Where the order is noted: what the step came to. */
void exec_atomic_note(const Sm *sm, uint32_t slot, const Step *step);

/* Where a warp runs ahead of its results: books the wait until the access just made has a place in
   the queue, or, without one, until the banks have taken its last pass; returns when that is. */
Cycle exec_run_ahead(Sm *sm, Cycle now);

/* The same atomic again, complete or not. */
void exec_atomic_again(Sm *sm, uint32_t slot);

/* The access of a shared record, or the store of an unlock. Returns when the warp goes on. */
Cycle exec_shared_access(Sm *sm, uint32_t slot, Cycle now);

/* Books the time from an issue to `ready` of a warp that runs ahead: the stall behind an access, which is known before as that of
   arithmetic is, and then the queue, as `state`. */
static inline void exec_book_ahead(Sm *sm, Cycle now, Cycle ready, WarpState state)
{
	const Cycle free = now + fetch_access_stall(sm);

	sm->statistics.warp_cycles[STATE_ARITHMETIC] +=
		free - now - sm->machine->sm.issue_cycles;
	if (ready > free)
		sm_book_queue(sm, free, ready, state);
}

/* Books the time from an issue to `ready`, which is not before its slot is over: the queue until
   `start`, bank conflicts, and the rest as `latency`. The issue itself is booked at the end, for all
   instructions at once. */
static inline void exec_book(Sm *sm, Cycle now, Cycle start, Cycle ready, uint32_t bank_cycles,
			     WarpState latency)
{
	Cycle issued = now + sm->machine->sm.issue_cycles;
	Cycle served = MAX(start, issued);
	uint64_t *cycles = sm->statistics.warp_cycles;

	if (served > issued)
		sm_book_queue(sm, issued, served, STATE_QUEUE);
	cycles[STATE_BANK] += bank_cycles;
	cycles[latency] += ready - served - bank_cycles;
}

static inline bool exec_is_global_lock(const Record *record)
{
	return (record->kind == RECORD_LOCK || record->kind == RECORD_UNLOCK) &&
	       record->space == MEMORY_GLOBAL;
}

/* Whether it is within an atomic, or an exchange that tries a spin lock. */
static inline bool exec_in_atomic(const Warp *warp)
{
	return warp->in_record && warp->combining == 0 &&
	       (warp->record.kind == RECORD_ATOM || warp->record.kind == RECORD_LOCK);
}

/* Sends the next of what combiner c keeps of the warp's atomics, or waits until it can be sent; the warp goes on with the same record
   after that. False: it keeps nothing. all: until it does. */
bool exec_drain(Sm *sm, uint32_t slot, uint32_t c, bool all, Cycle now);
/* The same of all combiners, before a fence, or before the warp's end where nobody is left who would. */
bool exec_drain_all(Sm *sm, uint32_t slot, bool ends, Cycle now);

/* Calls the observer, if there is one. passes: of an access to the banks, else 0. */
void exec_notify(const Sm *sm, uint32_t slot, const char *name, Cycle now, Cycle start,
		 Cycle ready, uint32_t passes);

static inline void exec_observe(const Sm *sm, uint32_t slot, const char *name, Cycle now,
				Cycle start, Cycle ready, uint32_t passes)
{
	if (G_UNLIKELY(sm->context->observer))
		exec_notify(sm, slot, name, now, start, ready, passes);
}

/* The same of a step of an atomic, which began with lanes `tried` in a round and is done at `done`. */
void exec_notify_step(const Sm *sm, uint32_t slot, Cycle now, const Step *step, LaneMask tried,
		      uint32_t round, Cycle done);

#endif
