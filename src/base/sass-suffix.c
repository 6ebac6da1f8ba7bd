/* SPDX-License-Identifier: MIT */
#include "base/sass-suffix.h"

#include <glib.h>
#include <string.h>

/* Conversions of captures ask millions of times: no calls. */
bool sass_has_suffix(const char *opcode, const char *suffix)
{
	for (; *opcode; opcode++) {
		const char *a = opcode + 1, *b = suffix;

		if (*opcode != '.')
			continue;
		for (; *b && *a == *b; b++)
			a++;
		if (*b == '\0' && (*a == '.' || *a == '\0'))
			return true;
	}
	return false;
}

bool sass_operation(const char *opcode, Operation *operation)
{
	static const struct {
		const char *suffix;
		Operation operation;
	} operations[] = {
		/* ATOMS.POPC.INC adds the number of lanes that name the word: an add of 1 of each. */
		{"POPC", OPERATION_ADD},  {"ADD", OPERATION_ADD}, {"INC", OPERATION_INC},
		{"DEC", OPERATION_DEC},	  {"MIN", OPERATION_MIN}, {"MAX", OPERATION_MAX},
		{"AND", OPERATION_AND},	  {"OR", OPERATION_OR},	  {"XOR", OPERATION_XOR},
		{"EXCH", OPERATION_EXCH}, {"CAS", OPERATION_CAS}, {"CAST", OPERATION_CAS}};

	for (guint i = 0; i < G_N_ELEMENTS(operations); i++)
		if (sass_has_suffix(opcode, operations[i].suffix)) {
			*operation = operations[i].operation;
			return true;
		}
	return false;
}

bool sass_value_type(const char *opcode, ValueType *type)
{
	static const struct {
		const char *suffix;
		ValueType type;
	} types[] = {{"F16x2", TYPE_F16X2},   {"BF16x2", TYPE_BF16X2}, {"F16x4", TYPE_F16X4},
		     {"BF16x4", TYPE_BF16X4}, {"F16x8", TYPE_F16X8},   {"BF16x8", TYPE_BF16X8},
		     {"F32x2", TYPE_F32X2},   {"F32x4", TYPE_F32X4},   {"S32", TYPE_S32},
		     {"S64", TYPE_S64},	      {"U64", TYPE_U64},       {"64", TYPE_U64},
		     {"F32", TYPE_F32},	      {"F64", TYPE_F64}};

	for (guint i = 0; i < G_N_ELEMENTS(types); i++)
		if (sass_has_suffix(opcode, types[i].suffix)) {
			*type = types[i].type;
			return true;
		}
	*type = TYPE_U32;
	return !strstr(opcode, ".F16") && !strstr(opcode, ".BF16") && !strstr(opcode, ".128");
}
