/* SPDX-License-Identifier: MIT */
/*
 * An instruction of an Accel-Sim trace, one line:
 *
 *   [block x y z, warp: versions 0 to 2] [source line, if the header says so] PC mask
 *   n destinations, their registers, OPCODE, n sources, their registers, width,
 *   [if width is not 0: mode, addresses] [immediate: version 5]
 *
 * PC, mask and addresses are hexadecimal, the rest decimal. Mode 0 lists an address for each active
 * lane; mode 1 gives the first and a stride, for lanes without a gap; mode 2 the first and, for
 * each further lane, the difference from the lane before.
 */
#include <string.h>

#include "trace/accelsim/accelsim.h"

typedef struct {
	LineReader *lines;
	char *at;
} Cursor;

static void skip_blanks(Cursor *cursor)
{
	while (*cursor->at == ' ' || *cursor->at == '\t')
		cursor->at++;
}

static gboolean ends_word(char c)
{
	return c == ' ' || c == '\t' || c == '\0';
}

/* The next word, cut off from what follows; NULL if there is none. */
static char *next_word(Cursor *cursor)
{
	char *word;

	skip_blanks(cursor);
	if (*cursor->at == '\0')
		return NULL;
	word = cursor->at;
	while (!ends_word(*cursor->at))
		cursor->at++;
	if (*cursor->at != '\0')
		*cursor->at++ = '\0';
	return word;
}

static gboolean expected(Cursor *cursor, const char *what, const char *allowed, GError **error)
{
	const char *word = next_word(cursor);

	return lines_fail(cursor->lines, error, "%s: %s%.40s%s found; allowed: %s", what,
			  word ? "'" : "", word ? word : "the line's end", word ? "'" : "",
			  allowed);
}

/* Digits from `at` on; *end is behind the last that fits 64 bits. */
static guint64 read_decimal(const char *at, const char **end)
{
	guint64 value = 0;

	for (; *at >= '0' && *at <= '9' && value <= (G_MAXUINT64 - 9) / 10; at++)
		value = value * 10 + (guint64)(*at - '0');
	*end = at;
	return value;
}

/* In line: most of an import is reading addresses. */
static inline int hexadecimal_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static guint64 read_hexadecimal(const char *at, const char **end)
{
	guint64 value = 0;

	for (int digit; value >> 60 == 0 && (digit = hexadecimal_digit(*at)) >= 0; at++)
		value = value << 4 | (guint64)digit;
	*end = at;
	return value;
}

/* A number of at most `max` in decimal or, for base 16, hexadecimal with or without 0x. */
static gboolean parse_number(Cursor *cursor, unsigned base, guint64 max, guint64 *number,
			     const char *what, GError **error)
{
	g_autofree char *allowed = NULL;
	const char *start, *end;
	guint64 value;

	skip_blanks(cursor);
	start = cursor->at;
	if (base == 16 && start[0] == '0' && (start[1] == 'x' || start[1] == 'X'))
		start += 2;
	value = base == 16 ? read_hexadecimal(start, &end) : read_decimal(start, &end);
	if (end > start && ends_word(*end) && value <= max) {
		cursor->at = (char *)end;
		*number = value;
		return TRUE;
	}
	allowed = g_strdup_printf(base == 16 ? "a hexadecimal number up to %" G_GINT64_MODIFIER
					       "x"
					     : "a number from 0 to %" G_GINT64_MODIFIER "u",
				  max);
	return expected(cursor, what, allowed, error);
}

static gboolean parse_uint32(Cursor *cursor, guint32 max, guint32 *number, const char *what,
			     GError **error)
{
	guint64 value;

	if (!parse_number(cursor, 10, max, &value, what, error))
		return FALSE;
	*number = (guint32)value;
	return TRUE;
}

/* A stride or a difference, as what is added to an address. */
static gboolean parse_difference(Cursor *cursor, guint64 *difference, const char *what,
				 GError **error)
{
	gboolean negative;

	skip_blanks(cursor);
	negative = *cursor->at == '-';
	cursor->at += negative;
	if (!parse_number(cursor, 10, G_MAXINT64, difference, what, error))
		return FALSE;
	if (negative)
		*difference = -*difference;
	return TRUE;
}

/* R5, UR5, P5, UP5: its number, or REGISTER_UNREADABLE. */
static int register_number(const char *word)
{
	gboolean uniform = word[0] == 'U';
	const char *kind = word + uniform, *end;
	guint64 number = read_decimal(kind + 1, &end);

	if (end == kind + 1 || *end != '\0' || number > 255 || (*kind != 'R' && *kind != 'P'))
		return REGISTER_UNREADABLE;
	return (int)number + (uniform ? REGISTER_UNIFORM : 0) +
	       (*kind == 'P' ? REGISTER_PREDICATE : 0);
}

/* The registers after their number. */
static gboolean parse_registers(Cursor *cursor, const char *what, guint *n, int *registers,
				GError **error)
{
	guint32 count;

	if (!parse_uint32(cursor, MAX_LINE_REGISTERS, &count, what, error))
		return FALSE;
	for (guint32 i = 0; i < count; i++) {
		skip_blanks(cursor);
		if (*cursor->at != 'R' && *cursor->at != 'U' && *cursor->at != 'P')
			return expected(cursor, what, "a register: R0", error);
		registers[i] = register_number(next_word(cursor));
	}
	*n = count;
	return TRUE;
}

static gboolean parse_opcode(Cursor *cursor, GHashTable *opcodes, Opcode **opcode,
			     GError **error)
{
	static const char allowed[] = "an instruction's name: IADD3, ATOMS.ADD";
	size_t n = 0;

	skip_blanks(cursor);
	if (!g_ascii_isalpha(*cursor->at))
		return expected(cursor, "opcode", allowed, error);
	while (g_ascii_isalnum(cursor->at[n]) || cursor->at[n] == '.' || cursor->at[n] == '_')
		n++;
	if (!ends_word(cursor->at[n]) || n > 64)
		return expected(cursor, "opcode", allowed, error);
	*opcode = opcodes_get(opcodes, next_word(cursor));
	return *opcode ||
	       lines_fail(cursor->lines, error, "more different opcodes than any machine has");
}

static gboolean is_contiguous(guint32 mask)
{
	guint32 from_0 = mask >> __builtin_ctz(mask);

	return (from_0 & (from_0 + 1)) == 0;
}

/* The addresses of one lane or more. */
static gboolean parse_addresses(Cursor *cursor, Instruction *instruction, GError **error)
{
	guint n = (guint)__builtin_popcount(instruction->mask);
	guint64 *address = instruction->address, stride = 0;
	guint32 mode;

	if (!parse_uint32(cursor, 2, &mode, "mode of the addresses", error) ||
	    !parse_number(cursor, 16, G_MAXUINT64, &address[0], "address", error) ||
	    (mode == 1 && !parse_difference(cursor, &stride, "stride", error)))
		return FALSE;
	if (mode == 1 && !is_contiguous(instruction->mask))
		return lines_fail(
			cursor->lines, error,
			"a stride for lanes with gaps (mask %08x); allowed: mode 0 or 2",
			instruction->mask);
	for (guint i = 1; i < n; i++) {
		guint64 difference = stride;

		if (mode == 0) {
			if (!parse_number(cursor, 16, G_MAXUINT64, &address[i], "address",
					  error))
				return FALSE;
			continue;
		}
		if (mode == 2 && !parse_difference(cursor, &difference, "difference", error))
			return FALSE;
		address[i] = address[i - 1] + difference;
	}
	return TRUE;
}

static gboolean parse_end(Cursor *cursor, const AccelSimHeader *header,
			  Instruction *instruction, GError **error)
{
	skip_blanks(cursor);
	instruction->has_immediate = header->tracer_version >= 5 && *cursor->at != '\0';
	if (instruction->has_immediate) {
		instruction->immediate = g_ascii_strtoll(next_word(cursor), NULL, 0);
		skip_blanks(cursor);
	}
	return *cursor->at == '\0' ||
	       expected(cursor, "after the instruction", "the line's end", error);
}

/* An instruction that no line has named before. */
static gboolean parse_new(Cursor *cursor, GHashTable *opcodes, StaticInstructions *instructions,
			  guint64 pc, Instruction *instruction, GError **error)
{
	char *start = cursor->at;
	g_autofree char *text = g_strdup(start); /* the cursor cuts words off */
	LineRegisters registers;
	Opcode *opcode = NULL;
	guint32 width;

	if (!parse_registers(cursor, "destinations", &registers.n_destinations,
			     registers.destinations, error) ||
	    !parse_opcode(cursor, opcodes, &opcode, error) ||
	    !parse_registers(cursor, "sources", &registers.n_sources, registers.sources,
			     error) ||
	    !parse_uint32(cursor, G_MAXUINT16, &width, "width", error))
		return FALSE;
	instruction->code =
		instructions_add(instructions, pc, text, (gsize)(cursor->at - start));
	if (!instruction->code)
		return lines_fail(cursor->lines, error,
				  "more different instructions than any program has");
	instruction->code->opcode = opcode;
	instruction->code->width = width;
	instructions_set_flow(instructions, instruction->code, &registers);
	return TRUE;
}

/* All but PC, mask and addresses is the same each time, and most of a line. */
static gboolean parse_code(Cursor *cursor, GHashTable *opcodes,
			   StaticInstructions *instructions, guint64 pc,
			   Instruction *instruction, GError **error)
{
	skip_blanks(cursor);
	instruction->code = instructions_find(instructions, pc, cursor->at);
	if (!instruction->code)
		return parse_new(cursor, opcodes, instructions, pc, instruction, error);
	cursor->at += instruction->code->length;
	return TRUE;
}

gboolean accelsim_parse_line(LineReader *lines, char *text, const AccelSimHeader *header,
			     GHashTable *opcodes, StaticInstructions *instructions,
			     Instruction *instruction, GError **error)
{
	Cursor cursor = {lines, text};
	guint64 mask = 0, pc = 0;
	guint32 source_line = 0, width;

	if (header->tracer_version < 3)
		for (guint i = 0; i < 4; i++)
			if (!parse_uint32(&cursor, G_MAXUINT32,
					  i < 3 ? &instruction->block[i] : &instruction->warp,
					  i < 3 ? "thread block" : "warp", error))
				return FALSE;
	if (header->has_source_line &&
	    !parse_uint32(&cursor, G_MAXUINT32, &source_line, "source line", error))
		return FALSE;
	if (!parse_number(&cursor, 16, G_MAXUINT64, &pc, "PC", error) ||
	    !parse_number(&cursor, 16, G_MAXUINT32, &mask, "mask", error) ||
	    !parse_code(&cursor, opcodes, instructions, pc, instruction, error))
		return FALSE;
	width = instruction->code->width;
	instruction->code->source_line = source_line;
	instruction->mask = (guint32)mask;
	instruction->has_addresses = width > 0 && mask != 0;
	instruction->has_immediate = FALSE;
	/* What stands for the addresses of no lanes depends on the tracer, and says nothing. */
	if (width > 0 && mask == 0)
		return TRUE;
	return (width == 0 || parse_addresses(&cursor, instruction, error)) &&
	       parse_end(&cursor, header, instruction, error);
}
