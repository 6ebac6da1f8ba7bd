/* SPDX-License-Identifier: MIT */
/*
 * What an SM and a warp keep for locks as operations. Only sim/locks/ reads or writes the fields; others ask the functions here.
 * Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_LOCKS_LOCKS_H
#define ATOMSIM_SIM_LOCKS_LOCKS_H

#include "model/atomic/mechanism.h"
#include "sim/locks/section.h"
#include "sim/locks/spin-locks.h"

/* Of an SM. */
typedef struct {
	SpinLocks spin;
	uint64_t asking; /* slots whose attempts at shared locks have not been answered */
	AtomicCounters counters; /* of the exchanges of lock records */
} Locks;

/* Of a warp. */
typedef struct {
	Section *section; /* kept for the next one; NULL: there was none yet */
	Cycle spinning_since; /* spinning: when its first failed attempt was decided, or it came to the lock */
	bool in_section; /* between a lock and its unlock, or trying; then there is a section */
	bool spinning;	 /* found its spin lock taken */
} WarpLocks;

void locks_init(Locks *locks, uint32_t n_words);
void locks_clear(Locks *locks);
/* All words of first .. end-1 are free: their block has ended. */
void locks_end_block(Locks *locks, uint32_t first, uint32_t end);
/* Whether a warp holds the word; then *slot is whose it is. */
bool locks_held(const Locks *locks, uint32_t word, uint32_t *slot);

static inline AtomicCounters *locks_counters(Locks *locks)
{
	return &locks->counters;
}

/* Some lock becomes free at this cycle, none later. */
static inline Cycle locks_free_at(const Locks *locks)
{
	return locks->spin.last_free_at;
}

/* A new warp in a slot, which keeps the section of the warp before it there; of none, all of *before is 0. */
void warp_locks_init(WarpLocks *locks, const WarpLocks *before);
void warp_locks_clear(WarpLocks *locks);

static inline bool warp_locks_in_section(const WarpLocks *locks)
{
	return locks->in_section;
}

/* Whether it is in a section, and its running lanes go so far. */
static inline bool warp_locks_run(const WarpLocks *locks, SectionRun run)
{
	return locks->in_section && locks->section->run == run;
}

static inline bool warp_locks_spins(const WarpLocks *locks)
{
	return locks->spinning;
}

/* Since when it spins; undefined if it never has. */
static inline Cycle warp_locks_spinning_since(const WarpLocks *locks)
{
	return locks->spinning_since;
}

/* The same, to be moved on with time that is passed over. */
static inline Cycle *warp_locks_time(WarpLocks *locks)
{
	return &locks->spinning_since;
}

/* Of a warp under locks; `tries`: it makes attempts. */
void warp_locks_snapshot(const WarpLocks *locks, bool tries, Snapshot *snapshot);

/* A request of the warp's attempt, or of its release, for words in global memory. */
LockRequest *warp_locks_request(WarpLocks *locks, GlobalLocks *global, bool release,
				uint32_t n_lanes, const uint64_t *addresses);

#endif
