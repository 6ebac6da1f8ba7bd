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

#include "trace/accelsim/accelsim.h"
#include "trace/accelsim/cursor.h"

/* R5, UR5, P5, UP5: its number, or REGISTER_UNREADABLE. */
static int register_number(const char *word)
{
	gboolean uniform = word[0] == 'U';
	const char *kind = word + uniform, *end;
	guint64 number = cursor_decimal(kind + 1, &end);

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

	if (!cursor_uint32(cursor, MAX_LINE_REGISTERS, &count, what, error))
		return FALSE;
	for (guint32 i = 0; i < count; i++) {
		cursor_skip_blanks(cursor);
		if (*cursor->at != 'R' && *cursor->at != 'U' && *cursor->at != 'P')
			return cursor_expected(cursor, what, "a register: R0", error);
		registers[i] = register_number(cursor_word(cursor));
	}
	*n = count;
	return TRUE;
}

static gboolean parse_opcode(Cursor *cursor, GHashTable *opcodes, Opcode **opcode,
			     GError **error)
{
	static const char allowed[] = "an instruction's name: IADD3, ATOMS.ADD";
	size_t n = 0;

	cursor_skip_blanks(cursor);
	if (!g_ascii_isalpha(*cursor->at))
		return cursor_expected(cursor, "opcode", allowed, error);
	while (g_ascii_isalnum(cursor->at[n]) || cursor->at[n] == '.' || cursor->at[n] == '_')
		n++;
	if (!cursor_ends_word(cursor->at[n]) || n > 64)
		return cursor_expected(cursor, "opcode", allowed, error);
	*opcode = opcodes_get(opcodes, cursor_word(cursor));
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

	if (!cursor_uint32(cursor, 2, &mode, "mode of the addresses", error) ||
	    !cursor_number(cursor, 16, G_MAXUINT64, &address[0], "address", error) ||
	    (mode == 1 && !cursor_difference(cursor, &stride, "stride", error)))
		return FALSE;
	if (mode == 1 && !is_contiguous(instruction->mask))
		return lines_fail(
			cursor->lines, error,
			"a stride for lanes with gaps (mask %08x); allowed: mode 0 or 2",
			instruction->mask);
	if (mode == 0)
		return cursor_numbers(cursor, 16, G_MAXUINT64, &address[1], n - 1, "address",
				      error);
	for (guint i = 1; i < n; i++) {
		guint64 difference = stride;

		if (mode == 2 && !cursor_difference(cursor, &difference, "difference", error))
			return FALSE;
		address[i] = address[i - 1] + difference;
	}
	return TRUE;
}

static gboolean parse_end(Cursor *cursor, const AccelSimHeader *header,
			  Instruction *instruction, GError **error)
{
	cursor_skip_blanks(cursor);
	instruction->has_immediate = header->tracer_version >= 5 && *cursor->at != '\0';
	if (instruction->has_immediate) {
		instruction->immediate = g_ascii_strtoll(cursor_word(cursor), NULL, 0);
		cursor_skip_blanks(cursor);
	}
	return *cursor->at == '\0' ||
	       cursor_expected(cursor, "after the instruction", "the line's end", error);
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
	    !cursor_uint32(cursor, G_MAXUINT16, &width, "width", error))
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
	cursor_skip_blanks(cursor);
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
			if (!cursor_uint32(&cursor, G_MAXUINT32,
					   i < 3 ? &instruction->block[i] : &instruction->warp,
					   i < 3 ? "thread block" : "warp", error))
				return FALSE;
	if (header->has_source_line &&
	    !cursor_uint32(&cursor, G_MAXUINT32, &source_line, "source line", error))
		return FALSE;
	if (!cursor_number(&cursor, 16, G_MAXUINT64, &pc, "PC", error) ||
	    !cursor_number(&cursor, 16, G_MAXUINT32, &mask, "mask", error) ||
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
