/* SPDX-License-Identifier: MIT */
/* What the files of compute.h share; for them alone. */
#ifndef ATOMSIM_GPU_SASS_COMPUTE_INTERNAL_H
#define ATOMSIM_GPU_SASS_COMPUTE_INTERNAL_H

#include "gpu/sass/compute.h"
#include "gpu/sass/flow.h"
#include "gpu/sass/operand.h"

#define COMPUTE_MAX_INPUTS 8

typedef struct Code Code;

/* One lane's inputs, in the operands' order; predicates are 0 or 1, pairs of registers have their
   upper word in `high`. Signs and bars of the text are on them as Signs says. */
typedef struct {
	uint32_t value[COMPUTE_MAX_INPUTS], high[COMPUTE_MAX_INPUTS];
} Inputs;

/* What it writes: a register or a pair, and predicates in the text's order. */
typedef struct {
	uint32_t value, high;
	bool predicate[2];
} Outputs;

/* A lane on its own. False: not known. */
typedef bool (*ComputeLane)(const Code *code, const Inputs *in, Outputs *out);
/* All lanes together: what one lane alone does not say. False: nothing is known of it, and nothing was
   stored. */
typedef bool (*ComputeTogether)(ComputeWarp *warp, const Code *code, uint32_t lanes);

/* How signs of inputs are meant. */
typedef enum { SIGNS_INTEGER, SIGNS_FLOAT, SIGNS_DOUBLE, SIGNS_LATER } Signs;

typedef struct {
	const char *base; /* opcode up to its first dot */
	ComputeLane lane;
	ComputeTogether together;
	Signs signs;
	/* Inputs that are pairs of registers, by bit; and whether the result is one. */
	unsigned pairs;
	bool is_pair;
} ComputeRow;

struct Code {
	const SassInstruction *instruction;
	bool is_read;
	const ComputeRow *row; /* NULL: its results are unknown */
	guint n_operands, n_outputs;
	SassOperand operands[SASS_MAX_OPERANDS];
	SassFlowUse use;
	bool is_pair;
	unsigned pairs;
	/* Suffixes that several ask for. */
	bool is_unsigned, extended, high, wide;
};

typedef struct {
	uint32_t value[COMPUTE_LANES];
	uint32_t known;
} LaneValues;

struct ComputeCode {
	const SassFunction *function;
	const ComputeLaunch *launch;
	Code *codes; /* by instruction */
};

struct ComputeWarp {
	ComputeCode *code;
	uint32_t block[3], warp;
	LaneValues values[SASS_N_VALUES]; /* predicates: 0 or 1 */
	GArray *noted;			  /* of COMPUTE_LANES uint64_t; NULL: none */
};

extern const ComputeRow compute_integer_rows[], compute_bit_rows[], compute_float_rows[],
	compute_warp_rows[], compute_exchange_rows[];

static inline const SassOperand *compute_input(const Code *code, guint i)
{
	return &code->operands[code->n_outputs + i];
}

static inline guint compute_n_inputs(const Code *code)
{
	return code->n_operands - code->n_outputs;
}

/* A suffix of the opcode: ".U32". */
bool compute_has(const Code *code, const char *suffix);
/* Reads an instruction. */
void compute_read(const SassFunction *function, int index, Code *code);
const Code *compute_code_of(const ComputeWarp *warp, int index);
/* An operand of all lanes, with its sign; the next register of a pair with `high`. */
void compute_fetch(const ComputeWarp *warp, const Code *code, const SassOperand *operand,
		   bool high, LaneValues *values);
/* Writes those lanes of what the operand names. */
void compute_store(ComputeWarp *warp, const SassOperand *operand, bool high, uint32_t lanes,
		   const LaneValues *values);
/* All that the instruction writes is unknown for the lanes. */
void compute_forget(ComputeWarp *warp, const Code *code, uint32_t lanes);

#endif
