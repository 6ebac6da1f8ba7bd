/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `lock-bits` with the ideal same_word: lanes that want one word, of one warp or of several, hold its lock
 * together. A lock that is held, or not free yet, for another word still fails. Which word of several gets a free lock is
 * decided as without it.
 */
#include <glib.h>

#include "model/atomic/lock-bits-tries.h"

/* What the lanes that are still to do want: their words, each with its first lane's number. */
static void find_words(const LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		       Sorted *sorted)
{
	sorted->words_pending = 0;
	for (LaneMask left = atomic->pending; left; left &= left - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctzll(left);
		const uint32_t word = atomic->word[lane];
		LaneMask before = sorted->words_pending;

		while (before && atomic->word[__builtin_ctzll(before)] != word)
			before &= before - 1;
		if (before) {
			const uint32_t w = (uint32_t)__builtin_ctzll(before);

			sorted->rivals[w] |= left & -left; /* here: the word's own lanes */
			sorted->n_left[w]++;
			continue;
		}
		sorted->words_pending |= left & -left;
		sorted->rivals[lane] = left & -left;
		sorted->n_left[lane] = 1;
		sorted->words[lane] = (WantedWord){
			.lock = bits->map->lock_of[word],
			.bank = (uint8_t)unit->shared->table->bank_of[word],
		};
	}
}

/* The lanes that try a lock in this round. */
static LaneMask lanes_of_lock(const Sorted *sorted, uint32_t lock)
{
	LaneMask lanes = 0;

	for (LaneMask left = sorted->words_pending; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left);

		if (sorted->words[w].lock == lock)
			lanes |= sorted->rivals[w];
	}
	return lanes;
}

/* Whether the word's lanes get its lock. */
static bool gets(const LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		 const Sorted *sorted, uint32_t w, Cycle start)
{
	const uint32_t lock = sorted->words[w].lock;
	const WinnerRule winner = bits->parameters->winner;
	const uint64_t salt =
		winner != WINNER_RANDOM
			? 0
			: winner_salt(unit->seed, atomic->block, atomic->warp, atomic->number);
	uint32_t picked;

	if (bits->free_at[lock] > start)
		return !atomic->tries_lock &&
		       bits->taken[lock] >> LOCK_SLOT_BITS == atomic->word[w];
	if (!lock_cam_has_room(bits, NULL, lock, start))
		return false;
	picked = winner_pick(winner, lanes_of_lock(sorted, lock), atomic->n_lanes,
			     atomic->round, lock, salt);
	return atomic->word[picked] == atomic->word[w];
}

/* So many lanes found their lock taken. */
static void fail(AtomicUnit *unit, const Atomic *atomic, uint32_t word, uint32_t taken,
		 uint32_t n)
{
	if (taken >> LOCK_SLOT_BITS == word) /* tries of spin locks do not join */
		unit->counters->failures.inter_position += n;
	else if (taken % (1u << LOCK_SLOT_BITS) == atomic->slot)
		unit->counters->failures.intra_alias += n;
	else
		unit->counters->failures.inter_alias += n;
}

/* One more word in its bank: its pass, and the most so far. */
static uint32_t count_pass(uint8_t in_bank[SHARED_MAX_BANKS], const WantedWord *wanted,
			   uint16_t *most, uint8_t *worst_bank)
{
	const uint32_t n = ++in_bank[wanted->bank];

	if (n > *most) {
		*most = (uint16_t)n;
		*worst_bank = wanted->bank;
	}
	return n - 1;
}

void lock_bits_try_together(LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
			    Sorted *sorted, Cycle start)
{
	uint8_t read[SHARED_MAX_BANKS] = {0}, write[SHARED_MAX_BANKS] = {0};

	find_words(bits, unit, atomic, sorted);
	sorted->n_tried = (uint32_t)__builtin_popcountll(atomic->pending);
	sorted->run = sorted->chained = false;
	sorted->winners = sorted->won = sorted->n_failed = 0;
	sorted->read_passes = sorted->write_passes = 0;
	sorted->worst_read_bank = sorted->worst_write_bank = 0;
	for (LaneMask left = sorted->words_pending; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left), n = sorted->n_left[w];
		WantedWord *wanted = &sorted->words[w];

		count_pass(read, wanted, &sorted->read_passes, &sorted->worst_read_bank);
		if (gets(bits, unit, atomic, sorted, w, start)) {
			wanted->pass = (uint8_t)count_pass(write, wanted, &sorted->write_passes,
							   &sorted->worst_write_bank);
			sorted->won |= left & -left;
			sorted->winners |= sorted->rivals[w];
			lock_cam_take(bits, wanted->lock);
			if (bits->cam) /* not to be freed for the next word */
				bits->free_at[wanted->lock] = LOCK_HELD;
			unit->shared->failures[atomic->word[w]] += atomic->round * n;
		} else {
			sorted->n_failed += n;
		}
	}
	sorted->gone = sorted->won;
	if (bits->ports_bind) {
		sorted->read_passes = (uint16_t)lock_ports_count_passes(
			bits, unit, atomic, sorted, atomic->pending, &sorted->worst_read_bank);
		sorted->write_passes = (uint16_t)lock_ports_count_passes(
			bits, unit, atomic, sorted, sorted->winners, &sorted->worst_write_bank);
	}
	for (LaneMask left = sorted->won; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left);
		const uint32_t lock = sorted->words[w].lock;

		bits->free_at[lock] = LOCK_HELD;
		bits->taken[lock] = atomic->word[w] << LOCK_SLOT_BITS | atomic->slot;
		bits->n_holders[lock]++;
	}
	for (LaneMask left = sorted->words_pending & ~sorted->won; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left);
		const uint32_t lock = sorted->words[w].lock;

		if (bits->free_at[lock] <= start) /* of a full table */
			unit->counters->failures.full += sorted->n_left[w];
		else
			fail(unit, atomic, atomic->word[w], bits->taken[lock],
			     sorted->n_left[w]);
	}
}

bool lock_bits_leave(LockBits *bits, uint32_t lock)
{
	return --bits->n_holders[lock] == 0;
}
