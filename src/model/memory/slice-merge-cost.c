/* SPDX-License-Identifier: MIT */
/*
 * Slices that merge waiting atomics (slice-merge.h) as a row of the table of costs. Assumed: a slice keeps of each of the last packets
 * its line, sectors, word and operation, which are compared with those of one that comes; what waits has its operands anyway; and one
 * more unit for each word of a sector adds them up.
 */
#include "model/cost.h"

#define LINE_BITS      (COST_ADDRESS_BITS - 7)
#define OPERATION_BITS 5

static void count(const CostMachine *machine, CostPart *part)
{
	const CostWeights *weights = machine->weights;

	if (machine->l2 == NULL || machine->l2->merge_packets == 0)
		return;
	part->units = (uint64_t)machine->l2->partitions * machine->l2->slices;
	part->entries = machine->l2->merge_packets;
	part->tag_bits = part->entries * (LINE_BITS + LINE_SECTORS +
					  cost_index_bits(SECTOR_WORDS) + OPERATION_BITS);
	part->gates = SECTOR_WORDS * ((uint64_t)weights->integer_gates * COST_WORD_BITS +
				      weights->float_gates);
}

const CostRow cost_part_slice_merge = {
	.name = "merge, slices",
	.doc = "per slice; l2.merge_packets packets that are searched, and an adder of "
	       "integers "
	       "and floats for each word of a sector",
	.count = count,
};
