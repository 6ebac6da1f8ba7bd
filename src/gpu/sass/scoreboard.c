/* SPDX-License-Identifier: MIT */
/*
 * What an instruction waits for besides what it reads. A warp has six scoreboards, counters of results that are under way. The compiler
 * names one for each result that comes when it comes, of a load, a root or an index; six are fewer than most programs have under way, so
 * results share them. Who reads one of these waits until the counter is zero, so for the others, too: the first sum of eight loads for the
 * last of them.
 * Not looked at: waits for a count above zero (DEPBAR), what a called function leaves under way, and other loops than the innermost.
 */
#include "gpu/sass/flow.h"

#define MOST_AWAY 256 /* instructions that are searched, and to a loop's end */
#define MOST	  4   /* results of each scoreboard that are found: the last ones */

/* Bits 110 and 116 of 128. What they do: Huerta et al., MICRO 2025; that first readers wait so: tests/test-capture-flow.c, on code of sm_90. */
#define COUNTS_ON_BIT 46
#define WAITS_BIT     52

void sass_set_scoreboards(SassFunction *function, uint64_t upper)
{
	const unsigned counts_on = upper >> COUNTS_ON_BIT & 7;
	GArray *instructions = function->instructions;
	SassInstruction *instruction;

	if (instructions->len == 0)
		return;
	instruction = &g_array_index(instructions, SassInstruction, instructions->len - 1);
	instruction->scoreboard = counts_on < SASS_N_SCOREBOARDS ? (int)counts_on : -1;
	instruction->waits = upper >> WAITS_BIT & ((1u << SASS_N_SCOREBOARDS) - 1);
}

/* A search backwards for what counts on one scoreboard. */
typedef struct {
	const SassFunction *function;
	int scoreboard;
	int left; /* results to find */
	bool overwritten
		[SASS_N_VALUES]; /* by what comes between: none of the results that are looked for */
} Search;

/* Whether what precedes it in the text is not what the warp has run before what follows it, or is not known to be. */
static bool parts(const SassInstruction *instruction)
{
	return instruction->flow == SASS_CALL ||
	       (!instruction->conditional &&
		(instruction->flow == SASS_BRANCH || instruction->flow == SASS_EXIT ||
		 instruction->flow == SASS_RETURN || instruction->flow == SASS_INDIRECT));
}

G_STATIC_ASSERT(SASS_N_SCOREBOARDS *MOST <= SASS_MAX_USES);

/* From instruction `from` back to `to`. True: what lies before cannot be under way, or is not looked for. */
static bool search(Search *search, int from, int to, SassValues *values)
{
	for (int i = from; i >= to; i--) {
		const SassInstruction *other = sass_instruction(search->function, i);
		SassFlowUse use;

		if (parts(other))
			return true;
		sass_use(other, &use);
		if (other->scoreboard == search->scoreboard && use.writes.n > 0 &&
		    !search->overwritten[use.writes.values[0]]) {
			if (!sass_has_value(values, use.writes.values[0]))
				values->values[values->n++] = use.writes.values[0];
			search->left--;
		}
		for (uint8_t k = 0; k < use.writes.n; k++)
			search->overwritten[use.writes.values[k]] = true;
		if (search->left == 0 || other->waits >> search->scoreboard & 1)
			return true;
	}
	return false;
}

/* The branch that ends the innermost loop around the instruction; -1: none near. */
static int loop_end(const SassFunction *function, int index)
{
	const int n = (int)function->instructions->len;

	for (int i = index; i < n && i <= index + MOST_AWAY; i++) {
		const SassInstruction *other = sass_instruction(function, i);

		if (other->flow == SASS_BRANCH && other->target >= 0 && other->target <= index)
			return i;
	}
	return -1;
}

void sass_waits(const SassFunction *function, int index, SassValues *values)
{
	const SassInstruction *instruction = sass_instruction(function, index);
	const int end = instruction->waits ? loop_end(function, index) : -1;
	const int first = end < 0 ? 0 : sass_instruction(function, end)->target;

	values->n = 0;
	for (int i = 0; i < SASS_N_SCOREBOARDS; i++) {
		if (!(instruction->waits >> i & 1))
			continue;

		Search one = {.function = function, .scoreboard = i, .left = MOST};

		/* A round follows another; what is under way before the first has the same registers. */
		if (!search(&one, index - 1, MAX(first, index - MOST_AWAY), values) && end >= 0)
			search(&one, end - 1, index, values);
	}
}
