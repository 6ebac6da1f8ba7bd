/* SPDX-License-Identifier: MIT */
/* What the files of compute.h share; for them alone. */
#ifndef ATOMSIM_GPU_SASS_COMPUTE_INTERNAL_H
#define ATOMSIM_GPU_SASS_COMPUTE_INTERNAL_H

#include "gpu/sass/compute.h"
#include "gpu/sass/flow.h"
#include "gpu/sass/operand.h"

#define COMPUTE_MAX_INPUTS 8

/* Suffixes of opcodes that change what is calculated. */
/* clang-format off */
#define COMPUTE_SUFFIXES(EACH) \
	EACH(128) EACH(32) EACH(64) EACH(ALL) EACH(AND) EACH(BFLY) EACH(CEIL) EACH(COS) \
	EACH(DIV) EACH(DOWN) EACH(EQ) EACH(EQU) EACH(EX) EACH(EX2) EACH(FLOOR) EACH(FTZ) \
	EACH(GE) EACH(GEU) EACH(GT) EACH(GTU) EACH(HI) EACH(L) EACH(LE) EACH(LEU) \
	EACH(LG2) EACH(LT) EACH(LTU) EACH(MIN) EACH(NAN) EACH(NE) EACH(NEU) EACH(NUM) \
	EACH(OR) EACH(PAND) EACH(RCP) EACH(RP) EACH(RSQ) EACH(RZ) EACH(S16) EACH(S32) \
	EACH(S64) EACH(S8) EACH(SAT) EACH(SH) EACH(SIN) EACH(SQRT) EACH(SUM) EACH(SX32) \
	EACH(T) EACH(TANH) EACH(TRUNC) EACH(U16) EACH(U32) EACH(U64) EACH(U8) EACH(UP) \
	EACH(W) EACH(WIDE) EACH(X) EACH(XOR)
/* clang-format on */

typedef enum {
#define SUFFIX(suffix) SUFFIX_##suffix,
	COMPUTE_SUFFIXES(SUFFIX)
#undef SUFFIX
} ComputeSuffix;

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
	bool converts; /* both by the types that the opcode names */
	/* Puts bytes among others. A register that nothing has been put into yet counts as 0: its bytes mean nothing, and no code goes by
	   them (PRMT R2, RZ, 0x7610, R2 sets a variable of 8 or 16 bits). */
	bool merges;
} ComputeRow;

struct Code {
	const SassInstruction *instruction;
	bool is_asked;	       /* a branch: somebody asks where it goes */
	const ComputeRow *row; /* NULL: its results are unknown */
	guint n_operands, n_outputs;
	SassOperand operands[SASS_MAX_OPERANDS];
	SassFlowUse use;
	uint64_t suffixes; /* a bit for each of COMPUTE_SUFFIXES */
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

/* What a warp has done and nobody has asked the values of yet. */
typedef struct {
	int index;
	uint32_t mask, executing;
	bool is_known;
	bool is_branch; /* executing: the lanes that took it */
	guint words;
	const uint32_t *loaded;
} ComputeStep;

struct ComputeWarp {
	ComputeCode *code;
	uint32_t block[3], warp;
	GArray *steps; /* ComputeStep, to be calculated before values are asked for */
	LaneValues values[SASS_N_VALUES]; /* predicates: 0 or 1 */
	uint32_t used[SASS_N_VALUES];	  /* lanes that something was put in of, known or not */
	GArray *noted;			  /* of COMPUTE_LANES uint64_t; NULL: none */
};

extern const ComputeRow compute_integer_rows[], compute_bit_rows[], compute_float_rows[],
	compute_convert_rows[], compute_warp_rows[], compute_exchange_rows[];

static inline bool compute_has(const Code *code, ComputeSuffix suffix)
{
	return code->suffixes >> suffix & 1;
}

static inline const SassOperand *compute_input(const Code *code, guint i)
{
	return &code->operands[code->n_outputs + i];
}

static inline guint compute_n_inputs(const Code *code)
{
	return code->n_operands - code->n_outputs;
}

/* Calculates all that the warp has done. */
void compute_catch_up(ComputeWarp *warp);

static inline const Code *compute_code_of(const ComputeWarp *warp, int index)
{
	return &warp->code->codes[index];
}
/* An operand of all lanes, with its sign; the next register of a pair with `high`. */
void compute_fetch(const ComputeWarp *warp, const Code *code, const SassOperand *operand,
		   bool high, LaneValues *values);
/* Writes those lanes of what the operand names. */
void compute_store(ComputeWarp *warp, const SassOperand *operand, bool high, uint32_t lanes,
		   const LaneValues *values);
/* All that the instruction writes is unknown for the lanes. */
void compute_forget(ComputeWarp *warp, const Code *code, uint32_t lanes);

#endif
