/* SPDX-License-Identifier: MIT */
/*
 * Atomics in the machine code. The forms were seen in code that nvcc 13.0 makes for sm_75 to
 * sm_100 (tests/capture/forms.cu):
 *
 *   ATOMS.ADD R1, [R2], R3           operation; .64, .S32, .S64, .F32, .F64 for the type
 *   ATOMS.POPC.INC.32 RZ, [R2+URZ]   add of 1; lanes of one word are added up on the way
 *   ATOMS.CAST.SPIN R1, [R2], R3, R4 compare and store, of a loop that the compiler made
 *   ATOM, ATOMG, RED, REDG           the same on generic and global addresses
 */
#include "capture/sass/sass.h"

#include <string.h>

/* True if one of the opcode's suffixes is `suffix`. */
static bool has_suffix(const char *opcode, const char *suffix)
{
	size_t n = strlen(suffix);

	for (const char *dot = strchr(opcode, '.'); dot; dot = strchr(dot + 1, '.'))
		if (strncmp(dot + 1, suffix, n) == 0 &&
		    (dot[1 + n] == '.' || dot[1 + n] == '\0'))
			return true;
	return false;
}

static bool atomic_type(const char *opcode, ValueType *type)
{
	static const struct {
		const char *suffix;
		ValueType type;
	} types[] = {{"S32", TYPE_S32}, {"S64", TYPE_S64}, {"U64", TYPE_U64},
		     {"64", TYPE_U64},	{"F32", TYPE_F32}, {"F64", TYPE_F64}};

	if (strstr(opcode, ".F16") || strstr(opcode, ".BF16") || strstr(opcode, ".128"))
		return false;
	*type = TYPE_U32;
	for (guint i = 0; i < G_N_ELEMENTS(types); i++)
		if (has_suffix(opcode, types[i].suffix)) {
			*type = types[i].type;
			break;
		}
	return true;
}

static bool atomic_operation(const char *opcode, Operation *operation)
{
	static const struct {
		const char *suffix;
		Operation operation;
	} operations[] = {
		{"POPC", OPERATION_ADD}, /* before INC, which it also has */
		{"ADD", OPERATION_ADD},	 {"INC", OPERATION_INC}, {"DEC", OPERATION_DEC},
		{"MIN", OPERATION_MIN},	 {"MAX", OPERATION_MAX}, {"AND", OPERATION_AND},
		{"OR", OPERATION_OR},	 {"XOR", OPERATION_XOR}, {"EXCH", OPERATION_EXCH},
		{"CAS", OPERATION_CAS},	 {"CAST", OPERATION_CAS}};

	for (guint i = 0; i < G_N_ELEMENTS(operations); i++)
		if (has_suffix(opcode, operations[i].suffix)) {
			*operation = operations[i].operation;
			return true;
		}
	return false;
}

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
	return atomic_operation(instruction->opcode, operation) &&
	       atomic_type(instruction->opcode, type);
}
