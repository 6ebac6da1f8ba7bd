/* SPDX-License-Identifier: MIT */
/*
 * Finds the loops that nvcc makes for atomics that the GPU lacks in shared memory (float, half precision and
 * 64-bit):
 *
 *   again:  LDS  old, [word]
 *           new = old (operation) operand         maximum, minimum: leaves if old stays
 *           ATOMS.CAST.SPIN ok, [word], old, new  stores if the word still is old
 *           ISETP not, ok
 *      @not BRA  again
 *
 * What the operation is says the arithmetic between load and store.
 */
#include "gpu/sass/flow.h"

#include <string.h>

#define MAX_LOOP 64 /* instructions: nvcc's have about 10 */

/* The operand's register without its suffixes: "R8" of " -R8.reuse ". */
static char *register_of(const char *operand)
{
	const char *start = strpbrk(operand, "RU");

	return start ? g_strndup(start, strspn(start, "RUZ0123456789")) : g_strdup("");
}

static void logic_operation(const SassInstruction *instruction, SassLoop *loop)
{
	/* The truth table over the inputs a = 0xf0, b = 0xcc, c = 0xaa. */
	if (strstr(instruction->operands, "0xc0"))
		loop->operation = OPERATION_AND;
	else if (strstr(instruction->operands, "0xfc"))
		loop->operation = OPERATION_OR;
	else
		loop->operation = OPERATION_XOR;
}

/*
 * ISETP.LE.U32.AND P0, PT, operand, old, PT; @P0 BRA out: nothing to do if the operand is not
 * greater, so a maximum. Turned around by the order of the two, and by @!P0.
 */
static void compare_operation(const SassInstruction *instruction, const char *old,
			      SassLoop *loop)
{
	g_auto(GStrv) operands = g_strsplit(instruction->operands, ",", -1);
	bool less = strstr(instruction->opcode, ".L") != NULL;

	if (g_strv_length(operands) < 4)
		return;

	g_autofree char *first = register_of(operands[2]);
	bool old_is_first = strcmp(first, old) == 0;

	loop->operation = less != old_is_first ? OPERATION_MAX : OPERATION_MIN;
}

/* HADD2 that is no conversion to float, and HFMA2, whose factor is 1 then. */
static bool is_half_addition(const char *opcode)
{
	return (g_str_has_prefix(opcode, "HADD2") && !strstr(opcode, ".F32")) ||
	       g_str_has_prefix(opcode, "HFMA2");
}

/* Says what the instructions between load and store make of the old value. False: unknown. */
static bool loop_operation(const SassFunction *function, int load, int store, SassLoop *loop)
{
	const char *opcode = sass_instruction(function, store)->opcode;
	bool wide = strstr(opcode, ".64") != NULL;
	g_autofree char *old = register_of(sass_instruction(function, load)->operands);
	bool is_known = false, is_comparison = false;

	loop->type = wide ? TYPE_U64 : TYPE_U32;
	for (int i = load + 1; i < store; i++) {
		const SassInstruction *instruction = sass_instruction(function, i);

		if (g_str_has_prefix(instruction->opcode, "FADD") ||
		    g_str_has_prefix(instruction->opcode, "DADD")) {
			loop->operation = OPERATION_ADD;
			loop->type = wide ? TYPE_F64 : TYPE_F32;
			loop->add = i;
			return true;
		}
		/* Pairs of half precision, or one of a pair: the word is swapped whole. */
		if (is_half_addition(instruction->opcode) && !wide) {
			loop->operation = OPERATION_ADD;
			loop->type =
				strstr(instruction->opcode, "BF16") ? TYPE_BF16X2 : TYPE_F16X2;
			return true;
		}
		if (g_str_has_prefix(instruction->opcode, "ISETP")) {
			/* The second of a pair compares the high words, and knows the sign. */
			if (!is_comparison)
				compare_operation(instruction, old, loop);
			if (strstr(instruction->opcode, ".EX"))
				loop->type = strstr(instruction->opcode, ".U32") ? TYPE_U64
										 : TYPE_S64;
			is_comparison = is_known = true;
		} else if (!is_known && g_str_has_prefix(instruction->opcode, "LOP3")) {
			logic_operation(instruction, loop);
			is_known = true;
		} else if (!is_known && g_str_has_prefix(instruction->opcode, "IADD")) {
			loop->operation = OPERATION_ADD;
			is_known = true;
		}
	}
	return is_known;
}

/* Whether the register is read, before it is written, behind `index` in the text's order. */
static bool is_read_behind(const SassFunction *function, int index, const char *name)
{
	for (guint i = index + 1; i < function->instructions->len; i++) {
		const SassInstruction *instruction = sass_instruction(function, i);
		g_auto(GStrv) operands = g_strsplit(instruction->operands, ",", -1);
		bool is_store = g_str_has_prefix(instruction->opcode, "ST");
		bool is_written = false;

		for (guint k = 0; operands[k]; k++) {
			const char *found = strstr(operands[k], name);

			if (!found || g_ascii_isdigit(found[strlen(name)]) ||
			    (found > operands[k] && found[-1] == 'U'))
				continue;
			if (k > 0 || is_store || *g_strchug(operands[k]) == '[')
				return true;
			is_written = true;
		}
		if (is_written)
			return false;
	}
	return false;
}

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

/*
 * A program's own loop: the result of its compare-and-swap decides whether it goes round again,
 * and nothing else in it is recorded but loads.
 */
static bool is_own_loop(const SassFunction *function, int top, int swap, int branch)
{
	g_autofree char *old = register_of(sass_instruction(function, swap)->operands);
	bool is_compared = false;

	for (int i = top; i <= branch; i++) {
		const SassInstruction *instruction = sass_instruction(function, i);
		bool is_load = g_str_has_prefix(instruction->opcode, "LDS");

		if (i != swap && instruction->recorded && !is_load)
			return false;
		if (i > swap && g_str_has_prefix(instruction->opcode, "ISETP")) {
			g_auto(GStrv) operands = g_strsplit(instruction->operands, ",", -1);

			/* Behind the two predicates. */
			for (guint k = 2; k < g_strv_length(operands); k++) {
				g_autofree char *name = register_of(operands[k]);

				is_compared |= strcmp(name, old) == 0;
			}
		}
	}
	return is_compared && sass_instruction(function, branch)->conditional;
}

static int find_load(const SassFunction *function, int from, int store)
{
	for (int i = from; i < store; i++)
		if (g_str_has_prefix(sass_instruction(function, i)->opcode, "LDS"))
			return i;
	return -1;
}

/* Where an attempt of a program's own loop begins: at the load of the same word, if it loads it. */
static int find_own_load(const SassFunction *function, int from, int swap)
{
	const char *word = strchr(sass_instruction(function, swap)->operands, '[');
	int load = find_load(function, from, swap);
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

void sass_find_loops(SassFunction *function)
{
	for (guint store = 0; store < function->instructions->len; store++) {
		SassLoop loop = {.add = -1};

		const SassInstruction *instruction = sass_instruction(function, store);
		bool is_own = g_str_has_prefix(instruction->opcode, "ATOMS.CAS") &&
			      !g_str_has_prefix(instruction->opcode, "ATOMS.CAST");

		if (!is_own && !g_str_has_prefix(instruction->opcode, "ATOMS.CAST.SPIN"))
			continue;
		loop.branch = find_back(function, store);
		if (loop.branch < 0)
			continue;

		int top = sass_instruction(function, loop.branch)->target;

		if (is_own) {
			loop.load = find_own_load(function, top, store);
			if (!is_own_loop(function, top, store, loop.branch) ||
			    !compares_anew(function, top, store, loop.branch) ||
			    !sass_atomic(instruction, &loop.operation, &loop.type,
					 &loop.result))
				continue;
		} else {
			loop.load = find_load(function, top, store);
			if (loop.load < 0 || !loop_operation(function, loop.load, store, &loop))
				continue;

			g_autofree char *old =
				register_of(sass_instruction(function, loop.load)->operands);

			loop.result = is_read_behind(function, loop.branch, old);
		}
		for (int i = top; i <= loop.branch; i++)
			g_array_index(function->instructions, SassInstruction, i).loop =
				(int)function->loops->len;
		g_array_append_val(function->loops, loop);
	}
}
