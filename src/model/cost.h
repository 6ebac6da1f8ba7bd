/* SPDX-License-Identifier: MIT */
/*
 * What the hardware of a machine that carries out atomics costs, in bits: one bit of storage with one port is the unit, and the keys
 * of `cost` say what gates, compared bits and further ports are of it. No area, no wires, no time: a longer hash or a further port takes
 * none. What every GPU has anyway (SMs, their registers, banks, caches) is not counted. Who may include it: model, and layers above.
 */
#ifndef ATOMSIM_MODEL_COST_H
#define ATOMSIM_MODEL_COST_H

#include "base/key.h"
#include "model/atomic/combiner.h"
#include "model/atomic/mechanism.h"
#include "model/cost-row.h"
#include "model/memory/global-mechanism.h"
#include "model/memory/memory-parameters.h"
#include "model/shared/shared.h"

/* Parts that no mechanism brings; a file of the part defines cost_part_NAME. */
#define COST_PARTS(X) X(bank_hash) X(slice_merge)

struct CostMachine {
	uint32_t n_sms, n_schedulers; /* of an SM */
	uint32_t n_warps;	      /* resident on an SM */
	const SharedParameters *shared;
	const AtomicParameters *atomic;
	const GlobalAtomicParameters *global;
	const CombinerParameters *combine; /* [N_MEMORY_SPACES] */
	const L2Parameters *l2;		   /* NULL: the machine has no slices */
	const CostWeights *weights;
};

/* A row of a machine that has it. */
typedef struct {
	const CostRow *row;
	CostPart part;
	uint64_t bits; /* that all its units cost */
} CostLine;

#define COST_MAX_LINES 64

#define X(name) extern const CostRow cost_part_##name;
COST_PARTS(X)
#undef X

extern const KeyTable cost_keys; /* of CostWeights */

/* What the machine has, in the order of the lists; returns how many. */
uint32_t cost_lines(const CostMachine *machine, CostLine lines[COST_MAX_LINES]);
/* The sum of their bits. */
uint64_t cost_total(const CostMachine *machine);

/* Gates of a hash of an index of n_bits bits. */
uint64_t cost_hash_gates(const CostWeights *weights, const Hash *hash, uint32_t n_bits);
/* Bits of a word's index in an SM's shared memory. */
uint32_t cost_word_index_bits(const SharedParameters *shared);

#endif
