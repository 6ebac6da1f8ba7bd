/* SPDX-License-Identifier: MIT */
#include "model/atomic/algorithm1.h"

#include <stdbool.h>
#include <string.h>

#include "model/atomic/lock-bits.h"

typedef struct {
	uint32_t word, lock, bank;
} Lane;

static bool in(LaneMask lanes, uint32_t lane)
{
	return lanes >> lane & 1;
}

/* Largest number of different words in one bank among the given lanes. */
static uint32_t bank_degree(const Lane *lane, uint32_t n_lanes, LaneMask lanes)
{
	uint32_t degree = 0;

	for (uint32_t i = 0; i < n_lanes; i++) {
		uint32_t n = 0;

		for (uint32_t j = 0; in(lanes, i) && j < n_lanes; j++) {
			bool seen = !in(lanes, j) || lane[j].bank != lane[i].bank;

			for (uint32_t k = 0; !seen && k < j; k++)
				seen = in(lanes, k) && lane[k].word == lane[j].word;
			n += !seen;
		}
		degree = n > degree ? n : degree;
	}
	return degree;
}

/* The part of the table that has the lane's lock. */
static uint32_t part_of(const Lane *lane, LockTable table, uint32_t n_banks)
{
	return lock_bits_part(table, lane->lock, lane->bank, n_banks);
}

/* The same of different locks in one part of the table, by what its ports serve in a pass. */
static uint32_t port_degree(const Lane *lane, uint32_t n_lanes, LaneMask lanes,
			    uint32_t n_banks, const LockBitsParameters *p)
{
	const uint32_t ports = p->ports;
	uint32_t n_locks[SHARED_MAX_BANKS] = {0}, most = 1;

	for (uint32_t i = 0; i < n_lanes; i++) {
		bool seen = !in(lanes, i);

		for (uint32_t k = 0; !seen && k < i; k++)
			seen = in(lanes, k) && lane[k].lock == lane[i].lock;
		if (!seen && ++n_locks[part_of(&lane[i], p->table, n_banks)] > most)
			most = n_locks[part_of(&lane[i], p->table, n_banks)];
	}
	return ports > 0 ? (most + ports - 1) / ports : 1;
}

/* The lanes of `lanes` that want the same word as this one. */
static LaneMask lanes_of_word(const Lane *lane, LaneMask lanes, uint32_t one)
{
	LaneMask same = 0;

	for (LaneMask left = lanes; left; left &= left - 1)
		if (lane[__builtin_ctzll(left)].word == lane[one].word)
			same |= left & -left;
	return same;
}

/* The atomic in a round. */
typedef struct {
	const LockBitsParameters *p;
	const Ideals *ideals;
	Lane lane[MAX_LANES];
	uint32_t n_lanes, n_banks, round;
	uint64_t salt;
	LaneMask pending, done;
} Try;

static LaneMask lanes_of_lock(const Try *try, LaneMask lanes, uint32_t lock)
{
	LaneMask same = 0;

	for (LaneMask left = lanes; left; left &= left - 1)
		if (try->lane[__builtin_ctzll(left)].lock == lock)
			same |= left & -left;
	return same;
}

/* Whether lanes wait in the lock's queue: those that have lost it, in their order. */
static bool is_queued(const Try *try, uint32_t lock)
{
	return try->p->retry.who == RETRY_FIFO && !try->ideals->same_word &&
	       lanes_of_lock(try, try->done, lock) && lanes_of_lock(try, try->pending, lock);
}

/* Entries that queues keep, by part. A lone warp finds all others free. */
static void count_kept(const Try *try, uint32_t n_used[SHARED_MAX_BANKS])
{
	LaneMask same_lock;

	memset(n_used, 0, SHARED_MAX_BANKS * sizeof *n_used);
	for (LaneMask left = try->pending; left; left &= ~same_lock) {
		const Lane *lane = &try->lane[__builtin_ctzll(left)];

		same_lock = lanes_of_lock(try, left, lane->lock);
		n_used[part_of(lane, try->p->table, try->n_banks)] +=
			is_queued(try, lane->lock);
	}
}

/* Whether the lane's lock has an entry, or the part of the table that is to have it one more, which is taken. */
static bool get_entry(const Try *try, const Lane *lane, uint32_t n_used[SHARED_MAX_BANKS])
{
	const uint32_t n_parts = try->p->table == LOCK_TABLE_BANK_CAM ? try->n_banks : 1;

	if (try->p->table == LOCK_TABLE_BITS || try->ideals->lock_aliases ||
	    is_queued(try, lane->lock))
		return true;
	return n_used[part_of(lane, try->p->table, try->n_banks)]++ <
	       try->p->cam_entries / n_parts;
}

/* One lane of each lock that the pending lanes map to, as far as the table has room; ideal same_word: all that want its word. */
static void try_locks(const Try *try, ClosedFormRound *round)
{
	uint32_t n_used[SHARED_MAX_BANKS];
	LaneMask winners = 0, tried = 0, same_lock;

	count_kept(try, n_used);
	for (LaneMask left = try->pending; left; left &= ~same_lock) {
		const uint32_t lock = try->lane[__builtin_ctzll(left)].lock;
		uint32_t picked;
		LaneMask turn;

		same_lock = lanes_of_lock(try, left, lock);
		picked = winner_pick(is_queued(try, lock) ? WINNER_LOWEST : try->p->winner,
				     same_lock, try->n_lanes, try->round, lock, try->salt);
		turn = try->ideals->same_word ? lanes_of_word(try->lane, same_lock, picked)
					      : UINT64_C(1) << picked;
		tried |= turn;
		if (get_entry(try, &try->lane[picked], n_used))
			winners |= turn;
	}
	round->winners = winners;
	/* Else one of each lock tries, and a lone warp finds it free. */
	round->tried =
		try->p->retry.who == RETRY_ALL || try->ideals->same_word ? try->pending : tried;
}

/* Passes of an LK or UL of these lanes. */
static uint32_t degree(const Try *try, LaneMask lanes, const SharedParameters *shared)
{
	const uint32_t banks = bank_degree(try->lane, try->n_lanes, lanes);
	const uint32_t ports =
		port_degree(try->lane, try->n_lanes, lanes, shared->banks, try->p);

	return banks > ports ? banks : ports;
}

void algorithm1(const AtomicParameters *atomic, const SharedParameters *shared,
		const Ideals *ideals, const uint32_t *words, uint32_t n_lanes, uint64_t salt,
		ClosedForm *result)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];
	const bool own_lock = ideals->lock_aliases || p->table != LOCK_TABLE_BITS;
	Try try = {.p = p,
		   .ideals = ideals,
		   .n_lanes = n_lanes,
		   .n_banks = shared->banks,
		   .salt = salt,
		   .pending = lanes_below(n_lanes)};
	Hash lock_hash, bank_hash;

	hash_build(&atomic->lock_hash, atomic->locks, &lock_hash);
	hash_build(&shared->bank_hash, shared->banks, &bank_hash);
	for (uint32_t i = 0; i < n_lanes; i++)
		try.lane[i] = (Lane){
			.word = words[i],
			.lock = own_lock ? words[i] : hash_apply(&lock_hash, words[i]),
			.bank = hash_apply(&bank_hash, words[i]),
		};

	memset(result, 0, sizeof *result);
	for (; try.pending; try.round++) {
		ClosedFormRound *round = &result->rounds[result->n_rounds++];

		try_locks(&try, round);
		round->read_degree = round->write_degree = 1;
		if (!ideals->bank_conflicts) {
			round->read_degree = degree(&try, round->tried, shared);
			round->write_degree = degree(&try, round->winners, shared);
		}
		round->bank_cycles = (round->read_degree - 1 + round->write_degree - 1) *
				     shared->conflict_latency_cycles;
		result->bank_cycles += round->bank_cycles;
		try.pending &= ~round->winners;
		try.done |= round->winners;
		/* The paper charges the branch back to the round that it leads to. */
		round->base_cycles = try.pending ? p->t_position_cycles : p->t_base_cycles;
		if (try.pending)
			result->lock_cycles += round->base_cycles;
		else
			result->base_cycles += round->base_cycles;
	}
	result->cycles = result->base_cycles + result->lock_cycles + result->bank_cycles;
}
