/* SPDX-License-Identifier: MIT */
/*
 * The loops that nvcc makes for atomics that the GPU lacks in shared memory (float, half precision and 64-bit):
 *
 *   again:  LDS  old, [word]
 *           new = old (operation) operand         maximum, minimum: leaves if old stays
 *           ATOMS.CAST.SPIN ok, [word], old, new  stores if the word still is old
 *           ISETP not, ok
 *      @not BRA  again
 *
 * What the operation is says the arithmetic between load and store.
 */
#include "gpu/sass/loop-internal.h"

#include <string.h>

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

	g_autofree char *first = sass_register_of(operands[2]);
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
	g_autofree char *old = sass_register_of(sass_instruction(function, load)->operands);
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

bool sass_made_loop(const SassFunction *function, int top, int store, SassLoop *loop)
{
	loop->load = sass_find_load(function, top, store, "LDS");
	if (loop->load < 0 || !loop_operation(function, loop->load, store, loop))
		return false;

	g_autofree char *old =
		sass_register_of(sass_instruction(function, loop->load)->operands);

	loop->result = sass_is_read_behind(function, loop->branch, old);
	return true;
}
