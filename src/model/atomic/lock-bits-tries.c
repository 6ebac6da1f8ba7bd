/* SPDX-License-Identifier: MIT */
#include "model/atomic/lock-bits-tries.h"

#include <glib.h>

/* A small number for each bank. */
typedef struct {
	_Alignas(16) uint8_t of[SHARED_MAX_BANKS];
} BankBytes;

/* The words of which a lane finds its lock free at `start`. Without a branch for a word: which locks
   are free is what no processor can predict. */
static LaneMask free_words(const LockBits *bits, const Sorted *sorted, Cycle start)
{
	const Cycle *const free_at = bits->free_at;
	LaneMask free = 0;

	for (LaneMask left = sorted->words_pending; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left);

		free |= (LaneMask)(free_at[sorted->words[w].lock] <= start) << w;
	}
	return free;
}

/* Of the words that were won those that lanes share: who has won them, and who goes on trying. Returns these lanes'
   number. */
static uint32_t pass_on(Sorted *sorted)
{
	uint32_t lost = 0;

	for (LaneMask left = sorted->won & sorted->shared, bit; left; left ^= bit) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left), lane = sorted->first[w];
		const uint32_t n = sorted->n_left[w] - 1u;

		bit = left & -left;
		sorted->winners = (sorted->winners & ~bit) | UINT64_C(1) << lane;
		sorted->n_left[w] = (uint8_t)n;
		if (n > 0) {
			sorted->first[w] = sorted->next[lane];
			sorted->gone &= ~bit;
			bank_words_add(&sorted->reads, sorted->words[w].bank);
		}
		lost += n;
	}
	return lost;
}

/* The lowest lane of each of the words sorted->won takes its lock. */
static void take(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted)
{
	/* Stores of bytes may change anything, as far as the compiler knows: it would look these up each time. */
	uint64_t *const failures = unit->shared->failures, round = atomic->round;
	uint32_t *const taken = bits->taken;
	Cycle *const times = bits->free_at;
	const uint32_t slot = atomic->slot;
	uint32_t worst = 0, n_won = 0; /* worst: pass << 8 | bank */
	BankBytes in_bank = {{0}};

	for (LaneMask left = sorted->won; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left), word = atomic->word[w];
		WantedWord *const wanted = &sorted->words[w];
		const uint32_t number = wanted->lock, bank = wanted->bank;
		const uint32_t pass = in_bank.of[bank]++;

		wanted->pass = (uint8_t)pass;
		worst = MAX(worst, pass << 8 | bank);
		times[number] = LOCK_HELD;
		taken[number] = word << LOCK_SLOT_BITS | slot;
		/* Its failed attempts, in each round until now. */
		if (round > 0)
			failures[word] += round;
		bank_words_take(&sorted->reads, bank);
		n_won++;
	}
	sorted->winners = sorted->gone = sorted->won;
	sorted->write_passes = (uint16_t)((worst >> 8) + 1);
	sorted->worst_write_bank = (uint8_t)worst;
	sorted->n_failed = sorted->n_tried - n_won;
	sorted->n_lost = pass_on(sorted);
	unit->counters->failures.intra_position += sorted->n_lost;
}

/* Counts by cause the lanes whose lock is set. */
static void count_held(const LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
		       const Sorted *sorted, uint32_t n_failed)
{
	uint64_t failed = 0; /* four numbers of 16 bits */

	if (bits->others_only) {
		unit->counters->failures.inter_position += n_failed;
		return;
	}
	for (LaneMask left = sorted->words_pending & ~sorted->won; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(left);
		uint32_t taken = bits->taken[sorted->words[w].lock];
		uint32_t alias =
			taken >> LOCK_SLOT_BITS != atomic->word[w] ? LOCK_ALIAS_SHIFT : 0;
		uint32_t inter =
			taken % (1u << LOCK_SLOT_BITS) != atomic->slot ? LOCK_INTER_SHIFT : 0;

		failed += (uint64_t)sorted->n_left[w] << (alias + inter);
	}
	lock_bits_add_failures(unit, failed);
}

/* lock_bits_try of lanes that are chained: step by step, because what was tried is often what was tried last,
   and often nobody wins. */
static void try_locks(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		      Cycle start)
{
	sorted->won = free_words(bits, sorted, start);
	sorted->n_failed = sorted->n_tried;
	sorted->winners = sorted->gone = sorted->n_lost = 0;
	sorted->write_passes = sorted->worst_write_bank = 0;
	if (sorted->won)
		take(bits, unit, atomic, sorted);
	if (sorted->n_failed > sorted->n_lost)
		count_held(bits, unit, atomic, sorted, sorted->n_failed - sorted->n_lost);
}

void lock_bits_try(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		   Cycle start)
{
	if (G_UNLIKELY(bits->n_holders != NULL)) {
		lock_bits_try_together(bits, unit, atomic, sorted, start);
		return;
	}
	if (G_UNLIKELY(bits->waits != NULL)) {
		lock_waits_try(bits, unit, atomic, sorted, start);
		return;
	}
	if (atomic->round == 0) {
		sorted->n_tried = atomic->n_lanes;
		sorted->run = false;
		/* A warp's accesses are much alike: what the last one was decides what is tried
		   first. */
		if (!sorted->was_sorted &&
		    lock_bits_take_free(bits, unit, atomic, sorted, start))
			return;
		lock_bits_sort(bits, unit, atomic, sorted);
	}
	if (sorted->chained)
		try_locks(bits, unit, atomic, sorted, start);
	else
		lock_bits_try_any(bits, unit, atomic, sorted, start);
}

bool lock_bits_lose(const LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
		    const Sorted *sorted, Cycle start)
{
	if (bits->n_holders)
		return false;
	if (!sorted->chained)
		return lock_bits_lose_any(bits, unit, atomic, sorted, start);
	if (free_words(bits, sorted, start))
		return false;
	count_held(bits, unit, atomic, sorted, sorted->n_failed);
	return true;
}
