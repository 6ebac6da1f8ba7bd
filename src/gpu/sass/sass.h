/* SPDX-License-Identifier: MIT */
/*
 * The machine code of a captured module, read from nvdisasm's text: which operation each
 * instruction is, which source line it comes from, and how many instructions lie between two
 * of them. The sanitizer reports addresses but none of this.
 *
 * Pure text processing, no GPU. For capture/ and its tests.
 */
#ifndef ATOMSIM_GPU_SASS_SASS_H
#define ATOMSIM_GPU_SASS_SASS_H

#include <stdbool.h>
#include <stdint.h>
#include <glib.h>

#include "trace/format.h"

/* Values that instructions name (flow.h): R0.. from 0, UR0.. from SASS_UNIFORM, P0.. and UP0.. from
   the others. */
#define SASS_UNIFORM	       256
#define SASS_PREDICATE	       384
#define SASS_UNIFORM_PREDICATE 400
#define SASS_N_VALUES	       416
#define SASS_N_SCOREBOARDS     6 /* of a warp */

#define SASS_INSTRUCTION_BYTES 16 /* of Volta and later */

#define SASS_N_BARRIERS 16 /* registers that hold which lanes will join */

typedef enum {
	SASS_NEXT,     /* goes on to the next instruction */
	SASS_BRANCH,   /* to the target, else to the next */
	SASS_CALL,     /* to the target; the next when that returns */
	SASS_RETURN,   /* to behind a call */
	SASS_EXIT,     /* ends the thread */
	SASS_INDIRECT, /* to where the text does not say */
	SASS_SPLIT,    /* names where lanes that part will join: BSSY */
	SASS_JOIN,     /* lanes wait there for each other: BSYNC */
	SASS_LEAVE,    /* lanes will not come to where the others wait: BREAK */
} SassFlow;

/* What a conversion asks of an opcode for each step of a warp. */
typedef enum {
	SASS_PLAIN,
	SASS_FENCE,	 /* MEMBAR */
	SASS_ARRIVAL,	 /* BAR.ARV: at a barrier, without waiting; no event has it */
	SASS_MOVE_JOINS, /* BMOV */
	SASS_EXCLUSIVE, /* WARPSYNC.EXCLUSIVE: groups of lanes with different masks go on one after the other */
	/* Takes longer with every different value that its lanes hold: a search (MATCH), a mask of lanes (WARPSYNC), an address of
	   constants that a register has (LDC). */
	SASS_DISTINCT,
	SASS_GENERIC, /* LD, ST: says only when it runs which memory it is to */
	SASS_TEXTURE, /* of textures and surfaces: no event has where */
} SassSpecial;

/* A function that was linked to a kernel's text (link.h). */
typedef struct {
	const char *name; /* mangled */
	uint64_t pc;	  /* of its first instruction */
	uint64_t bytes;
	uint32_t offset;       /* of its first instruction in the linked text */
	GByteArray *constants; /* as a SassFunction's */
} SassPart;

/* Strings belong to the Sass. Indexes count a function's instructions from 0. */
typedef struct {
	uint32_t offset;      /* bytes from the function's start */
	const SassPart *part; /* of the linked text that it is of; NULL: the kernel's own */
	const char *opcode;   /* with its suffixes: "ATOMS.POPC.INC.32" */
	const char *operands; /* "RZ, [R9+URZ]"; "" if none */
	SassFlow flow;
	SassSpecial special;
	bool conditional; /* has a predicate, so lanes, or all lanes, may skip it */
	bool recorded;	  /* makes an event when a lane executes it */
	bool stepped; /* the same since version 2 of raw captures: shuffles, syncs of the warp,
			     calls, returns */
	int guard;    /* value of flow.h: predicate of the lanes that execute it; -1: all do */
	bool guard_negated;
	int barrier; /* of SPLIT, JOIN, LEAVE: number of the place's register */
	int target;  /* index of the branch's or call's target, -1 if unknown */
	/* Its result counts on this, 0 .. SASS_N_SCOREBOARDS - 1; -1: none, or not known. */
	int scoreboard;
	unsigned waits; /* a bit for each: until nothing counts on that scoreboard */
	bool by_value; /* INDIRECT, CALL, RETURN: a register says how far from the function's start */
	/* Of INDIRECT: its targets are first_target .. of the function's list; 0: not known. */
	guint first_target, n_targets;
	int loop;	  /* index in loops of the retry loop that it is in, -1 if none */
	const char *file; /* source line, NULL and 0 if unknown */
	uint32_t line;
} SassInstruction;

/*
 * A loop that the compiler makes for an atomic that the GPU does not have: load the word,
 * compute, store if nobody changed it, else again. One logical atomic.
 */
typedef struct {
	int load;   /* index of the load, where each attempt begins */
	int branch; /* of the branch back, the loop's last instruction */
	int add;    /* of a floating-point addition in nvcc's loop; -1: another operation */
	Operation operation;
	ValueType type;
	bool result; /* the old value is used after the loop */
} SassLoop;

typedef struct {
	const char *name;      /* mangled */
	bool marked;	       /* no code: the marks of a program that recorded itself */
	GArray *instructions;  /* SassInstruction */
	GArray *loops;	       /* SassLoop */
	GArray *targets;       /* int: of indirect branches */
	GArray *entries;       /* int: where functions begin that are called by address */
	GByteArray *constants; /* of its tables, constant bank 2; NULL: not known */
	GPtrArray *parts;      /* SassPart: functions linked to it */
	GHashTable *paths;     /* (from, to) -> instructions between, kept by sass_path */
} SassFunction;

typedef struct {
	GStringChunk *strings;
	GPtrArray *functions; /* SassFunction */
	unsigned target;      /* 90 of "sm_90"; 0: not said */
	bool marked;	      /* the text has .marked: functions that follow are marked */
	GHashTable *tables;   /* name of a function -> GByteArray: its constant bank 2 */
} Sass;

/* A function without instructions, which is of no Sass; `name` must live as long. */
SassFunction *sass_function_make(const char *name);
void sass_function_free(SassFunction *function);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SassFunction, sass_function_free)

/* An empty one, and a function of it without instructions: for the parser. */
Sass *sass_new(void);
SassFunction *sass_function_new(Sass *sass, const char *name);
/* Sets flow, special, conditional, recorded, stepped, barrier and by_value by opcode and operands. */
void sass_set_flow(SassInstruction *instruction);

/* Sets scoreboard and waits of the function's last instruction by the upper half of its 128 bits. */
void sass_set_scoreboards(SassFunction *function, uint64_t upper);

/* Reads the output of `nvdisasm --print-code --print-line-info-inline --print-instruction-encoding`, and sections .nv.constant2 as nvdisasm
   prints them, if they are in it. Lines that it does not know are skipped: text without instructions gives no
   functions, not an error. */
Sass *sass_parse(const char *text);
void sass_free(Sass *sass);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sass, sass_free)

/* NULL if the module has no such function. */
SassFunction *sass_function(const Sass *sass, const char *name);
/* Each file of a linked module may have a function of the name for itself: the one behind `n` others; NULL: there is none. */
SassFunction *sass_nth_function(const Sass *sass, const char *name, guint n);

/* The label that operands name, .L_x_1 of "B3, `(.L_x_1)"; NULL: none. Free with g_free. */
char *sass_label(const char *operands);

/* Index of the instruction at a byte offset, -1 if there is none. */
int sass_find(const SassFunction *function, uint64_t offset);

static inline const SassInstruction *sass_instruction(const SassFunction *function, int index)
{
	return &g_array_index(function->instructions, SassInstruction, index);
}

/* What an atomic does. Returns false if it is none that records can say. */
bool sass_atomic(const SassInstruction *instruction, Operation *operation, ValueType *type,
		 bool *result);
/* Whether the SM gets an answer to this atomic on global memory and its warp has not ended before: of an H200 32 blocks of 256 threads
   that exchange one word are busy for 12,600 cycles, whether the old value is used or not (that add to it by RED, 680). */
bool sass_is_answered(const SassInstruction *instruction);

/* Instructions that access shared memory, or wait, without an event: says them in `words`, "12 of tensor copies
   (TMA), ...", which stays as it is if there are none. Returns how many. */
guint sass_count_bulk(const SassFunction *function, GString *words);

/* Sets the function's loops and the instructions' loop. sass_parse calls it. */
void sass_find_loops(SassFunction *function);

/* Appends to `successors` (of int) the instructions that may follow `index`. */
void sass_successors(const SassFunction *function, int index, GArray *successors);

/* Number of instructions that a warp executes after `from` (-1: since the function's start) and
   before `to`, on the shortest way that passes no recorded instruction which would have made
   an event. -1 if there is no such way. */
int sass_path(SassFunction *function, int from, int to);

#endif
