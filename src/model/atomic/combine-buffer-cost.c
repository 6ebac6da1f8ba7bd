/* SPDX-License-Identifier: MIT */
/*
 * The hardware of the combiner `buffer`, as a row of the table of costs. Assumed: an entry has its operand, or a line's with a bit each
 * that there is one, and which of 16 operations and types it is of; its address is compared with what comes where lanes are fused,
 * by an adder for integers and one for floats beside each buffer. The place of an entry in the ring is its age.
 */
#include "model/atomic/combine-buffer.h"
#include "model/cost.h"

#define LINE_WORDS 32
#define KIND_BITS  4

static void count(const CostMachine *machine, CostPart *part)
{
	const Buffering *p = machine->combine[MEMORY_GLOBAL][COMBINER_buffer];
	const uint32_t n_buffers[N_PERS] = {1, machine->n_schedulers, machine->n_warps};
	const uint64_t n = p->entries;
	const uint32_t address_bits =
		COST_ADDRESS_BITS -
		cost_index_bits(p->entry == ENTRY_LINE ? 4 * LINE_WORDS : 4);

	part->units = (uint64_t)machine->n_sms * n_buffers[p->per];
	part->entries = n;
	part->bits =
		n * (KIND_BITS + (p->entry == ENTRY_LINE ? LINE_WORDS * (COST_WORD_BITS + 1)
							 : COST_WORD_BITS));
	if (!p->fuse) {
		part->bits += n * address_bits;
		return;
	}
	part->tag_bits = n * address_bits;
	part->gates = COST_WORD_BITS * (uint64_t)machine->weights->integer_gates +
		      machine->weights->float_gates;
}

const CostRow buffer_cost = {
	.name = "atomics' buffer",
	.doc = "per SM, scheduler or warp slot; operands and operations, addresses that are "
	       "compared where lanes are fused, an adder for integers and one for floats",
	.count = count,
};
