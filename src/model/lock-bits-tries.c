/* SPDX-License-Identifier: MIT */
#include "model/lock-bits-tries.h"

#include <glib.h>
#include <string.h>

/* A small number for each bank. Cleared by vectors: a compiler's `rep stos` takes longer than the rest of
   a round. */
typedef uint64_t Vector __attribute__((vector_size(16)));
typedef union {
	uint16_t of[SHARED_MAX_BANKS];
	Vector vectors[SHARED_MAX_BANKS * 2 / sizeof(Vector)];
} BankCounts;

static inline void clear_banks(BankCounts *counts)
{
#pragma GCC unroll 8
	for (size_t i = 0; i < G_N_ELEMENTS(counts->vectors); i++)
		counts->vectors[i] = (Vector){0};
}

static void win_all(const Atomic *atomic, Sorted *sorted)
{
	sorted->words_pending = sorted->won = sorted->gone = sorted->winners = atomic->pending;
	sorted->n_failed = 0;
	sorted->read_words = 0;
	sorted->read_passes = sorted->write_passes = 1;
}

/* The commonest case: consecutive words whose locks, consecutive as well, are all free. False, and
   nothing is decided, if it is not so. */
static bool take_run(LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		     Sorted *sorted, Cycle start)
{
	const uint32_t n = atomic->n_lanes, first = atomic->word[0];
	const uint32_t number = bits->map->lock_of[first];

	if (!bits->in_order || n > unit->shared->parameters->banks ||
	    number + n > bits->map->n_locks ||
	    !unit->shared->table->path->take_run(atomic->word, n, &bits->free_at[number],
						 &bits->taken[number], start, LOCK_SLOT_BITS,
						 atomic->slot))
		return false;
	sorted->lock[0] = (uint16_t)number;
	sorted->run = true;
	win_all(atomic, sorted);
	return true;
}

/*
 * The usual case: every lane has a bank of its own, so a word and, where no two banks share a lock, a
 * lock of its own; and finds it free. One loop finds that out without a branch for a lane. False, and
 * nothing is decided, if it is not so.
 */
static bool take_all(LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		     Sorted *sorted, Cycle start)
{
	const uint16_t *lock_of = bits->map->lock_of;
	const uint16_t *bank_of = unit->shared->table->bank_of;
	const uint32_t n = atomic->n_lanes;
	const Cycle *free_at = bits->free_at;
	uint32_t taken = 0;
	uint64_t banks = 0;

	if (!bits->locks_in_banks)
		return false;
	for (uint32_t lane = 0; lane < n; lane++) {
		uint32_t word = atomic->word[lane], number = lock_of[word];

		sorted->lock[lane] = (uint16_t)number;
		taken |= free_at[number] > start;
		banks |= UINT64_C(1) << bank_of[word];
	}
	if (taken || (uint32_t)__builtin_popcountll(banks) != n)
		return false;
	for (uint32_t lane = 0; lane < n; lane++) {
		const uint32_t number = sorted->lock[lane];

		bits->free_at[number] = LOCK_HELD;
		bits->taken[number] = atomic->word[lane] << LOCK_SLOT_BITS | atomic->slot;
	}
	win_all(atomic, sorted);
	return true;
}

/* What a lane that wins tried in vain before, in each round until now. Those that never win:
   Mechanism.settle. */
static inline void count_waits(const AtomicUnit *unit, const Atomic *atomic, uint32_t word)
{
	unit->shared->failures[word] += atomic->round;
}

/* Counts failed lanes by cause: four numbers of 16 bits. Returns their sum. */
static uint32_t add_failures(AtomicUnit *unit, uint64_t failed)
{
	const uint32_t n[] = {failed & 0xffff, failed >> 16 & 0xffff, failed >> 32 & 0xffff,
			      failed >> 48 & 0xffff};

	unit->counters->failures.intra_position += n[0];
	unit->counters->failures.intra_alias += n[1];
	unit->counters->failures.inter_position += n[2];
	unit->counters->failures.inter_alias += n[3];
	return n[0] + n[1] + n[2] + n[3];
}

/* lock_bits_try for any rule of who wins, and words that share locks. A lane fails by what its lock's holder
   wants. */
static void try_any(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		    Cycle start)
{
	enum { ALIAS_SHIFT = 16, INTER_SHIFT = 32 };
	const uint32_t slot = atomic->slot;
	const LaneMask pending = atomic->pending;
	const uint16_t *bank_of = unit->shared->table->bank_of;
	const uint64_t salt =
		bits->parameters->winner != WINNER_RANDOM
			? 0
			: winner_salt(unit->seed, atomic->block, atomic->warp, atomic->number);
	BankCounts in_bank;			  /* won words << 8 | tried words */
	uint32_t worst_read = 0, worst_write = 0; /* words << 8 | bank: one maximum for both */
	LaneMask winners = 0, won = 0, gone = 0;
	uint64_t failed = 0; /* lanes by cause: four numbers of 16 bits */

	clear_banks(&in_bank);
	for (LaneMask left = sorted->words_pending; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left);
		const LaneMask w_bit = left & -left;
		uint32_t word = sorted->words[w], number = sorted->lock[w],
			 bank = bank_of[word];
		LaneMask tried = sorted->rivals[w] & pending;
		Cycle *free_at = &bits->free_at[number];
		uint32_t taken = bits->taken[number], mine = word << LOCK_SLOT_BITS | slot;
		/* Masks, all ones or nothing. */
		uint32_t free = -(uint32_t)(*free_at <= start), wins = free, alias, inter, n;

		alias = ~free & -(uint32_t)(taken >> LOCK_SLOT_BITS != word);
		/* The winner's word is another one if words share the lock. */
		uint32_t lane = winner_pick(bits->parameters->winner, tried, atomic->n_lanes,
					    atomic->round, number, salt);

		const LaneMask lane_bit = UINT64_C(1) << lane;
		wins &= -(uint32_t)(sorted->word_of[lane] == w);
		alias |= free & ~wins;
		inter = ~free & -(uint32_t)((taken ^ slot) % (1u << LOCK_SLOT_BITS) != 0);
		n = sorted->n_left[w] + wins;

		*free_at |= (Cycle)(int32_t)wins; /* LOCK_HELD is all ones */
		bits->taken[number] = taken ^ ((taken ^ mine) & wins);
		sorted->n_left[w] = (uint8_t)n;
		winners |= wins ? lane_bit : 0;
		won |= wins ? w_bit : 0;
		gone |= n == 0 ? w_bit : 0;
		if (wins)
			count_waits(unit, atomic, word);
		failed += (uint64_t)n << ((alias & ALIAS_SHIFT) + (inter & INTER_SHIFT));
		n = in_bank.of[bank] + (1 + (wins & 1 << 8));
		in_bank.of[bank] = (uint16_t)n;
		sorted->pass_of[w] = (uint8_t)((n >> 8) - 1); /* of UL, if it won */
		worst_read = MAX(worst_read, (n & 0xff) << 8 | bank);
		worst_write = MAX(worst_write, (n & 0xff00) | bank);
	}
	sorted->winners = winners;
	sorted->won = won;
	sorted->gone = gone;
	sorted->read_passes = worst_read >> 8;
	sorted->write_passes = worst_write >> 8;
	sorted->worst_read_bank = worst_read & 0xff;
	sorted->worst_write_bank = worst_write & 0xff;
	sorted->n_failed = add_failures(unit, failed);
}

/* The words of which a lane finds its lock free at `start`. Without a branch for a word: which locks
   are free is what no processor can predict. */
static LaneMask free_words(const LockBits *bits, const Sorted *sorted, Cycle start)
{
	LaneMask free = 0;

	for (LaneMask left = sorted->words_pending; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(left);

		free |= (LaneMask)(bits->free_at[sorted->lock[w]] <= start) << w;
	}
	return free;
}

/* The lowest lane of each of the words sorted->won takes its lock. */
static void take(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted)
{
	const LaneMask pending = atomic->pending;
	LaneMask winners = 0, gone = 0;
	uint32_t worst = 0, lost = 0, n_won = 0;
	BankCounts in_bank;

	clear_banks(&in_bank);
	for (LaneMask left = sorted->won; left; left &= left - 1) {
		const uint32_t w = (uint32_t)__builtin_ctzll(left), word = sorted->words[w];
		const LaneMask tried = sorted->rivals[w] & pending;
		const uint32_t n = sorted->n_left[w] - 1u, number = sorted->lock[w];
		const uint32_t bank = sorted->bank[w], pass = in_bank.of[bank]++;

		winners |= tried & -tried;
		gone |= (LaneMask)(n == 0) << w;
		sorted->n_left[w] = (uint8_t)n;
		sorted->pass_of[w] = (uint8_t)pass;
		worst = MAX(worst, (pass + 1) << 8 | bank);
		bits->free_at[number] = LOCK_HELD;
		bits->taken[number] = word << LOCK_SLOT_BITS | atomic->slot;
		count_waits(unit, atomic, word);
		lost += n;
		n_won++;
	}
	unit->counters->failures.intra_position += lost;
	sorted->n_failed = sorted->n_tried - n_won;
	sorted->n_lost = lost;
	sorted->winners = winners;
	sorted->gone = gone;
	sorted->write_passes = worst >> 8;
	sorted->worst_write_bank = worst & 0xff;
}

/* Counts by cause the lanes whose lock is set. */
static void count_held(const LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
		       const Sorted *sorted, uint32_t n_failed)
{
	enum { ALIAS_SHIFT = 16, INTER_SHIFT = 32 };
	uint64_t failed = 0; /* four numbers of 16 bits */

	if (bits->others_only) {
		unit->counters->failures.inter_position += n_failed;
		return;
	}
	for (LaneMask left = sorted->words_pending & ~sorted->won; left; left &= left - 1) {
		uint32_t w = (uint32_t)__builtin_ctzll(left);
		uint32_t taken = bits->taken[sorted->lock[w]];
		uint32_t alias = taken >> LOCK_SLOT_BITS != sorted->words[w] ? ALIAS_SHIFT : 0;
		uint32_t inter =
			taken % (1u << LOCK_SLOT_BITS) != atomic->slot ? INTER_SHIFT : 0;

		failed += (uint64_t)sorted->n_left[w] << (alias + inter);
	}
	add_failures(unit, failed);
}

/* lock_bits_try where no two words share a lock and the lowest lane wins: step by step, because what was
   tried is often what was tried last, and often nobody wins. */
static void try_locks(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		      Cycle start)
{
	if (sorted->read_words != sorted->words_pending) {
		const BankTable *table = unit->shared->table;
		uint32_t worst =
			table->path->most(sorted->bank, table->n_banks, sorted->words_pending);

		sorted->read_words = sorted->words_pending;
		sorted->read_passes = worst >> 8;
		sorted->worst_read_bank = worst & 0xff;
	}
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
	if (atomic->round == 0) {
		sorted->n_tried = atomic->n_lanes;
		sorted->run = false;
		/* A warp's accesses are much alike: what the last one was decides what is tried
		   first. */
		if (!sorted->was_sorted && (take_run(bits, unit, atomic, sorted, start) ||
					    take_all(bits, unit, atomic, sorted, start)))
			return;
		lock_bits_sort(bits, unit, atomic, sorted);
	}
	if (sorted->aliased || bits->parameters->winner != WINNER_LOWEST)
		try_any(bits, unit, atomic, sorted, start);
	else
		try_locks(bits, unit, atomic, sorted, start);
}

bool lock_bits_lose(const LockBits *bits, AtomicUnit *unit, const Atomic *atomic,
		    const Sorted *sorted, Cycle start)
{
	if (sorted->aliased || bits->parameters->winner != WINNER_LOWEST ||
	    free_words(bits, sorted, start))
		return false;
	count_held(bits, unit, atomic, sorted, sorted->n_failed);
	return true;
}

/* times[0 .. n-1] = time. */
static inline void fill(Cycle *times, uint32_t n, Cycle time)
{
	const Vector two = {time, time};
	uint32_t i = 0;

	for (; i + 8 <= n; i += 8) {
		memcpy(&times[i], &two, sizeof two);
		memcpy(&times[i + 2], &two, sizeof two);
		memcpy(&times[i + 4], &two, sizeof two);
		memcpy(&times[i + 6], &two, sizeof two);
	}
	for (; i < n; i++)
		times[i] = time;
}

void lock_bits_release(LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		       const Sorted *sorted)
{
	const SharedMemory *shared = unit->shared;
	const Cycle unlocked = shared->parameters->pass_cycles + bits->parameters->hold_cycles;
	const Cycle free_at = shared->pass_at[0] + unlocked;

	if (sorted->run) {
		fill(&bits->free_at[sorted->lock[0]], atomic->n_lanes, free_at);
	} else if (sorted->write_passes == 1) {
		for (LaneMask left = sorted->won; left; left &= left - 1)
			bits->free_at[sorted->lock[__builtin_ctzll(left)]] = free_at;
	} else {
		for (LaneMask left = sorted->won; left; left &= left - 1) {
			uint32_t w = (uint32_t)__builtin_ctzll(left);

			bits->free_at[sorted->lock[w]] =
				shared->pass_at[sorted->pass_of[w]] + unlocked;
		}
	}
}
