/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `lock-bits` of designs that Fermi is not: who tries again when (retry.c). lock-bits-ports.c and
 * lock-bits-cam.c have those of its table. Slower than lock-bits-tries.c, whose results it has where retry is all and no port is short (tests/test-engine.c).
 * The ideal same_word lets all lanes of a word through whatever the design (lock-bits-together.c).
 */
#include <glib.h>

#include "model/atomic/lock-bits-tries.h"

void lock_waits_init(LockBits *bits, const AtomicUnit *unit)
{
	const LockBitsParameters *p = bits->parameters;
	const RetryLocks locks = {bits->map->n_locks, bits->map->lock_of, bits->free_at};

	/* The ideal lets all lanes of a word through, whatever the design. */
	if ((p->retry.who == RETRY_ALL && p->retry.back_off_cycles == 0 && !bits->ports_bind &&
	     !bits->cam) ||
	    unit->shared->ideals->same_word)
		return;
	bits->waits = retry_waits_new(&p->retry, &locks);
}

/* The lane failed: by whose its lock is, or as no entry of a full table can become its word's. */
static void fail(const LockBits *bits, AtomicUnit *unit, const Atomic *atomic, uint32_t lane,
		 bool full)
{
	const uint32_t taken = bits->taken[lock_bits_lock_of(bits, atomic, lane)];
	const bool alias = taken >> LOCK_SLOT_BITS != atomic->word[lane];
	const bool inter = taken % (1u << LOCK_SLOT_BITS) != atomic->slot;
	uint64_t *counts[] = {
		&unit->counters->failures.intra_position,
		&unit->counters->failures.intra_alias,
		&unit->counters->failures.inter_position,
		&unit->counters->failures.inter_alias,
	};

	++*(full ? &unit->counters->failures.full : counts[inter * 2 + alias]);
	unit->shared->failures[atomic->word[lane]]++;
}

static void win(LockBits *bits, const Atomic *atomic, Sorted *sorted, uint32_t lane)
{
	const uint32_t lock = lock_bits_lock_of(bits, atomic, lane);

	bits->free_at[lock] = LOCK_HELD;
	bits->taken[lock] = atomic->word[lane] << LOCK_SLOT_BITS | atomic->slot;
	sorted->winners |= UINT64_C(1) << lane;
	retry_won(bits->waits, atomic, lane);
	lock_cam_take(bits, lock);
}

/* The lanes `of_lock`, which all may try it, do. */
static void try_lock(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		     LaneMask of_lock, Cycle start)
{
	const WinnerRule rule = bits->parameters->winner;
	const uint32_t lock =
		lock_bits_lock_of(bits, atomic, (uint32_t)__builtin_ctzll(of_lock));
	const uint64_t salt = rule != WINNER_RANDOM ? 0
						    : winner_salt(unit->seed, atomic->block,
								  atomic->warp, atomic->number);
	const uint32_t head = retry_first_of(bits->waits, atomic, of_lock, lock);
	const uint32_t picked = head < MAX_LANES ? head
						 : winner_pick(rule, of_lock, atomic->n_lanes,
							       atomic->round, lock, salt);
	const bool clear = retry_is_free(bits->waits, atomic, picked, start);
	const bool wins =
		clear && lock_cam_has_room(bits, retry_queues(bits->waits), lock, start);
	/* Of a word without an entry nobody waits: there is nothing yet to wait for. */
	const bool waits = wins || !clear;
	const LaneMask tried =
		bits->parameters->retry.who == RETRY_ALL ? of_lock : UINT64_C(1) << picked;

	if (wins)
		win(bits, atomic, sorted, picked);
	sorted->words_pending |= tried;
	for (LaneMask left = tried & ~sorted->winners; left; left &= left - 1) {
		fail(bits, unit, atomic, (uint32_t)__builtin_ctzll(left), !waits);
		if (waits)
			retry_wait(bits->waits, atomic, (uint32_t)__builtin_ctzll(left));
	}
	for (LaneMask left = waits ? of_lock & ~tried : 0; left; left &= left - 1)
		retry_wait(bits->waits, atomic, (uint32_t)__builtin_ctzll(left));
}

void lock_waits_try(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		    Cycle start)
{
	LaneMask left, of_lock;

	if (atomic->round == 0)
		retry_begin(bits->waits, atomic->slot);
	sorted->run = sorted->chained = false;
	sorted->winners = sorted->words_pending = 0;
	left = retry_may_try(bits->waits, atomic, atomic->pending, start);
	if (!left) /* nobody may: the first finds out */
		left = atomic->pending & -atomic->pending;
	for (; left; left &= ~of_lock) {
		of_lock = retry_lanes_of(
			bits->waits, atomic, left,
			lock_bits_lock_of(bits, atomic, (uint32_t)__builtin_ctzll(left)));
		try_lock(bits, unit, atomic, sorted, of_lock, start);
	}
	sorted->n_tried = (uint32_t)__builtin_popcountll(sorted->words_pending);
	sorted->n_failed = sorted->n_tried - (uint32_t)__builtin_popcountll(sorted->winners);
	sorted->won = sorted->gone = sorted->winners;
	sorted->read_passes = (uint16_t)lock_ports_count_passes(
		bits, unit, atomic, sorted, sorted->words_pending, &sorted->worst_read_bank);
	sorted->write_passes = (uint16_t)lock_ports_count_passes(
		bits, unit, atomic, sorted, sorted->winners, &sorted->worst_write_bank);
}
