/* SPDX-License-Identifier: MIT */
/*
 * Atomics in the machine code. The forms were seen in code that nvcc 13.0 makes for sm_75 to
 * sm_100 (tests/capture/forms.cu):
 *
 *   ATOMS.ADD R1, [R2], R3           operation; .64, .S32, .S64, .F32, .F64 for the type
 *   ATOMS.POPC.INC.32 RZ, [R2+URZ]   add of 1; lanes of one word are added up on the way
 *   ATOMS.CAST.SPIN R1, [R2], R3, R4 compare and store, of a loop that the compiler made
 *   ATOM, ATOMG, RED, REDG           the same on generic and global addresses
 *
 * What has no RED is an ATOM whether its old value is used or not: exchanges, compare-and-swaps, and additions of pairs of half
 * precision on generic addresses, whose predicate says that the word is in global memory.
 */
#include "gpu/sass/sass.h"

#include <string.h>

#include "base/sass-suffix.h"

/* The register that gets the old value is the first that is no predicate; RZ takes nothing. */
static bool has_result(const SassInstruction *instruction)
{
	g_auto(GStrv) operands = g_strsplit(instruction->operands, ",", -1);

	if (g_str_has_prefix(instruction->opcode, "RED"))
		return false;
	for (char **operand = operands; *operand; operand++) {
		g_strstrip(*operand);
		if ((*operand)[0] == 'R')
			return strcmp(*operand, "RZ") != 0;
		if ((*operand)[0] == '[')
			return false;
	}
	return false;
}

bool sass_atomic(const SassInstruction *instruction, Operation *operation, ValueType *type,
		 bool *result)
{
	if (!instruction->recorded || (!g_str_has_prefix(instruction->opcode, "ATOM") &&
				       !g_str_has_prefix(instruction->opcode, "RED")))
		return false;
	*result = has_result(instruction);
	return sass_operation(instruction->opcode, operation) &&
	       sass_value_type(instruction->opcode, type);
}

bool sass_is_answered(const SassInstruction *instruction)
{
	return !g_str_has_prefix(instruction->opcode, "RED");
}
