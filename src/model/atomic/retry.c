/* SPDX-License-Identifier: MIT */
/*
 * Who tries again when: a design of lock-bits and of cas-loop.
 *
 * - all: each lane that failed tries in each further round of its warp.
 * - one-winner: of the lanes of a warp that want one lock one tries. Who finds its lock set waits until that is free; a
 *   warp all of whose lanes wait issues nothing, until one of its locks is (US 12,547,413: lanes on one shared word, one of which runs).
 *   Who is there first gets it.
 * - fifo: the same, and lanes get a lock in the order in which they have asked for it (thread-level locks in hardware, for
 *   example TPDS 2019, doi 10.1109/TPDS.2019.2955705).
 * - back_off_cycles: after a round that no lane of it won a warp waits for a drawn time up to that, each further time up to twice as long, for
 *   back_off_doublings times.
 * Assumed: to wake a warp takes no time beyond its next issue; a wait of one lane holds the others of its warp only as their loop does.
 */
#include "model/atomic/retry.h"

#include <glib.h>

#include "base/spread.h"
#include "model/atomic/winner.h"
#include "model/issue/scheduler.h"

#define LANE_BITS 6 /* of MAX_LANES */

static const char *const names[N_RETRIES] = {
	[RETRY_ALL] = "all",
	[RETRY_ONE_WINNER] = "one-winner",
	[RETRY_FIFO] = "fifo",
};

const KeyNames retry_names = {KEY_NAME_LIST(names)};

const char *retry_problem_of(const RetryParameters *parameters)
{
	return parameters->back_off_cycles == 0 || parameters->who == RETRY_ALL
		       ? NULL
		       : "allowed: 0, or the mechanism's retry all: who waits for its lock "
			 "or word has no round to wait after";
}

struct RetryWaits {
	const RetryParameters *parameters;
	RetryLocks locks;
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

RetryWaits *retry_waits_new(const RetryParameters *parameters, const RetryLocks *locks)
{
	RetryWaits *waits = g_new0(RetryWaits, 1);

	waits->parameters = parameters;
	waits->locks = *locks;
	waits->parked = g_new0(uint64_t, locks->n);
	waits->first = g_new(uint16_t, locks->n);
	waits->last = g_new(uint16_t, locks->n);
	for (uint32_t lock = 0; lock < locks->n; lock++) /* none: without shared memory */
		waits->first[lock] = LOCK_NOBODY;
	return waits;
}

void retry_waits_free(RetryWaits *waits)
{
	if (!waits)
		return;
	g_free(waits->parked);
	g_free(waits->first);
	g_free(waits->last);
	g_free(waits);
}

const uint16_t *retry_queues(const RetryWaits *waits)
{
	return waits->first;
}

/* Which lock a lane wants: its word's, or the word itself. */
static uint32_t lock_of(const RetryWaits *waits, const Atomic *atomic, uint32_t lane)
{
	const uint32_t word = atomic->word[lane];

	return waits->locks.of_word ? waits->locks.of_word[word] : word;
}

/* A lane of an SM. */
static uint16_t id_of(const Atomic *atomic, uint32_t lane)
{
	return (uint16_t)((uint32_t)atomic->slot << LANE_BITS | lane);
}

static void enqueue(RetryWaits *waits, uint32_t lock, uint16_t id)
{
	waits->next[id] = LOCK_NOBODY;
	if (waits->first[lock] == LOCK_NOBODY)
		waits->first[lock] = id;
	else
		waits->next[waits->last[lock]] = id;
	waits->last[lock] = id;
}

/* Whether no lane is ahead of this one. */
static bool is_next(const RetryWaits *waits, uint32_t lock, uint16_t id)
{
	return waits->parameters->who != RETRY_FIFO || waits->first[lock] == LOCK_NOBODY ||
	       waits->first[lock] == id;
}

/* --- One round --- */

void retry_begin(RetryWaits *waits, uint32_t slot)
{
	waits->waits[slot] = 0;
	waits->failed_rounds[slot] = 0;
}

bool retry_is_free(const RetryWaits *waits, const Atomic *atomic, uint32_t lane, Cycle start)
{
	const uint32_t lock = lock_of(waits, atomic, lane);

	return waits->locks.free_at[lock] <= start && is_next(waits, lock, id_of(atomic, lane));
}

LaneMask retry_may_try(const RetryWaits *waits, const Atomic *atomic, LaneMask lanes,
		       Cycle start)
{
	LaneMask may = lanes & ~waits->waits[atomic->slot];

	for (LaneMask left = lanes & ~may; left; left &= left - 1)
		if (retry_is_free(waits, atomic, (uint32_t)__builtin_ctzll(left), start))
			may |= left & -left;
	return may;
}

LaneMask retry_lanes_of(const RetryWaits *waits, const Atomic *atomic, LaneMask lanes,
			uint32_t lock)
{
	LaneMask of_lock = 0;

	for (LaneMask left = lanes; left; left &= left - 1)
		if (lock_of(waits, atomic, (uint32_t)__builtin_ctzll(left)) == lock)
			of_lock |= left & -left;
	return of_lock;
}

uint32_t retry_first_of(const RetryWaits *waits, const Atomic *atomic, LaneMask lanes,
			uint32_t lock)
{
	const uint32_t head = waits->first[lock], lane = head % (1u << LANE_BITS);

	return head != LOCK_NOBODY && head >> LANE_BITS == atomic->slot && lanes >> lane & 1
		       ? lane
		       : MAX_LANES;
}

void retry_wait(RetryWaits *waits, const Atomic *atomic, uint32_t lane)
{
	const Retry who = waits->parameters->who;
	LaneMask *mine = &waits->waits[atomic->slot];

	if (who == RETRY_FIFO && !(*mine >> lane & 1))
		enqueue(waits, lock_of(waits, atomic, lane), id_of(atomic, lane));
	if (who != RETRY_ALL)
		*mine |= UINT64_C(1) << lane;
}

void retry_won(RetryWaits *waits, const Atomic *atomic, uint32_t lane)
{
	const uint32_t lock = lock_of(waits, atomic, lane);
	const uint16_t id = id_of(atomic, lane);

	if (waits->first[lock] == id)
		waits->first[lock] = waits->next[id];
	waits->waits[atomic->slot] &= ~(UINT64_C(1) << lane);
}

/* --- Between two rounds --- */

void retry_freed(RetryWaits *waits, const AtomicUnit *unit, uint32_t lock, Cycle at)
{
	uint64_t slots = waits->parked[lock];

	/* Those who wait for several locks are woken by the first. */
	waits->parked[lock] = 0;
	for (; slots; slots &= slots - 1) {
		const uint32_t slot = (uint32_t)__builtin_ctzll(slots);

		if (!waits->is_parked[slot])
			continue;
		if (waits->parameters->who == RETRY_FIFO &&
		    waits->first[lock] >> LANE_BITS != slot) {
			waits->parked[lock] |= slots & -slots;
			continue;
		}
		waits->is_parked[slot] = false;
		unit->wake(unit->sm, slot, MAX(at, waits->ready[slot]));
	}
}

/* After a round that ends at `ready` with lanes left. Drawn, as those who always wait as long as each other go on meeting. */
Cycle retry_back_off(const RetryParameters *p, uint32_t *failed_rounds, bool won, uint64_t salt,
		     Cycle ready)
{
	Cycle most;

	*failed_rounds = won ? 0 : *failed_rounds + 1;
	if (*failed_rounds == 0 || p->back_off_cycles == 0)
		return ready;
	most = (Cycle)p->back_off_cycles << MIN(*failed_rounds - 1, p->back_off_doublings);
	return ready + spread_key(salt) % (most + 1);
}

Cycle retry_next(RetryWaits *waits, const AtomicUnit *unit, const Atomic *atomic, bool won,
		 Cycle ready)
{
	Cycle next = NEVER;

	if (waits->parameters->who == RETRY_ALL)
		return retry_back_off(
			waits->parameters, &waits->failed_rounds[atomic->slot], won,
			winner_salt(unit->seed, atomic->block, atomic->warp, atomic->number) +
				atomic->round,
			ready);
	for (LaneMask left = atomic->pending; left; left &= left - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctzll(left);
		const uint32_t lock = lock_of(waits, atomic, lane);

		/* One that does not wait, as it found a full table, is in no queue. */
		if (!(waits->waits[atomic->slot] >> lane & 1))
			next = ready;
		else if (waits->locks.free_at[lock] != LOCK_HELD &&
			 is_next(waits, lock, id_of(atomic, lane)))
			next = MIN(next, MAX(waits->locks.free_at[lock], ready));
	}
	if (next != NEVER)
		return next;
	waits->is_parked[atomic->slot] = true;
	waits->ready[atomic->slot] = ready;
	for (LaneMask left = atomic->pending; left; left &= left - 1)
		waits->parked[lock_of(waits, atomic, (uint32_t)__builtin_ctzll(left))] |=
			UINT64_C(1) << atomic->slot;
	return NEVER;
}
