/* SPDX-License-Identifier: MIT */
/*
 * What an instruction waits for besides what it reads. A warp has six scoreboards, counters of results that are under way. The compiler
 * names one for each result that comes when it comes, of a load, a root or an index; six are fewer than most programs have under way, so
 * results share them. Who reads one of these waits until the counter is zero, so for the others, too: the first sum of eight loads for the
 * last of them.
 */
#include "gpu/sass/flow.h"

#define MOST_BACK 256 /* instructions that are searched */
#define MOST	  4   /* results of each scoreboard that are found: the last ones */

/* Where the code of sm_70 to sm_100 has them (Huerta et al., MICRO 2025): bits 110 and 116 of 128. */
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

/* Whether what follows it in the text does not follow it as the warp goes. */
static bool goes_elsewhere(const SassInstruction *instruction)
{
	return !instruction->conditional &&
	       (instruction->flow == SASS_BRANCH || instruction->flow == SASS_EXIT ||
		instruction->flow == SASS_RETURN || instruction->flow == SASS_INDIRECT);
}

/* Of one scoreboard, backwards from `index` to who waited for it last. A value that something else has written since is none of its. */
static void find_results(const SassFunction *function, int index, int scoreboard,
			 SassValues *values)
{
	SassValues overwritten = {0};
	int n = 0;

	for (int i = index - 1; i >= 0 && i >= index - MOST_BACK && n < MOST; i--) {
		const SassInstruction *other = sass_instruction(function, i);
		SassFlowUse use;

		if (goes_elsewhere(other))
			return;
		sass_use(other, &use);
		if (other->scoreboard == scoreboard && use.writes.n > 0 &&
		    !sass_has_value(&overwritten, use.writes.values[0])) {
			if (!sass_has_value(values, use.writes.values[0]) &&
			    values->n < SASS_MAX_USES)
				values->values[values->n++] = use.writes.values[0];
			n++;
		}
		for (uint8_t k = 0; k < use.writes.n && overwritten.n < SASS_MAX_USES; k++)
			overwritten.values[overwritten.n++] = use.writes.values[k];
		if (other->waits >> scoreboard & 1)
			return;
	}
}

void sass_waits(const SassFunction *function, int index, SassValues *values)
{
	const SassInstruction *instruction = sass_instruction(function, index);

	values->n = 0;
	for (int i = 0; i < SASS_N_SCOREBOARDS; i++)
		if (instruction->waits >> i & 1)
			find_results(function, index, i, values);
}
