/* SPDX-License-Identifier: MIT */
/* Rounds of any rule of who wins, and of words that share locks. Lock by lock, as of few locks each has many lanes, and nearly
   all rounds find all of them set. */
#include <glib.h>
#include <string.h>

#include "base/vectors.h"
#include "model/atomic/lock-bits-tries.h"

/* The lanes whose word it is; they need not be pending. */
static LaneMask lanes_of_word(const Atomic *atomic, uint32_t word)
{
	LaneMask lanes = 0;

	for (uint32_t first = 0; first < atomic->n_lanes; first += 32) {
		FourNarrow bit = {1, 2, 4, 8}, found = {0};

		for (uint32_t i = first; i < MIN(first + 32, atomic->n_lanes);
		     i += FOUR_LANES) {
			FourNarrow four;

			memcpy(&four, &atomic->word[i], sizeof four);
			found |= (FourNarrow)(four == word) & bit;
			bit <<= FOUR_LANES;
		}
		lanes |= (LaneMask)(found[0] | found[1] | found[2] | found[3]) << first;
	}
	return lanes & lanes_below(atomic->n_lanes);
}

/* The lock's n lanes find it set: they fail by what its holder wants. */
static uint64_t fail_all(const LockBits *bits, const Atomic *atomic, const Sorted *sorted,
			 uint32_t lock, uint32_t n)
{
	const uint32_t taken = bits->taken[lock];
	const uint32_t inter =
		taken % (1u << LOCK_SLOT_BITS) != atomic->slot ? LOCK_INTER_SHIFT : 0;
	const LaneMask same =
		lanes_of_word(atomic, taken >> LOCK_SLOT_BITS) & sorted->words_pending;
	const uint32_t n_same = same ? sorted->n_left[__builtin_ctzll(same)] : 0;

	return (n_same | (uint64_t)(n - n_same) << LOCK_ALIAS_SHIFT) << inter;
}

/* One of the lock's n lanes gets it: the others fail. */
static uint64_t win_one(LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
			Sorted *sorted, LaneMask tried, uint32_t lock, uint32_t n)
{
	const WinnerRule rule = bits->parameters->winner;
	const uint64_t salt = rule != WINNER_RANDOM ? 0
						    : winner_salt(unit->seed, atomic->block,
								  atomic->warp, atomic->number);
	const uint32_t lane =
		winner_pick(rule, tried, atomic->n_lanes, atomic->round, lock, salt);
	const uint32_t w = sorted->word_of[lane], word = atomic->word[w];
	const uint32_t n_same = --sorted->n_left[w];

	bits->free_at[lock] = LOCK_HELD;
	bits->taken[lock] = word << LOCK_SLOT_BITS | atomic->slot;
	sorted->winners |= UINT64_C(1) << lane;
	sorted->won |= UINT64_C(1) << w;
	sorted->n_failed--;
	/* Its failed attempts, in each round until now. Those that never win: Mechanism.settle. */
	unit->shared->failures[word] += atomic->round;
	return n_same | (uint64_t)(n - 1 - n_same) << LOCK_ALIAS_SHIFT;
}

/* Of UL, in the order of the words. */
static void find_write_passes(Sorted *sorted)
{
	uint32_t worst = 0; /* passes << 8 | bank */
	uint8_t in_bank[SHARED_MAX_BANKS] = {0};

	for (LaneMask left = sorted->won; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left),
			       bank = sorted->words[w].bank;
		const uint32_t n = ++in_bank[bank];

		sorted->words[w].pass = (uint8_t)(n - 1);
		worst = MAX(worst, n << 8 | bank);
		if (sorted->n_left[w] > 0)
			continue;
		sorted->gone |= left & -left;
		bank_words_take(&sorted->reads, bank);
	}
	sorted->write_passes = (uint16_t)(worst >> 8);
	sorted->worst_write_bank = (uint8_t)worst;
}

/* Of the locks whose words are left the next one's: its lanes that are pending; n_lanes: of all of them. */
static inline LaneMask next_lock(const Atomic *atomic, const Sorted *sorted, LaneMask *left,
				 uint32_t *n_lanes, uint32_t *lock, uint32_t *n)
{
	const uint32_t w = (uint32_t)__builtin_ctzll(*left);
	const LaneMask tried = sorted->rivals[w] & atomic->pending;

	*lock = sorted->words[w].lock;
	*left &= ~sorted->rivals[w];
	*n = *left ? (uint32_t)__builtin_popcountll(tried) : *n_lanes;
	*n_lanes -= *n;
	return tried;
}

void lock_bits_try_any(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		       Cycle start)
{
	LaneMask left = sorted->words_pending;
	uint32_t n_lanes = sorted->n_tried, lock, n;
	uint64_t failed = 0;

	sorted->winners = sorted->won = sorted->gone = 0;
	sorted->n_failed = sorted->n_tried;
	while (left) {
		const LaneMask tried = next_lock(atomic, sorted, &left, &n_lanes, &lock, &n);

		failed += bits->free_at[lock] <= start
				  ? win_one(bits, unit, atomic, sorted, tried, lock, n)
				  : fail_all(bits, atomic, sorted, lock, n);
	}
	lock_bits_add_failures(unit, failed);
	find_write_passes(sorted);
}

bool lock_bits_lose_any(const LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
			const Sorted *sorted, Cycle start)
{
	LaneMask left = sorted->words_pending;
	uint32_t n_lanes = sorted->n_tried, lock, n;
	uint64_t failed = 0;

	while (left) {
		next_lock(atomic, sorted, &left, &n_lanes, &lock, &n);
		if (bits->free_at[lock] <= start)
			return false;
		failed += fail_all(bits, atomic, sorted, lock, n);
	}
	lock_bits_add_failures(unit, failed);
	return true;
}
