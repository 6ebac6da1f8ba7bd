/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `l2` of global words: the L2's slices operate on the word themselves (model/memory/slice.h, which has
 * the rules and their sources).
 *
 * Pairs of half precision and vectors of floats are served as floats of as many bytes. An H200 takes as long (132 blocks of 256
 * threads: 16 adds to one word 954 to 956 us for f32, f16x2, bf16x2, f32x2, f32x4; 64 to random words 27, 33, 34, 25, 26); vectors of
 * half precision are assumed to.
 *
 * One warp instruction: no retry, no branch. Its warp goes on and waits for the result where the
 * program uses it.
 */
#include "model/cost.h"
#include "model/memory/global-mechanism.h"

static AccessKind kind_of(const GlobalAtomic *atomic)
{
	if (atomic->operation == OPERATION_CAS)
		return ACCESS_CAS;
	if (atomic->operation == OPERATION_EXCH)
		return ACCESS_ATOMIC;
	if (atomic->type == TYPE_F64)
		return ACCESS_DOUBLE;
	return atomic_kind(atomic->operation, atomic->type) == ATOMIC_F32 ? ACCESS_FLOAT
									  : ACCESS_ATOMIC;
}

static void step(const void *own, SharedMemory *shared, GlobalAtomic *atomic, Cycle now,
		 GlobalStep *step)
{
	(void)own;
	(void)shared;
	(void)now;
	step->name = "atomg";
	step->ask.kind = kind_of(atomic);
	step->ask.result = atomic->result;
	step->ask.lanes = atomic->pending;
	step->done = true;
}

/* Assumed: a slice has units for as many words as a sector has, which it serves at once. */
static void count_cost(const CostMachine *machine, CostPart *part)
{
	const CostWeights *weights = machine->weights;

	if (machine->l2 == NULL)
		return;
	part->units = (uint64_t)machine->l2->partitions * machine->l2->slices;
	part->gates =
		SECTOR_BYTES * 8 / COST_WORD_BITS *
		((uint64_t)weights->integer_gates * COST_WORD_BITS + weights->float_gates);
}

static const CostRow cost = {
	.name = "L2 units",
	.doc = "per slice; gates that add integers and floats to the eight words of a sector "
	       "(l2)",
	.count = count_cost,
};

const GlobalMechanism global_mechanism_l2 = {
	.name = "l2",
	.summary = "the slices of the L2 operate",
	.by_memory = true,
	.at_once = true,
	.costs = &cost,
	.n_costs = 1,
	.step = step,
};
