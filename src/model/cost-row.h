/* SPDX-License-Identifier: MIT */
/*
 * What a part of the hardware that carries out atomics is made of: a row of the table of costs.
 *
 * A mechanism brings its rows (Mechanism.costs, GlobalMechanism.costs), a combiner one for each memory (Combiner.costs), any other
 * part one by a word in COST_PARTS (model/cost.h).
 * Who may include it: model, and layers above.
 */
#ifndef ATOMSIM_MODEL_COST_ROW_H
#define ATOMSIM_MODEL_COST_ROW_H

#include <stdint.h>

/* What things cost, as the keys of `cost` fill it: in thousandths of a bit of storage with one port, and gates of two inputs. */
typedef struct {
	uint32_t gate_mbits;	/* a gate of two inputs */
	uint32_t tag_bit_mbits; /* a bit that is compared with what is looked for */
	uint32_t port_power;	/* storage of p ports takes p to that power as much */
	uint32_t integer_gates; /* of a unit for integers, for each bit of its width */
	uint32_t float_gates;	/* of an adder of 32-bit floats */
	uint32_t compare_gates; /* of a test for equality, for each bit */
	uint32_t product_gates; /* of a multiplier or divider, for each pair of bits */
} CostWeights;

/* Storage and gates of one unit, and how many units the GPU has. */
typedef struct {
	uint64_t units; /* 0: the machine has none */
	uint64_t entries;
	uint64_t bits;	   /* of storage, all entries */
	uint64_t tag_bits; /* of storage that is searched by what it holds, all entries */
	uint32_t ports;	   /* of both; 0 is 1 */
	uint64_t gates;	   /* of two inputs */
} CostPart;

/* What rows may ask for: model/cost.h. */
typedef struct CostMachine CostMachine;

typedef struct {
	const char *name; /* lock array */
	const char *doc;  /* what is counted, and on which assumption */
	/* Fills *part, which is all 0. */
	void (*count)(const CostMachine *machine, CostPart *part);
} CostRow;

#define COST_WORD_BITS 32
/* Of a byte's address in global memory (CUDA C++ Programming Guide, "Unified Virtual Address Space": 47 bits and more). */
#define COST_ADDRESS_BITS 48
#define COST_LANES	  32 /* of a warp, of each of which there is a bit where lanes wait */

/* Bits that tell n things apart: 0 of one. */
static inline uint32_t cost_index_bits(uint64_t n)
{
	uint32_t bits = 0;

	while (n > UINT64_C(1) << bits)
		bits++;
	return bits;
}

#endif
