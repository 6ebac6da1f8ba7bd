/* SPDX-License-Identifier: MIT */
/*
 * Software spin locks: who holds which. A lock is a word that one warp holds from the service of the lane
 * that found it free until that of the store that releases it. What a try costs is
 * the mechanism's matter, and when a warp tries again exec-lock.c's. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_LOCKS_SPIN_LOCKS_H
#define ATOMSIM_SIM_LOCKS_SPIN_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/shared/shared.h"

typedef struct {
	uint8_t *
		holder; /* by word: slot + 1 of the warp that holds it; NULL: none was ever taken */
	Cycle *free_at; /* by word: the release of one that nobody holds is through then */
	Cycle last_free_at;
	uint32_t n_words;
} SpinLocks;

void spin_locks_init(SpinLocks *locks, uint32_t n_words);
void spin_locks_clear(SpinLocks *locks);

typedef enum {
	SPIN_TAKEN, /* all were free; the warp holds them now */
	SPIN_BUSY,  /* one is held: none was taken */
	SPIN_TWICE, /* two lanes ask for the same one */
} SpinOutcome;

/* The warp in `slot` tries all these locks at once. */
SpinOutcome spin_locks_try(SpinLocks *locks, uint32_t slot, const uint32_t *words, uint32_t n);
/* The warp in `slot` takes one that is free at `at`. False, and nothing: it is not. */
bool spin_locks_take(SpinLocks *locks, uint32_t slot, uint32_t word, Cycle at);
/* Releases one: it is free from `at` on. False if the warp does not hold it. */
bool spin_locks_release(SpinLocks *locks, uint32_t slot, uint32_t word, Cycle at);
/* Whether somebody holds it; then *slot is whose it is. */
bool spin_locks_held(const SpinLocks *locks, uint32_t word, uint32_t *slot);
/* Releases all locks of first .. end-1: their block has ended. */
void spin_locks_end_block(SpinLocks *locks, uint32_t first, uint32_t end);

#endif
