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

const GlobalMechanism global_mechanism_l2 = {
	.name = "l2",
	.summary = "the slices of the L2 operate",
	.by_memory = true,
	.at_once = true,
	.step = step,
};
