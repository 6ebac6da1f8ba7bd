/* SPDX-License-Identifier: MIT */
#include "gpu/sass/operand.h"

#include <math.h>
#include <string.h>

bool sass_operand_is(const SassOperand *operand, const char *word)
{
	return strlen(word) == operand->length &&
	       memcmp(operand->text, word, operand->length) == 0;
}

/* R5, UR5, P5, UP5, or the one of their kind that holds nothing. False if it is none of these. */
static bool read_value(const char *text, size_t length, SassOperand *operand)
{
	bool uniform = length > 1 && text[0] == 'U';
	const char *kind = text + uniform;
	size_t n = 0, left = length - uniform - 1;
	int number = 0;

	if (length < 2u + uniform || (*kind != 'R' && *kind != 'P'))
		return false;
	if (left == 1 && kind[1] == (*kind == 'R' ? 'Z' : 'T')) {
		operand->kind = *kind == 'R' ? OPERAND_ZERO : OPERAND_TRUE;
		operand->predicate = *kind == 'P';
		return true;
	}
	for (; n < left && n < 3 && g_ascii_isdigit(kind[1 + n]); n++)
		number = 10 * number + (kind[1 + n] - '0');
	if (n == 0 || n != left || number >= (*kind == 'P' ? 8 : uniform ? 127 : 255))
		return false;
	operand->kind = OPERAND_VALUE;
	operand->predicate = *kind == 'P';
	if (*kind == 'P')
		operand->value = number + (uniform ? SASS_UNIFORM_PREDICATE : SASS_PREDICATE);
	else
		operand->value = number + (uniform ? SASS_UNIFORM : 0);
	return true;
}

/* c[0x0][0x210], c[0x0][R3+0x210] */
static void read_constant(const char *text, const char *end, SassOperand *operand)
{
	char *at;
	const char *index;
	size_t n;

	operand->bank = (int)g_ascii_strtoull(text + 2, &at, 16);
	if (at == text + 2 || at + 1 >= end || at[0] != ']' || at[1] != '[')
		return;
	index = at + 2;
	operand->value = -1;
	if (*index == 'R' || *index == 'U') {
		SassOperand in = {.value = -1};

		n = strcspn(index, "+].");
		if (!read_value(index, n, &in) || in.predicate || index[n] == '.')
			return;
		operand->value = in.kind == OPERAND_ZERO ? -1 : in.value;
		index += n + (index[n] == '+');
	}
	operand->offset = *index == ']' ? 0 : (uint32_t)g_ascii_strtoll(index, NULL, 16);
	operand->kind = OPERAND_CONSTANT;
}

static bool read_number(const char *text, size_t length, SassOperand *operand)
{
	char copy[64], *end;

	if (length == 0 || length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (strstr(copy, "INF") || strstr(copy, "NAN")) {
		operand->kind = OPERAND_NUMBER;
		operand->number = strstr(copy, "INF") ? HUGE_VAL : (double)NAN;
		return true;
	}
	if (g_str_has_prefix(copy, "0x")) {
		operand->kind = OPERAND_INTEGER;
		operand->bits = (uint32_t)g_ascii_strtoull(copy, &end, 16);
		return *end == '\0';
	}
	operand->kind = OPERAND_NUMBER;
	operand->number = g_ascii_strtod(copy, &end);
	operand->bits = (uint32_t)(int64_t)CLAMP(operand->number, -4e18, 4e18);
	return end != copy && *end == '\0';
}

static void read_operand(const char *text, size_t length, SassOperand *operand)
{
	*operand = (SassOperand){.text = text, .length = length, .value = -1};
	if (length > 0 && (*text == '-' || *text == '+')) {
		operand->negative = *text == '-';
		text++;
		length--;
	}
	if (length > 0 && (*text == '~' || *text == '!')) {
		operand->inverted = true;
		text++;
		length--;
	}
	if (length > 1 && *text == '|') {
		const char *end = memchr(text + 1, '|', length - 1);

		operand->absolute = true;
		text++;
		length = end ? (size_t)(end - text) : 0;
	}
	if (length > 6 && memcmp(text + length - 6, ".reuse", 6) == 0)
		length -= 6;
	if (length > 2 && memcmp(text, "c[", 2) == 0) {
		read_constant(text, text + length, operand);
		return;
	}
	if (read_value(text, length, operand))
		return;
	if (read_number(text, length, operand)) {
		/* A sign is the number's own: no carry comes of it. */
		if (operand->negative) {
			operand->bits = 0 - operand->bits;
			operand->number = -operand->number;
		}
		operand->negative = false;
		return;
	}
	operand->kind = operand->text == text && length > 0 && g_ascii_isupper(*text) &&
					!memchr(text, '[', length) && text[0] != 'R' &&
					!(text[0] == 'U' && length > 1 && text[1] == 'R')
				? OPERAND_WORD
				: OPERAND_UNKNOWN;
}

guint sass_operands(const SassInstruction *instruction, SassOperand operands[SASS_MAX_OPERANDS])
{
	const char *start = instruction->operands;
	guint n = 0;
	int depth = 0;

	for (const char *at = start;; at++) {
		size_t length;

		depth += *at == '[' || *at == '(';
		depth -= *at == ']' || *at == ')';
		if (*at != '\0' && (*at != ',' || depth > 0))
			continue;
		while (*start == ' ')
			start++;
		for (length = at > start ? (size_t)(at - start) : 0;
		     length > 0 && start[length - 1] == ' ';)
			length--;
		if (length > 0 && n < SASS_MAX_OPERANDS)
			read_operand(start, length, &operands[n++]);
		start = at + 1;
		if (*at == '\0')
			return n;
	}
}
