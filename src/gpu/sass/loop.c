/* SPDX-License-Identifier: MIT */
/*
 * Finds retry loops: those that nvcc makes (made-loop.c), and a program's own loops of compare-and-swaps that lanes leave by success
 * alone, so that how often they go round is the machine's to say: updates.
 */
#include "gpu/sass/flow.h"
#include "gpu/sass/loop-internal.h"

#include <string.h>

#define MAX_LOOP 64 /* instructions: nvcc's have about 10 */

static int find_back(const SassFunction *function, int store)
{
	int last = MIN((int)function->instructions->len, store + MAX_LOOP);

	for (int i = store + 1; i < last; i++) {
		const SassInstruction *instruction = sass_instruction(function, i);

		if (instruction->flow == SASS_BRANCH && instruction->target <= store &&
		    instruction->target >= store - MAX_LOOP)
			return i;
	}
	return -1;
}

static bool is_shared(const SassInstruction *instruction)
{
	return g_str_has_prefix(instruction->opcode, "ATOMS") ||
	       g_str_has_prefix(instruction->opcode, "LDS");
}

/* Whether lanes can leave the loop here, other than by its last instruction. */
static bool leaves(const SassInstruction *instruction, int top, int branch)
{
	switch (instruction->flow) {
	case SASS_BRANCH:
		return instruction->target < top || instruction->target > branch;
	case SASS_CALL:
	case SASS_RETURN:
	case SASS_EXIT:
	case SASS_INDIRECT:
		return true;
	default:
		return false;
	}
}

/*
 * A program's own loop: the result of its compare-and-swap decides whether it goes round again,
 * and nothing else in it is recorded but loads; of one on global memory a load of its word.
 */
static bool is_own_loop(const SassFunction *function, int top, int swap, int load, int branch)
{
	g_autofree char *old = sass_register_of(sass_instruction(function, swap)->operands);
	bool shared = is_shared(sass_instruction(function, swap)), is_compared = false;

	for (int i = top; i <= branch; i++) {
		const SassInstruction *instruction = sass_instruction(function, i);
		bool may_be = i == swap ||
			      (shared ? is_shared(instruction) && instruction->opcode[0] == 'L'
				      : i == load);

		if ((instruction->recorded && !may_be) ||
		    (i < branch && leaves(instruction, top, branch)))
			return false;
		if (i > swap && g_str_has_prefix(instruction->opcode, "ISETP")) {
			g_auto(GStrv) operands = g_strsplit(instruction->operands, ",", -1);

			/* Behind the two predicates. */
			for (guint k = 2; k < g_strv_length(operands); k++) {
				g_autofree char *name = sass_register_of(operands[k]);

				is_compared |= strcmp(name, old) == 0;
			}
		}
	}
	return is_compared && sass_instruction(function, branch)->conditional;
}

/* Where an attempt of a program's own loop begins: at the load of the same word, if it loads it. */
static int find_own_load(const SassFunction *function, int from, int swap)
{
	const SassInstruction *instruction = sass_instruction(function, swap);
	const char *prefix = is_shared(instruction) ? "LDS" : "LD";
	const char *word = strchr(instruction->operands, '[');
	int load = sass_find_load(function, from, swap, prefix);
	const char *loaded =
		load < 0 ? NULL : strchr(sass_instruction(function, load)->operands, '[');
	gsize n = word ? strcspn(word, "]") : 0;

	return loaded && word && strncmp(loaded, word, n) == 0 ? load : swap;
}

/* Whether the instruction writes the value; *made: of something, not a constant. */
static bool writes(const SassFunction *function, int index, uint16_t value, bool *made)
{
	const SassInstruction *instruction = sass_instruction(function, index);
	SassFlowUse use;

	sass_use(instruction, &use);
	*made = use.reads.n > 0 || use.address.n > 0 || instruction->recorded;
	for (uint8_t i = 0; i < use.writes.n; i++)
		if (use.writes.values[i] == value)
			return true;
	return false;
}

/* Whether what the swap compares with is made in the loop, of what was found. A loop that always compares
   with the same looks for something, and each of its swaps is one of the program's. */
static bool compares_anew(const SassFunction *function, int top, int swap, int branch)
{
	const SassInstruction *instruction = sass_instruction(function, swap);
	const char *address_end = strchr(instruction->operands, ']');
	SassFlowUse use;
	bool made;

	sass_use(instruction, &use);
	if (!address_end || use.data.n == 0 || g_str_has_prefix(address_end, "], RZ"))
		return false;
	/* The last write before the swap; else the last of the round before. */
	for (int i = swap - 1; i >= top; i--)
		if (writes(function, i, use.data.values[0], &made))
			return made;
	for (int i = branch; i >= swap; i--)
		if (writes(function, i, use.data.values[0], &made))
			return made;
	return false;
}

static bool is_own_swap(const SassInstruction *instruction)
{
	return g_str_has_prefix(instruction->opcode, "ATOM") &&
	       strstr(instruction->opcode, ".CAS") && !strstr(instruction->opcode, ".CAST");
}

/* Fills what is to be known of a program's own loop. */
static bool own_loop(const SassFunction *function, int top, int swap, SassLoop *loop)
{
	const SassInstruction *instruction = sass_instruction(function, swap);
	g_autofree char *old = sass_register_of(instruction->operands);

	loop->load = find_own_load(function, top, swap);
	if (!is_own_loop(function, top, swap, loop->load, loop->branch) ||
	    !compares_anew(function, top, swap, loop->branch) ||
	    !sass_atomic(instruction, &loop->operation, &loop->type, &loop->result))
		return false;
	loop->operation = OPERATION_UPDATE;
	loop->result = sass_is_read_behind(function, loop->branch, old);
	return true;
}

void sass_find_loops(SassFunction *function)
{
	for (guint store = 0; store < function->instructions->len; store++) {
		SassLoop loop = {.add = -1};

		const SassInstruction *instruction = sass_instruction(function, store);
		bool is_own = is_own_swap(instruction);

		if (!is_own && !g_str_has_prefix(instruction->opcode, "ATOMS.CAST.SPIN"))
			continue;
		loop.branch = find_back(function, store);
		if (loop.branch < 0)
			continue;

		int top = sass_instruction(function, loop.branch)->target;

		if (is_own ? !own_loop(function, top, store, &loop)
			   : !sass_made_loop(function, top, store, &loop))
			continue;
		for (int i = top; i <= loop.branch; i++)
			g_array_index(function->instructions, SassInstruction, i).loop =
				(int)function->loops->len;
		g_array_append_val(function->loops, loop);
	}
}
