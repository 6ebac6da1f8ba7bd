/* SPDX-License-Identifier: MIT */
/* What is asked about the locks between the steps of an atomic: whom it waits for, which are set, what the future depends on. */
#include "model/atomic/lock-bits-tries.h"

bool lock_bits_waits(const void *state, const Atomic *atomic, Cycle now, AtomicWait *wait)
{
	const LockBits *bits = state;
	uint32_t lock;

	if (!atomic->pending)
		return false;
	wait->lane = (uint32_t)__builtin_ctzll(atomic->pending);
	lock = bits->map->lock_of[atomic->word[wait->lane]];
	wait->has_holder = bits->free_at[lock] > now;
	wait->slot = bits->taken[lock] % (1u << LOCK_SLOT_BITS);
	return true;
}

uint32_t lock_bits_n_held(const void *state)
{
	const LockBits *bits = state;
	uint32_t n = 0;

	for (uint32_t i = 0; i < bits->map->n_locks; i++)
		n += bits->free_at[i] == LOCK_HELD;
	return n;
}

void lock_bits_snapshot(const AtomicUnit *unit, const void *state, const Atomic *atomic,
			Cycle now, Snapshot *snapshot)
{
	const LockBits *bits = state;
	const Sorted *sorted = bits->sorted[atomic->slot];
	const WinnerRule winner = bits->parameters->winner;

	(void)unit;
	/* Draws again in each round among lanes that try one lock; who waits or backs off is not written down. */
	if ((bits->waits && (bits->parameters->retry.who != RETRY_ALL ||
			     bits->parameters->retry.back_off_cycles > 0)) ||
	    (winner == WINNER_RANDOM && atomic->n_lanes > 1))
		snapshot_never(snapshot);
	snapshot_add(snapshot, atomic->phase);
	snapshot_add(snapshot, atomic->round > 0);
	snapshot_add(snapshot, winner == WINNER_ROTATE ? atomic->round % MAX_LANES : 0);
	snapshot_add(snapshot, atomic->pending);
	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		const uint32_t number = bits->map->lock_of[atomic->word[lane]];
		const Cycle free_at = bits->free_at[number];
		const bool held = free_at == LOCK_HELD;

		snapshot_add(snapshot, held ? LOCK_HELD : snapshot_left(free_at, now));
		snapshot_add(snapshot, free_at > now ? bits->taken[number] : 0);
		if (bits->n_holders)
			snapshot_add(snapshot, bits->n_holders[number]);
	}
	lock_cam_snapshot(bits, now, snapshot);
	/* The rest of it follows from the words. */
	snapshot_add(snapshot, sorted->winners);
	snapshot_add(snapshot, sorted->won);
	snapshot_add(snapshot, sorted->gone);
	snapshot_add(snapshot, sorted->words_pending);
	snapshot_add(snapshot, (uint64_t)sorted->n_tried << 32 | sorted->n_failed);
	snapshot_add(snapshot, (uint64_t)sorted->read_passes << 32 | sorted->write_passes);
	snapshot_add(snapshot,
		     (uint64_t)sorted->worst_read_bank << 32 | sorted->worst_write_bank);
	snapshot_add(snapshot, (uint32_t)sorted->run << 2 | (uint32_t)sorted->chained << 1 |
				       sorted->was_sorted);
	snapshot_add_bytes(snapshot, sorted->n_left, sizeof sorted->n_left);
	snapshot_add_bytes(snapshot, sorted->words, sizeof sorted->words);
}

void lock_bits_shift(void *state, const Atomic *atomic, Cycle now, Cycle by)
{
	LockBits *bits = state;

	for (uint32_t lane = 0; lane < atomic->n_lanes; lane++) {
		Cycle *free_at = &bits->free_at[bits->map->lock_of[atomic->word[lane]]];

		if (*free_at > now && *free_at - now <= by)
			*free_at += by;
	}
}
