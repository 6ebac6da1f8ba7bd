/* SPDX-License-Identifier: MIT */
/*
 * The operands of an instruction, from its text: what compute.c calculates with. For capture/ and its
 * tests.
 */
#ifndef ATOMSIM_GPU_SASS_OPERAND_H
#define ATOMSIM_GPU_SASS_OPERAND_H

#include "gpu/sass/sass.h"

typedef enum {
	OPERAND_UNKNOWN,  /* a form that is not read here: no value is known of it */
	OPERAND_VALUE,	  /* a register, uniform register or predicate: `value` */
	OPERAND_ZERO,	  /* RZ, URZ, and what is written there is gone */
	OPERAND_TRUE,	  /* PT, UPT */
	OPERAND_INTEGER,  /* 0x1f, in `bits` */
	OPERAND_NUMBER,	  /* 0.5, in `number` */
	OPERAND_CONSTANT, /* c[bank][value + offset] */
	OPERAND_WORD,	  /* SR_TID.X, PR, a label: in `text` */
} OperandKind;

typedef struct {
	OperandKind kind;
	int value; /* as flow.h numbers values; of CONSTANT: its index register, -1 if none */
	bool negative;	/* -x */
	bool absolute;	/* |x|, before the sign */
	bool inverted;	/* ~x, or !P */
	bool predicate; /* VALUE or TRUE: of one bit */
	uint32_t bits;
	double number;
	int bank;
	uint32_t offset;
	const char *text; /* not ended by a NUL: `length` */
	size_t length;
} SassOperand;

#define SASS_MAX_OPERANDS 16

/* Fills `operands`; returns how many there are. They live as long as the instruction. */
guint sass_operands(const SassInstruction *instruction,
		    SassOperand operands[SASS_MAX_OPERANDS]);

/* Whether the operand is this word. */
bool sass_operand_is(const SassOperand *operand, const char *word);

#endif
