/* SPDX-License-Identifier: MIT */
/* What the name and the operands of an instruction say of where lanes go on, and of what a capture has of it. */
#include "gpu/sass/sass.h"

#include <string.h>

#include "base/sass-class.h"

/* B3 of "B3, `(.L_x_1)". */
static int barrier_of(const char *operands)
{
	const char *at = strchr(operands, 'B');

	return at && g_ascii_isdigit(at[1])
		       ? (int)g_ascii_strtoull(at + 1, NULL, 10) % SASS_N_BARRIERS
		       : 0;
}

static SassSpecial special_of(const char *opcode)
{
	static const struct {
		const char *prefix;
		SassSpecial special;
	} rows[] = {
		{"MEMBAR", SASS_FENCE},	  {"BAR.ARV", SASS_ARRIVAL}, {"BMOV", SASS_MOVE_JOINS},
		{"MATCH", SASS_DISTINCT}, {"LDC", SASS_DISTINCT},    {"LD.", SASS_GENERIC},
		{"ST.", SASS_GENERIC},	  {"TEX", SASS_TEXTURE},     {"TLD", SASS_TEXTURE},
		{"TXD", SASS_TEXTURE},	  {"TMML", SASS_TEXTURE},    {"SULD", SASS_TEXTURE},
		{"SUST", SASS_TEXTURE},	  {"SUATOM", SASS_TEXTURE},  {"SURED", SASS_TEXTURE},
	};

	if (strcmp(opcode, "WARPSYNC") == 0)
		return SASS_DISTINCT;
	if (strcmp(opcode, "WARPSYNC.EXCLUSIVE") == 0)
		return SASS_EXCLUSIVE;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		if (g_str_has_prefix(opcode, rows[i].prefix))
			return rows[i].special;
	return SASS_PLAIN;
}

void sass_set_flow(SassInstruction *instruction)
{
	static const char *const branches[] = {"BRA", "JMP", "WARPSYNC", NULL};
	static const char *const calls[] = {"CALL", "JCAL", "CAL", NULL};
	static const char *const returns[] = {"RET", NULL};
	static const char *const exits[] = {"EXIT", "KILL", NULL};
	static const char *const indirect[] = {"BRX", "JMX", "BRXU", "JMXU", NULL};
	static const char *const recorded[] = {"LDS", "STS",  "ATOMS", "LDG",  "STG",	 "LD",
					       "ST",  "ATOM", "ATOMG", "RED",  "REDG",	 "REDS",
					       "BAR", "EXIT", "LDSM",  "STSM", "LDGSTS", NULL};
	/* Not LDL and STL: the sanitizer reports some of them only. */
	static const char *const stepped[] = {"SHFL", "WARPSYNC", "CALL", "RET", NULL};
	bool has_label = strstr(instruction->operands, "`(") != NULL;

	instruction->special = special_of(instruction->opcode);
	instruction->stepped = sass_is_one_of(instruction->opcode, stepped);
	/* The sanitizer does not report lanes that arrive at a barrier without waiting. */
	instruction->recorded = sass_is_one_of(instruction->opcode, recorded) &&
				instruction->special != SASS_ARRIVAL;
	if (sass_is_one_of(instruction->opcode, exits))
		instruction->flow = SASS_EXIT;
	else if (sass_is_one_of(instruction->opcode, returns))
		instruction->flow = SASS_RETURN;
	else if (sass_is_one_of(instruction->opcode, calls))
		instruction->flow = SASS_CALL;
	else if (sass_is_one_of(instruction->opcode, indirect))
		instruction->flow = SASS_INDIRECT;
	else if (sass_is_one_of(instruction->opcode, branches) && has_label)
		instruction->flow = SASS_BRANCH;
	else if (g_str_has_prefix(instruction->opcode, "BSSY"))
		instruction->flow = SASS_SPLIT;
	else if (g_str_has_prefix(instruction->opcode, "BSYNC"))
		instruction->flow = SASS_JOIN;
	else if (g_str_has_prefix(instruction->opcode, "BREAK"))
		instruction->flow = SASS_LEAVE;
	/* BRX R4 -0xe0, CALL.REL.NOINC R10, RET.REL.NODEC R20: from the function's start, in all. */
	instruction->by_value = (instruction->operands[0] == 'R' ||
				 g_str_has_prefix(instruction->operands, "UR")) &&
				(g_str_has_prefix(instruction->opcode, "BRX") ||
				 strstr(instruction->opcode, ".REL"));
	/* BRA P1, target: a second predicate among the operands. BRA.DIV and the warp's
	   synchronisation go either way. */
	if (instruction->flow == SASS_BRANCH &&
	    (strchr(instruction->operands, ',') || strchr(instruction->opcode, '.') ||
	     instruction->opcode[0] == 'W'))
		instruction->conditional = true;
	instruction->barrier = barrier_of(instruction->operands);
}
