/* SPDX-License-Identifier: MIT */
/*
 * What waits for what: the instructions of a kernel between its records, by what they read and
 * write. A trace's table of gaps holds each such stretch once, and a `code` record names one.
 *
 * It says data flow, which the program asked for: no stall count, no latency and no cycle is in it.
 * A value is a place that a warp keeps results in (a register, a predicate; 64 bits are two); an
 * operation may begin when all values that it reads are there. What compiled code waits for with them, by a scoreboard that results
 * share, counts as read. A leaf: every layer may include it.
 */
#ifndef ATOMSIM_BASE_DATAFLOW_H
#define ATOMSIM_BASE_DATAFLOW_H

#include <stdbool.h>
#include <stdint.h>

/* Values are numbered 0 .. n_values-1; this number is none. */
#define DATAFLOW_MAX_VALUES 255
#define DATAFLOW_NO_VALUE   255

/* Bounds of one operation and of one site. */
#define DATAFLOW_MAX_WRITES 15
#define DATAFLOW_MAX_READS  15

/* Lines of 64 bytes of constants (parameters included) that one kernel can name. */
#define DATAFLOW_MAX_LINES 4096

/* Instructions of a kernel's code that operations and sites can name. */
#define DATAFLOW_MAX_INSTRUCTIONS (1u << 24)

/*
 * Classes of operations, as a program asks for them. Memory accesses, barriers and fences are records of
 * their own and never in a gap. X(constant, name, number, what)
 */
#define CODE_CLASSES(X)                                                                        \
	X(OTHER, "other", 0, "none of those below")                                            \
	X(INT, "int", 1, "integer addition, logic, shift, select, minimum")                    \
	X(MUL, "mul", 2, "integer multiplication, with an addition; copies of its unit")       \
	X(FLOAT, "float", 3, "32-bit floating point")                                          \
	X(HALF, "half", 4, "16-bit floating point, packed")                                    \
	X(DOUBLE, "double", 5, "64-bit floating point")                                        \
	X(CONVERT, "convert", 6, "conversion between types, population count, find bit")       \
	X(SPECIAL, "special", 7, "reciprocal, root, exponential, sine")                        \
	X(COMPARE, "compare", 8, "comparison: writes predicates")                              \
	X(MOVE, "move", 9, "copy of a value or of a constant")                                 \
	X(UNIFORM, "uniform", 10, "arithmetic on one value for all lanes")                     \
	X(CONSTANT, "constant", 11, "load of a parameter or constant")                         \
	X(SYSTEM, "system", 12, "thread or block index, clock, lane masks")                    \
	X(SHUFFLE, "shuffle", 13, "exchange between lanes")                                    \
	X(VOTE, "vote", 14, "ballot, any, all")                                                \
	X(REDUCE, "reduce", 15, "reduction over the lanes of a warp")                          \
	X(MATCH, "match", 16, "which lanes hold the same value")                               \
	X(BRANCH, "branch", 17, "branch that falls through")                                   \
	X(JUMP, "jump", 18, "branch or call that is taken")                                    \
	X(SPLIT, "split", 19, "names the place where lanes that part will join")               \
	X(JOIN, "join", 20, "diverged lanes wait for one another")                             \
	X(SYNC, "sync", 21, "synchronizes the lanes of a warp")                                \
	X(YIELD, "yield", 22, "lets other lanes of the warp go first")                         \
	X(MATRIX, "matrix", 23, "matrix product of a warp")                                    \
	X(MATCH64, "match64", 24, "which lanes hold the same value of 64 bits")                \
	X(LOOKUP, "lookup", 25, "load of constants at several addresses")                      \
	X(WIDE, "wide", 26,                                                                    \
	  "integer multiplication with a result of 64 bits, or its upper half")                \
	X(INDIRECT, "indirect", 27, "branch, call or return to an address in a register")      \
	X(MATRIX_SHORT, "matrix_short", 28, "matrix product of half as many products")         \
	X(MATRIX64, "matrix64", 29, "matrix product of 64-bit floating point")                 \
	X(TEXTURE, "texture", 30, "fetch from a texture by its filter")                        \
	X(TEXEL, "texel", 31, "load of single texels; access to a surface")

typedef enum {
#define X(constant, name, number, what) CODE_##constant = number,
	CODE_CLASSES(X)
#undef X
		N_CODE_CLASSES,
} CodeClass;

/* Whether it looks for lanes that hold the same. */
static inline bool code_is_match(CodeClass class)
{
	return class == CODE_MATCH || class == CODE_MATCH64;
}

/* Whether the code goes on elsewhere behind it. */
static inline bool code_is_taken(CodeClass class)
{
	return class == CODE_JUMP || class == CODE_INDIRECT;
}

/* Whether it goes to textures or surfaces. */
static inline bool code_is_texture(CodeClass class)
{
	return class == CODE_TEXTURE || class == CODE_TEXEL;
}

/* Whether its `line` is how many different values its lanes hold, 0: unknown. Those of a sync are masks: of groups of lanes; of a
   lookup addresses; of what goes to textures passes through their unit. */
static inline bool code_has_distinct(CodeClass class)
{
	return code_is_match(class) || class == CODE_SYNC || class == CODE_LOOKUP ||
	       code_is_texture(class);
}

/* Whether an operation of this class leaves a result somewhere; of CODE_OTHER that is not known: false. */
static inline bool code_has_result(CodeClass class)
{
	switch (class) {
	case CODE_OTHER:
	case CODE_BRANCH:
	case CODE_JUMP:
	case CODE_INDIRECT:
	case CODE_SPLIT:
	case CODE_JOIN:
	case CODE_SYNC:
	case CODE_YIELD:
		return false;
	default:
		return true;
	}
}

typedef struct {
	uint8_t class;	  /* CodeClass */
	uint8_t guard;	  /* value that says which lanes take part, or DATAFLOW_NO_VALUE */
	uint8_t n_writes; /* 0 .. DATAFLOW_MAX_WRITES */
	uint8_t n_reads;  /* 0 .. DATAFLOW_MAX_READS; without the guard */
	/* Constant that it reads: number of its line + 1; 0: none. Where code_has_distinct: how many
	   different values its lanes hold, 0 if that is not known. */
	uint16_t line;
	/* Which of the kernel's code it is, from 1 in the order of the code; 0: not known. */
	uint32_t instruction;
	const uint8_t *writes, *reads; /* values */
} CodeOperation;

/* What a warp does between two records. */
typedef struct {
	const CodeOperation *operations;
	uint32_t n_operations; /* 1 or more */
} Gap;

/* What the instruction of a site reads and writes: an access, a fence, a barrier. */
typedef struct {
	uint8_t guard; /* or DATAFLOW_NO_VALUE */
	uint8_t n_address, n_data, n_writes;
	uint32_t instruction;	/* as that of an operation */
	const uint8_t *address; /* values that its addresses are made of */
	const uint8_t *data;	/* stored, operands of an atomic */
	const uint8_t *writes;	/* loaded, result of an atomic */
} SiteFlow;

typedef struct {
	uint32_t n_values; /* 0 .. DATAFLOW_MAX_VALUES */
	uint32_t n_lines;  /* of constants: 0 .. DATAFLOW_MAX_LINES */
	uint32_t n_gaps;
	const Gap *gaps;
	uint32_t n_sites;      /* that are described: the first of the trace's */
	const SiteFlow *sites; /* site k is sites[k - 1] */
} Dataflow;

#endif
