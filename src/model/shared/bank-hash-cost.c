/* SPDX-License-Identifier: MIT */
/* The hash of shared memory's banks as a row of the table of costs. */
#include "model/cost.h"

static void count(const CostMachine *machine, CostPart *part)
{
	const SharedParameters *shared = machine->shared;
	Hash hash;

	hash_build(&shared->bank_hash, shared->banks, &hash);
	part->units = machine->n_sms;
	part->gates = shared->banks *
		      cost_hash_gates(machine->weights, &hash, cost_word_index_bits(shared));
}

const CostRow cost_part_bank_hash = {
	.name = "bank hash",
	.doc = "per SM; gates of shared.bank_hash, for one address per bank",
	.count = count,
};
