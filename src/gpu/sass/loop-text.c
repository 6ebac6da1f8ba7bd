/* SPDX-License-Identifier: MIT */
#include "gpu/sass/loop-internal.h"

#include <string.h>

char *sass_register_of(const char *operand)
{
	const char *start = strpbrk(operand, "RU");

	return start ? g_strndup(start, strspn(start, "RUZ0123456789")) : g_strdup("");
}

bool sass_is_read_behind(const SassFunction *function, int index, const char *name)
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

int sass_find_load(const SassFunction *function, int from, int to, const char *prefix)
{
	for (int i = from; i < to; i++)
		if (g_str_has_prefix(sass_instruction(function, i)->opcode, prefix) &&
		    sass_instruction(function, i)->recorded)
			return i;
	return -1;
}
