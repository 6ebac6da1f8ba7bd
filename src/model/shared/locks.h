/* SPDX-License-Identifier: MIT */
/*
 * Which lock bit an address has: a hash of the word's index in the SM's shared memory (bits 11:2 of
 * the byte address on Fermi: Gomez-Luna et al., TPDS 2013; "low bits of the address or a hash": US
 * 8,375,176); one bit stands for many words. Who may include it: model, sim.
 */
#ifndef ATOMSIM_MODEL_SHARED_LOCKS_H
#define ATOMSIM_MODEL_SHARED_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/shared/hash.h"

/* The lock of every word, built once for all SMs of a machine. */
typedef struct {
	uint32_t n_locks;
	bool modulo;	   /* the lock of a word is word % n_locks */
	uint16_t *lock_of; /* one entry a word */
} LockMap;

void lock_map_init(LockMap *map, const HashSpec *hash, uint32_t n_locks, uint32_t n_words);
/* Ideal lock_aliases, or entries of a CAM: a lock of its own for each word, as far as locks can be numbered (the first 65,536 words of
   an SM). */
void lock_map_init_words(LockMap *map, uint32_t n_words);
void lock_map_clear(LockMap *map);

#endif
