/* SPDX-License-Identifier: MIT */
/*
 * How often two different words of one warp access differ by each XOR of their indexes: all that the
 * conflicts of a linear hash depend on. Words are counted from the start of the block's shared
 * memory. Who may include it: explore.
 */
#ifndef ATOMSIM_EXPLORE_SEARCH_PAIRS_H
#define ATOMSIM_EXPLORE_SEARCH_PAIRS_H

#include <glib.h>

#include "base/record.h"

typedef struct {
	uint32_t n_bits;   /* of a word's index */
	uint64_t *counts;  /* 2^n_bits, by XOR; that of 0 is 0 */
	uint64_t total;	   /* pairs */
	uint64_t accesses; /* with two different words or more */
} PairCounts;

/* No pairs yet. The words of all sources to come must be below 2^n_bits (0 .. 31). */
void pairs_init(PairCounts *pairs, uint32_t n_bits);
void pairs_clear(PairCounts *pairs);

/* Adds the pairs of all accesses of the source: of atomics alone, or of loads and stores too.
   Returns false if a stream failed; the source keeps why. */
gboolean pairs_add(PairCounts *pairs, RecordSource *source, gboolean atomics_alone);

/* Bits of a word's index that the source's blocks need. */
uint32_t pairs_bits(RecordSource *source);

#endif
