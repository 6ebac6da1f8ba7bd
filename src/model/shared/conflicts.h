/* SPDX-License-Identifier: MIT */
/*
 * What the lanes of one access do to one another: how many passes their words take, and whether a run of
 * words finds its locks free. The inner loops of a run, in several ways that give the same: the plain one is
 * what they mean.
 *
 * Who may include it: model.
 */
#ifndef ATOMSIM_MODEL_SHARED_CONFLICTS_H
#define ATOMSIM_MODEL_SHARED_CONFLICTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/words.h"

#define CONFLICTS_MAX_BANKS 64
#define CONFLICTS_MAX_WORDS 256 /* of one access: 64 lanes of 16 bytes */

/* Where the words are looked up. */
typedef struct {
	const uint16_t *bank_of; /* of each word: 0 .. CONFLICTS_MAX_BANKS - 1 */
	uint32_t modulo; /* a power of two: bank_of[word] is word % modulo; 0: look it up */
	uint32_t *marks; /* of each word, any value but `mark`; afterwards some are `mark` */
	uint32_t mark;
} ConflictWords;

/* How many different words of each bank are wanted. A count is above its bank's number, so one maximum finds
   both. */
#define BANK_WORDS_SHIFT 6
typedef struct {
	uint16_t of[CONFLICTS_MAX_BANKS];
} BankWords;

extern const BankWords bank_words_none;

/* One word more, or one less, of `bank`. */
static inline void bank_words_add(BankWords *words, uint32_t bank)
{
	words->of[bank] = (uint16_t)(words->of[bank] + (1u << BANK_WORDS_SHIFT));
}

static inline void bank_words_take(BankWords *words, uint32_t bank)
{
	words->of[bank] = (uint16_t)(words->of[bank] - (1u << BANK_WORDS_SHIFT));
}

typedef struct {
	const char *name;
	/* Passes of n words (1 .. CONFLICTS_MAX_WORDS, repeats allowed): the number of different words
	   in the worst bank. That bank, the one that came to so many first, goes to *worst_bank. */
	uint32_t (*passes)(const ConflictWords *in, const uint32_t *words, uint32_t n,
			   uint32_t *worst_bank);
	/* The same of words that were counted: passes << 8 | the highest bank that takes so many. n_banks: 1 ..
	   CONFLICTS_MAX_BANKS, of one at least one word was counted. */
	uint32_t (*most)(const BankWords *words, uint32_t n_banks);
	/* Whether n words (1 .. MAX_LANES) are consecutive, and the locks from free_at[0] on, one a word, all
	   free at `start`. If so takes them: free_at becomes UINT64_MAX, and taken[i] becomes words[i] <<
	   shift | slot. */
	bool (*take_run)(const uint32_t *words, uint32_t n, uint64_t *free_at, uint32_t *taken,
			 uint64_t start, uint32_t shift, uint32_t slot);
} ConflictPath;

/* The ways that this processor has, fastest first, plain last. Returns their number. */
#define CONFLICTS_MAX_PATHS 4
unsigned conflict_paths(const ConflictPath *paths[CONFLICTS_MAX_PATHS]);

#endif
