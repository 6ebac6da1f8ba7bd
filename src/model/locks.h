/* SPDX-License-Identifier: MIT */
/*
 * An SM's table of lock bits.
 *
 * Modelled: the lock bit of an address is a hash of the word's index in the SM's shared memory
 * (bits 11:2 of the byte address on Fermi: Gomez-Luna et al., TPDS 2013; "low bits of the address
 * or a hash": US 8,375,176); one bit stands for many words; the table does not know whose a
 * lock is. The holder kept here serves the statistics and the report of a livelock only.
 * Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_LOCKS_H
#define ATOMSIM_MODEL_LOCKS_H

#include "model/shared.h"

#define LOCK_HELD UINT64_MAX /* free_at of a lock that is set and whose unlock was not issued */

typedef struct {
	Cycle free_at;	/* free to an attempt at this cycle or later */
	uint32_t taken; /* when it was last taken: word << LOCK_SLOT_BITS | slot of the warp */
	uint32_t stamp; /* serial of the last atomic that tried it, as in SharedMemory.stamps */
} LockEntry;

#define LOCK_SLOT_BITS 6 /* of 64 warp slots; 26 bits are left for a word */

/* The lock of every word, built once for all SMs of a machine. */
typedef struct {
	uint32_t n_locks;
	uint16_t *lock_of; /* one entry a word */
} LockMap;

void lock_map_init(LockMap *map, const HashSpec *hash, uint32_t n_locks, uint32_t n_words);
void lock_map_clear(LockMap *map);

/* Locks of the table that are still set at `cycle`. */
uint32_t locks_set(const LockEntry *locks, uint32_t n_locks, Cycle cycle);

#endif
