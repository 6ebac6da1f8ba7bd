/* SPDX-License-Identifier: MIT */
/* The commonest rounds, in which every lane finds its lock free; and UL, which frees locks. */
#include <glib.h>
#include <string.h>

#include "model/atomic/lock-bits-tries.h"

static void win_all(const Atomic *atomic, Sorted *sorted)
{
	sorted->words_pending = sorted->won = sorted->gone = sorted->winners = atomic->pending;
	sorted->n_failed = 0;
	sorted->chained = false;
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
	sorted->words[0].lock = (uint16_t)number;
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

		sorted->words[lane] = (WantedWord){.lock = (uint16_t)number};
		taken |= free_at[number] > start;
		banks |= UINT64_C(1) << bank_of[word];
	}
	if (taken || (uint32_t)__builtin_popcountll(banks) != n)
		return false;
	for (uint32_t lane = 0; lane < n; lane++) {
		const uint32_t number = sorted->words[lane].lock;

		bits->free_at[number] = LOCK_HELD;
		bits->taken[number] = atomic->word[lane] << LOCK_SLOT_BITS | atomic->slot;
	}
	win_all(atomic, sorted);
	return true;
}

bool lock_bits_take_free(LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
			 Sorted *sorted, Cycle start)
{
	return take_run(bits, unit, atomic, sorted, start) ||
	       take_all(bits, unit, atomic, sorted, start);
}

/* times[0 .. n-1] = time. */
static inline void fill(Cycle *times, uint32_t n, Cycle time)
{
	typedef Cycle Vector __attribute__((vector_size(16)));

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

/* The locks of this round's winners are free once they have been stored. */
static void set_free(LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		     const Sorted *sorted)
{
	const SharedMemory *shared = unit->shared;
	const Cycle unlocked = shared->parameters->pass_cycles + bits->parameters->hold_cycles;
	/* Ideal bank_conflicts: all go with the first. */
	const uint32_t passes = sorted->write_passes > 1 ? UINT8_MAX : 0;
	Cycle *const free_at = bits->free_at;

	if (sorted->run) {
		fill(&free_at[sorted->words[0].lock], atomic->n_lanes,
		     shared->pass_at[0] + unlocked);
		return;
	}
	for (LaneMask left = sorted->won; left; left &= left - 1) {
		const WantedWord *wanted = &sorted->words[__builtin_ctzll(left)];

		if (G_LIKELY(!bits->n_holders) || lock_bits_leave(bits, wanted->lock))
			free_at[wanted->lock] =
				shared->pass_at[wanted->pass & passes] + unlocked;
		if (G_UNLIKELY(bits->waits != NULL))
			retry_freed(bits->waits, unit, wanted->lock, free_at[wanted->lock]);
	}
}

void lock_bits_release(LockBits *bits, const AtomicUnit *unit, Atomic *atomic, Sorted *sorted)
{
	set_free(bits, unit, atomic, sorted);
	atomic->pending &= ~sorted->winners;
	sorted->words_pending &= ~sorted->gone;
	/* Now, as nobody waits for it yet. */
	if (sorted->words_pending && !bits->n_holders && !bits->waits)
		lock_bits_count_reads(unit->shared->table, sorted);
}
