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

/* The same of different locks in one part of the lock array, by what its ports serve in a pass. */
static uint32_t port_degree(const Lane *lane, uint32_t n_lanes, LaneMask lanes,
			    uint32_t n_banks, uint32_t ports)
{
	uint32_t n_locks[SHARED_MAX_BANKS] = {0}, most = 1;

	for (uint32_t i = 0; i < n_lanes; i++) {
		bool seen = !in(lanes, i);

		for (uint32_t k = 0; !seen && k < i; k++)
			seen = in(lanes, k) && lane[k].lock == lane[i].lock;
		if (!seen && ++n_locks[lane[i].lock % n_banks] > most)
			most = n_locks[lane[i].lock % n_banks];
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

/* One lane of each lock that the given lanes map to; ideal same_word: all that want its word. */
static LaneMask winners_of(WinnerRule winner, const Ideals *ideals, const Lane *lane,
			   uint32_t n_lanes, LaneMask lanes, uint32_t round, uint64_t salt)
{
	LaneMask winners = 0, seen = 0;

	for (uint32_t i = 0; i < n_lanes; i++) {
		LaneMask same_lock = 0;

		if (!in(lanes, i) || in(seen, i))
			continue;
		for (uint32_t j = i; j < n_lanes; j++)
			if (in(lanes, j) && lane[j].lock == lane[i].lock)
				same_lock |= UINT64_C(1) << j;
		seen |= same_lock;
		uint32_t picked =
			winner_pick(winner, same_lock, n_lanes, round, lane[i].lock, salt);
		winners |= ideals->same_word ? lanes_of_word(lane, same_lock, picked)
					     : UINT64_C(1) << picked;
	}
	return winners;
}

/* Passes of an LK or UL of these lanes. */
static uint32_t degree(const Lane *lane, uint32_t n_lanes, LaneMask lanes,
		       const LockBitsParameters *p, const SharedParameters *shared)
{
	const uint32_t banks = bank_degree(lane, n_lanes, lanes);
	const uint32_t ports = port_degree(lane, n_lanes, lanes, shared->banks, p->ports);

	return banks > ports ? banks : ports;
}

void algorithm1(const AtomicParameters *atomic, const SharedParameters *shared,
		const Ideals *ideals, const uint32_t *words, uint32_t n_lanes, uint64_t salt,
		ClosedForm *result)
{
	const LockBitsParameters *p = atomic->own[MECHANISM_lock_bits];
	Lane lane[MAX_LANES];
	Hash lock_hash, bank_hash;
	LaneMask pending = lanes_below(n_lanes);

	hash_build(&atomic->lock_hash, atomic->locks, &lock_hash);
	hash_build(&shared->bank_hash, shared->banks, &bank_hash);
	for (uint32_t i = 0; i < n_lanes; i++)
		lane[i] = (Lane){
			.word = words[i],
			.lock = ideals->lock_aliases ? words[i]
						     : hash_apply(&lock_hash, words[i]),
			.bank = hash_apply(&bank_hash, words[i]),
		};

	memset(result, 0, sizeof *result);
	while (pending) {
		uint32_t n = result->n_rounds++;
		ClosedFormRound *round = &result->rounds[n];

		/* Those who have lost queue up as their lanes are. */
		const WinnerRule rule =
			p->retry == LOCK_RETRY_FIFO && !ideals->same_word && n > 0
				? WINNER_LOWEST
				: p->winner;

		round->winners = winners_of(rule, ideals, lane, n_lanes, pending, n, salt);
		/* One of each lock tries, and a lone warp finds it free. */
		round->tried = p->retry == LOCK_RETRY_ALL || ideals->same_word ? pending
									       : round->winners;
		round->read_degree = round->write_degree = 1;
		if (!ideals->bank_conflicts) {
			round->read_degree = degree(lane, n_lanes, round->tried, p, shared);
			round->write_degree = degree(lane, n_lanes, round->winners, p, shared);
		}
		round->bank_cycles = (round->read_degree - 1 + round->write_degree - 1) *
				     shared->conflict_latency_cycles;
		result->bank_cycles += round->bank_cycles;
		pending &= ~round->winners;
		/* The paper charges the branch back to the round that it leads to. */
		round->base_cycles = pending ? p->t_position_cycles : p->t_base_cycles;
		if (pending)
			result->lock_cycles += round->base_cycles;
		else
			result->base_cycles += round->base_cycles;
	}
	result->cycles = result->base_cycles + result->lock_cycles + result->bank_cycles;
}
