/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `lock-bits` of designs that Fermi is not: who tries again when (retry, back_off_cycles). lock-bits-ports.c and
 * lock-bits-cam.c have those of its table. Slower than lock-bits-tries.c, whose results it has where retry is all and no port is short (tests/test-engine.c).
 *
 * - all: each lane that failed tries in each further round of its warp.
 * - one-winner: of the lanes of a warp that want one lock one tries. Who finds its lock set waits until that is free; a
 *   warp all of whose lanes wait issues nothing, until one of its locks is (US 12,547,413: lanes on one shared word, one of which runs).
 *   Who is there first gets it.
 * - fifo: the same, and lanes get a lock in the order in which they have asked for it (thread-level locks in hardware, for
 *   example TPDS 2019, doi 10.1109/TPDS.2019.2955705).
 * - back_off_cycles: after a round that no lane of it won a warp waits for a drawn time up to that, each further time up to twice as long, for
 *   back_off_doublings times.
 * The ideal same_word lets all lanes of a word through whatever the design (lock-bits-together.c).
 * Assumed: to wake a warp takes no time beyond its next issue; a wait of one lane holds the others of its warp only as their loop does.
 */
#include <glib.h>
#include <string.h>

#include "base/spread.h"
#include "model/atomic/lock-bits-tries.h"

#define LANE_BITS 6 /* of MAX_LANES */

/* A lane of an SM. */
static uint16_t id_of(uint32_t slot, uint32_t lane)
{
	return (uint16_t)(slot << LANE_BITS | lane);
}

struct LockWaits {
	LockRetry retry;
	uint64_t *parked; /* by lock: slots of parked warps with lanes that wait for it */
	/* fifo, by lock: the lanes that wait for it, first and last; by lane who comes behind it. LOCK_NOBODY: nobody. */
	uint16_t *first, *last;
	uint16_t next[MAX_WARP_SLOTS << LANE_BITS];
	LaneMask waits
		[MAX_WARP_SLOTS]; /* lanes that have found their lock set, or another lane ahead */
	bool is_parked[MAX_WARP_SLOTS];
	Cycle ready[MAX_WARP_SLOTS]; /* where parked: not before that, for its own sake */
	uint32_t failed_rounds[MAX_WARP_SLOTS]; /* one behind the other */
};

void lock_waits_init(LockBits *bits, const AtomicUnit *unit)
{
	const LockBitsParameters *p = bits->parameters;
	const uint32_t n = bits->map->n_locks;

	/* The ideal lets all lanes of a word through, whatever the design. */
	if ((p->retry == LOCK_RETRY_ALL && p->back_off_cycles == 0 && p->ports == 0 &&
	     !bits->cam) ||
	    unit->shared->ideals->same_word)
		return;
	bits->waits = g_new0(LockWaits, 1);
	bits->waits->retry = p->retry;
	bits->waits->parked = g_new0(uint64_t, n);
	bits->waits->first = g_new(uint16_t, n);
	bits->waits->last = g_new(uint16_t, n);
	memset(bits->waits->first, 0xff, n * sizeof *bits->waits->first);
}

void lock_waits_clear(LockBits *bits)
{
	if (!bits->waits)
		return;
	g_free(bits->waits->parked);
	g_free(bits->waits->first);
	g_free(bits->waits->last);
	g_clear_pointer(&bits->waits, g_free);
}

/* --- Queues of locks --- */

static void enqueue(LockWaits *waits, uint32_t lock, uint16_t id)
{
	waits->next[id] = LOCK_NOBODY;
	if (waits->first[lock] == LOCK_NOBODY)
		waits->first[lock] = id;
	else
		waits->next[waits->last[lock]] = id;
	waits->last[lock] = id;
}

/* Whether no lane is ahead of this one. */
static bool is_next(const LockWaits *waits, uint32_t lock, uint16_t id)
{
	return waits->retry != LOCK_RETRY_FIFO || waits->first[lock] == LOCK_NOBODY ||
	       waits->first[lock] == id;
}

/* --- One LK --- */

/* Lanes that may try now; where none may, the first that is still to do. */
static LaneMask who_may_try(const LockBits *bits, const Atomic *atomic, Cycle start)
{
	const LockWaits *waits = bits->waits;
	LaneMask may = atomic->pending & ~waits->waits[atomic->slot];

	for (LaneMask left = atomic->pending & ~may; left; left &= left - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctzll(left);
		const uint32_t lock = lock_bits_lock_of(bits, atomic, lane);

		if (bits->free_at[lock] <= start &&
		    is_next(waits, lock, id_of(atomic->slot, lane)))
			may |= left & -left;
	}
	return may ? may : atomic->pending & -atomic->pending;
}

static LaneMask lanes_of_lock(const LockBits *bits, const Atomic *atomic, LaneMask lanes,
			      uint32_t lock)
{
	LaneMask of_lock = 0;

	for (LaneMask left = lanes; left; left &= left - 1)
		if (lock_bits_lock_of(bits, atomic, (uint32_t)__builtin_ctzll(left)) == lock)
			of_lock |= left & -left;
	return of_lock;
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

/* A lane that has not got its lock waits for it, where lanes do. */
static void wait(const LockBits *bits, const Atomic *atomic, uint32_t lane)
{
	LockWaits *waits = bits->waits;
	LaneMask *mine = &waits->waits[atomic->slot];

	if (waits->retry == LOCK_RETRY_FIFO && !(*mine >> lane & 1))
		enqueue(waits, lock_bits_lock_of(bits, atomic, lane),
			id_of(atomic->slot, lane));
	if (waits->retry != LOCK_RETRY_ALL)
		*mine |= UINT64_C(1) << lane;
}

static void win(LockBits *bits, const Atomic *atomic, Sorted *sorted, uint32_t lane)
{
	LockWaits *waits = bits->waits;
	const uint32_t lock = lock_bits_lock_of(bits, atomic, lane);

	bits->free_at[lock] = LOCK_HELD;
	bits->taken[lock] = atomic->word[lane] << LOCK_SLOT_BITS | atomic->slot;
	sorted->winners |= UINT64_C(1) << lane;
	if (waits->first[lock] == id_of(atomic->slot, lane))
		waits->first[lock] = waits->next[id_of(atomic->slot, lane)];
	waits->waits[atomic->slot] &= ~(UINT64_C(1) << lane);
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
	const uint16_t head = bits->waits->first[lock];
	const bool mine = head != LOCK_NOBODY && head >> LANE_BITS == atomic->slot &&
			  of_lock >> head % (1u << LANE_BITS) & 1;
	const uint32_t picked =
		mine ? head % (1u << LANE_BITS)
		     : winner_pick(rule, of_lock, atomic->n_lanes, atomic->round, lock, salt);
	const bool clear = bits->free_at[lock] <= start &&
			   is_next(bits->waits, lock, id_of(atomic->slot, picked));
	const bool wins = clear && lock_cam_has_room(bits, bits->waits->first, lock, start);
	/* Of a word without an entry nobody waits: there is nothing yet to wait for. */
	const bool waits = wins || !clear;
	const LaneMask tried =
		bits->waits->retry == LOCK_RETRY_ALL ? of_lock : UINT64_C(1) << picked;

	if (wins)
		win(bits, atomic, sorted, picked);
	sorted->words_pending |= tried;
	for (LaneMask left = tried & ~sorted->winners; left; left &= left - 1) {
		fail(bits, unit, atomic, (uint32_t)__builtin_ctzll(left), !waits);
		if (waits)
			wait(bits, atomic, (uint32_t)__builtin_ctzll(left));
	}
	for (LaneMask left = waits ? of_lock & ~tried : 0; left; left &= left - 1)
		wait(bits, atomic, (uint32_t)__builtin_ctzll(left));
}

void lock_waits_try(LockBits *bits, AtomicUnit *unit, const Atomic *atomic, Sorted *sorted,
		    Cycle start)
{
	LaneMask left, of_lock;

	if (atomic->round == 0) {
		bits->waits->waits[atomic->slot] = 0;
		bits->waits->failed_rounds[atomic->slot] = 0;
	}
	sorted->run = sorted->chained = false;
	sorted->winners = sorted->words_pending = 0;
	for (left = who_may_try(bits, atomic, start); left; left &= ~of_lock) {
		of_lock = lanes_of_lock(
			bits, atomic, left,
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

/* --- Between two rounds --- */

void lock_waits_freed(const LockBits *bits, const AtomicUnit *unit, uint32_t lock, Cycle at)
{
	LockWaits *waits = bits->waits;
	uint64_t slots = waits->parked[lock];

	/* Those who wait for several locks are woken by the first. */
	waits->parked[lock] = 0;
	for (; slots; slots &= slots - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(slots);

		if (!waits->is_parked[slot])
			continue;
		if (waits->retry == LOCK_RETRY_FIFO &&
		    waits->first[lock] >> LANE_BITS != slot) {
			waits->parked[lock] |= slots & -slots;
			continue;
		}
		waits->is_parked[slot] = false;
		unit->wake(unit->sm, slot, MAX(at, waits->ready[slot]));
	}
}

/* After a round that ends at `ready` with lanes left. Drawn, as those who always wait as long as each other go on meeting. */
static Cycle back_off(const LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		      bool won, Cycle ready)
{
	const LockBitsParameters *p = bits->parameters;
	uint32_t *failed = &bits->waits->failed_rounds[atomic->slot];
	const uint64_t salt =
		winner_salt(unit->seed, atomic->block, atomic->warp, atomic->number);
	Cycle most;

	*failed = won ? 0 : *failed + 1;
	if (*failed == 0 || p->back_off_cycles == 0)
		return ready;
	most = (Cycle)p->back_off_cycles << MIN(*failed - 1, p->back_off_doublings);
	return ready + spread_key(salt + atomic->round) % (most + 1);
}

Cycle lock_waits_next(const LockBits *bits, const AtomicUnit *unit, const Atomic *atomic,
		      bool won, Cycle ready)
{
	LockWaits *waits = bits->waits;
	Cycle next = NEVER;

	if (waits->retry == LOCK_RETRY_ALL)
		return back_off(bits, unit, atomic, won, ready);
	for (LaneMask left = atomic->pending; left; left &= left - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctzll(left);
		const uint32_t lock = lock_bits_lock_of(bits, atomic, lane);

		/* One that found a full table is in no queue. */
		if (!(waits->waits[atomic->slot] >> lane & 1))
			next = ready;
		else if (bits->free_at[lock] != LOCK_HELD &&
			 is_next(waits, lock, id_of(atomic->slot, lane)))
			next = MIN(next, MAX(bits->free_at[lock], ready));
	}
	if (next != NEVER)
		return next;
	waits->is_parked[atomic->slot] = true;
	waits->ready[atomic->slot] = ready;
	for (LaneMask left = atomic->pending; left; left &= left - 1)
		waits->parked[lock_bits_lock_of(bits, atomic,
						(uint32_t)__builtin_ctzll(left))] |=
			UINT64_C(1) << atomic->slot;
	return NEVER;
}
