/* SPDX-License-Identifier: MIT */
/*
 * What an instruction of the machine code reads and writes, and which class of operation it is:
 * from its text. For capture/ and its tests.
 *
 * Values are places of a warp: registers, uniform registers, predicates, each 32 bits (a predicate:
 * one); what takes 64 bits is two of them. RZ, URZ, PT and UPT hold nothing and are no values.
 */
#ifndef ATOMSIM_GPU_SASS_FLOW_H
#define ATOMSIM_GPU_SASS_FLOW_H

#include "base/dataflow.h"
#include "gpu/sass/sass.h"

#define SASS_MAX_USES 64 /* values that one instruction can name: matrix products the most */

/* A list of values, each once, in the order of the text. */
typedef struct {
	uint8_t n;
	uint16_t values[SASS_MAX_USES];
} SassValues;

static inline bool sass_has_value(const SassValues *list, uint16_t value)
{
	for (uint8_t i = 0; i < list->n; i++)
		if (list->values[i] == value)
			return true;
	return false;
}

typedef struct {
	CodeClass class; /* of an access, a barrier or a fence: OTHER, for these are records */
	int guard;	 /* predicate that says which lanes take part; -1: all do */
	SassValues writes;
	SassValues reads;   /* all but the guard and what the next two hold */
	SassValues address; /* of accesses: values that the addresses are made of */
	SassValues data;    /* of accesses: stored values, operands of an atomic */
	int constant_bank;  /* of a constant that it reads at a fixed place, -1: none */
	int indexed_bank; /* of one at an address in a register, but for parameters; -1: none */
	uint32_t constant_offset; /* bytes in the bank; what is added to the register */
	uint8_t passes; /* of an access to textures or surfaces, through their unit; 0: of any other */
} SassFlowUse;

/* Fills *use. A guarded write leaves the lanes without the predicate as they were, so it reads what
   it writes. */
void sass_use(const SassInstruction *instruction, SassFlowUse *use);

/* The class of a branch that is taken, call or return: whether it goes to an address in a register. */
static inline CodeClass sass_taken(const SassInstruction *instruction)
{
	return instruction->flow == SASS_RETURN || instruction->flow == SASS_INDIRECT ||
			       (instruction->flow == SASS_CALL && instruction->by_value)
		       ? CODE_INDIRECT
		       : CODE_JUMP;
}

/* Fills *values with results that the instruction waits for by its scoreboards, whether it reads them or not: a value of each, the last ones
   before it in the text, or in the round before of its loop. None where the text has no encodings. */
void sass_waits(const SassFunction *function, int index, SassValues *values);

#endif
