/* SPDX-License-Identifier: MIT */
/*
 * Lines of 64 bytes of constants, which an SM's caches have from the first use in a launch on (sm.issue.constant_*, imc_miss_cycles):
 * loads wait for them by their results, operands before their issue, each scheduler for itself. One unit brings both kinds, one line
 * after the other (measurements/h200/starts.csv, kernel `parameters`), in the order in which the simulation gets to them: a warp that will
 * need a line in some cycles may be served before one that asks now.
 */
#ifndef ATOMSIM_SIM_CONSTANT_LINES_H
#define ATOMSIM_SIM_CONSTANT_LINES_H

#include "base/record.h"
#include "model/shared/shared.h"
#include "model/issue/issue.h"

/* Bytes of a module's constants that come to an SM together (measurements/h200/first-touch.csv). */
#define CONSTANT_GROUP_BYTES 256

typedef struct {
	const IssueParameters *parameters;
	uint32_t n_lines, n_schedulers;
	/* Of a module's constants: the group of each line, from 1, 0: it is in none; when each group is there, 0: nobody has asked. */
	uint16_t *group;
	Cycle *group_at;
	uint32_t group_cycles, first_group_cycles; /* of a group; of the first one more */
	Cycle *load_at;	   /* of each line that loads have touched; 0: none yet */
	Cycle *operand_at; /* the same of each scheduler, of lines that operands have touched */
	Cycle *fill_at; /* the unit began with a line for operands, of all schedulers together, one cycle before */
	Cycle *indexed_at; /* the same of each instruction that loads an indexed constant */
	/* Of a launch with more lines than an SM holds: when each was used last, counted in uses, 0: the SM does not have it; whether it has
	   lost it before; NULL: all are held. */
	uint64_t *used;
	bool *lost;
	uint64_t n_uses, n_lost;
	uint32_t n_held;
	bool *late; /* of each line: it comes `late_cycles` after one that is asked for when the SM begins; NULL: none does */
	uint32_t late_cycles;
	Cycle begun;	 /* the SM's first warp starts; NEVER: none has yet */
	Cycle last_load; /* of the last line that a load has asked for */
	/* Time between lines for loads, to a line for an operand, and in which the unit serves all schedulers that want one. */
	uint32_t load_cycles, operand_cycles, operand_fill_cycles;
	Cycle fill_free; /* the unit takes the next request */
} ConstantLines;

/* parameters outlive it. n_code: different instructions (CodeTable). */
void constant_lines_init(ConstantLines *lines, const IssueParameters *parameters,
			 uint32_t n_lines, uint32_t n_code, uint32_t n_schedulers);
void constant_lines_clear(ConstantLines *lines);
/* Who asks for lines together with this SM: `n_sms` SMs, itself included, of each of which n_schedulers have warps. */
void constant_lines_share(ConstantLines *lines, uint32_t n_sms, uint32_t n_schedulers);

/* Lines of parameters from byte `from` of their bank on come later by these cycles; 0: none does. */
void constant_lines_delay_parameters(ConstantLines *lines, const KernelParameters *parameters,
				     uint32_t from, uint32_t cycles);

/* Which lines are of the module's constants, and what their groups take. n: of places, by line. */
void constant_lines_group(ConstantLines *lines, const ConstantPlace *places, uint32_t n,
			  uint32_t cycles, uint32_t first_cycles);

/* A warp of the SM starts. */
static inline void constant_lines_begin(ConstantLines *lines, Cycle at)
{
	if (lines->begun == NEVER)
		lines->begun = at;
}

/* When a warp of scheduler k that has all values that its operation reads can issue it, at `at` at the earliest: the line that an
   operand names, or that it loads for the warp as a whole, must be there. */
Cycle constant_lines_operand_at(ConstantLines *lines, uint32_t k,
				const IssueOperation *operation, Cycle at);
/* How much longer a load at `now` takes because its line is not there yet. */
Cycle constant_lines_load_wait(ConstantLines *lines, const IssueOperation *operation,
			       Cycle now);

/* When the line is there that an operand of the operation names, for scheduler k. NULL: its issue waits for none. */
static inline Cycle *constant_lines_of_operand(const ConstantLines *lines, uint32_t k,
					       const IssueOperation *operation)
{
	if (!operation->names_line || lines->operand_cycles == 0)
		return NULL;
	return &lines->operand_at[(size_t)k * lines->n_lines + operation->line - 1];
}

#endif
