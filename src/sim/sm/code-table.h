/* SPDX-License-Identifier: MIT */
/* The instructions of a trace's operations, numbered without gaps, and the lines that they are in. Who may include it: sim only. */
#ifndef ATOMSIM_SIM_CODE_TABLE_H
#define ATOMSIM_SIM_CODE_TABLE_H

#include "base/dataflow.h"
#include "model/issue/issue.h"

/* Of a line: 128 bytes of 16 each. */
#define CODE_LINE_INSTRUCTIONS 8

/* What a trace's operations have. */
typedef struct {
	uint32_t n_code;   /* different instructions */
	uint32_t n_lines;  /* of them; 0 also if there are more than any code has */
	uint32_t n_jumps;  /* branches without a number that a gap goes on behind */
	uint32_t *places;  /* of each line in turn: lines from the start of the code */
	uint32_t *line_of; /* of each instruction: its line, from 1; 0: it has no number */
} CodeTable;

/* Numbers the instructions, lines and branches of the dataflow's operations. */
void code_table_init(CodeTable *table, const Dataflow *dataflow, IssueOperation *operations,
		     uint32_t n_operations);
void code_table_clear(CodeTable *table);

#endif
