/* SPDX-License-Identifier: MIT */
/*
 * The hardware of mechanism `lock-bits`, as rows of the table of costs. Assumed, as nothing of it is published but the lock bits:
 * - the array lies in as many parts as there are banks, each with atomic.lock_bits.ports ports. With 0, any number, it needs one where
 *   each lock lies beside the bank of its words, and else one for each bank's address.
 * - table cam, bank-cam: for each entry the word's index, which is searched (of bank-cam without the bits that the bank has); whether it is in use;
 *   and its owner, a lane of a resident warp. A chain of two gates an entry and port finds one that is free. One array with as many ports as for
 *   the array above, or one for each bank with one.
 * - fifo: first and last lane of each lock's queue, beside the lock.
 * - who waits, and back-off: retry-cost.c.
 */
#include <glib.h>

#include "model/atomic/lock-bits.h"
#include "model/cost.h"
#include "model/shared/gf2.h"

static const LockBitsParameters *parameters(const CostMachine *machine)
{
	return machine->atomic->own[MECHANISM_lock_bits];
}

/* Whether all words of a lock are one bank's. */
static bool is_beside_bank(const CostMachine *machine)
{
	const uint32_t banks = machine->shared->banks, locks = machine->atomic->locks;
	uint32_t rows[2 * HASH_MAX_BITS], n_lock, n_bank, rank;
	Hash bank, lock;

	hash_build(&machine->shared->bank_hash, banks, &bank);
	hash_build(&machine->atomic->lock_hash, locks, &lock);
	/* The low bits of a word's index, or the high bits of its product. */
	if (!bank.linear && !lock.linear && bank.map == lock.map && locks % banks == 0)
		return true;
	n_lock = hash_rows(&lock, rows);
	if (n_lock == UINT32_MAX || hash_rows(&bank, rows) == UINT32_MAX)
		return false;
	/* The bank is a sum of bits of the lock's number. */
	hash_rows(&lock, rows);
	n_bank = hash_rows(&bank, &rows[n_lock]);
	for (uint32_t i = 0; i < n_lock + n_bank; i++)
		rows[i] &= gf2_mask(cost_word_index_bits(machine->shared));
	rank = gf2_rank(rows, n_lock);
	return gf2_rank(rows, n_lock + n_bank) == rank;
}

static uint32_t n_ports(const CostMachine *machine)
{
	const LockBitsParameters *p = parameters(machine);
	bool beside = p->table == LOCK_TABLE_BANK_CAM;

	if (p->ports > 0)
		return p->ports;
	if (p->table == LOCK_TABLE_BITS)
		beside = is_beside_bank(machine);
	return beside ? 1 : machine->shared->banks;
}

/* Bits or entries, of each of which there may be a queue. */
static uint32_t n_locks(const CostMachine *machine)
{
	const uint32_t entries = lock_bits_cam_entries(parameters(machine));

	return entries > 0 ? entries : machine->atomic->locks;
}

static uint32_t n_lanes(const CostMachine *machine)
{
	return machine->n_warps * COST_LANES;
}

static void count_array(const CostMachine *machine, CostPart *part)
{
	if (parameters(machine)->table != LOCK_TABLE_BITS)
		return;
	part->units = machine->n_sms;
	part->entries = part->bits = machine->atomic->locks;
	part->ports = n_ports(machine);
}

static void count_cam(const CostMachine *machine, CostPart *part)
{
	const LockBitsParameters *p = parameters(machine);
	const uint32_t index = cost_word_index_bits(machine->shared);
	const uint32_t of_bank =
		p->table == LOCK_TABLE_BANK_CAM ? cost_index_bits(machine->shared->banks) : 0;

	if (p->table == LOCK_TABLE_BITS)
		return;
	part->units = machine->n_sms;
	part->entries = p->cam_entries;
	part->ports = n_ports(machine);
	part->bits = part->entries * (1 + cost_index_bits(n_lanes(machine)));
	part->tag_bits = part->entries * (index - MIN(index, of_bank));
	part->gates = part->entries * part->ports * 2;
}

static void count_hash(const CostMachine *machine, CostPart *part)
{
	Hash hash;

	if (parameters(machine)->table != LOCK_TABLE_BITS)
		return;
	hash_build(&machine->atomic->lock_hash, machine->atomic->locks, &hash);
	part->units = machine->n_sms;
	part->gates =
		machine->shared->banks *
		cost_hash_gates(machine->weights, &hash, cost_word_index_bits(machine->shared));
}

static void count_queues(const CostMachine *machine, CostPart *part)
{
	if (parameters(machine)->retry.who != RETRY_FIFO)
		return;
	part->units = machine->n_sms;
	part->entries = n_locks(machine);
	part->bits = part->entries * 2 * cost_index_bits(n_lanes(machine));
	part->ports = n_ports(machine);
}

static void count_waiting_lanes(const CostMachine *machine, CostPart *part)
{
	retry_count_lanes(&parameters(machine)->retry, machine, n_locks(machine), part);
}

static void count_back_off(const CostMachine *machine, CostPart *part)
{
	retry_count_back_off(&parameters(machine)->retry, machine, part);
}

const CostRow lock_bits_costs[N_LOCK_BITS_COSTS] = {
	{"lock array", "per SM; a bit for each of atomic.locks, atomic.lock_bits.ports ports",
	 count_array},
	{"lock CAM",
	 "per SM; atomic.lock_bits.cam_entries of a word's address, searched, and its owner",
	 count_cam},
	{"lock hash", "per SM; gates of atomic.lock_hash, for one address per bank",
	 count_hash},
	{"lock queues", "per SM; first and last lane of each lock's queue (retry fifo)",
	 count_queues},
	{"waiting lanes",
	 "per SM; which of its lanes wait, and for which lock (retry one-winner, fifo)",
	 count_waiting_lanes},
	{"back-off", "per SM; counters of its warps (back_off_cycles)", count_back_off},
};
