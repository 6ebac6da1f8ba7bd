/* SPDX-License-Identifier: MIT */
#include "gpu/convert/gap-lines.h"

#include "base/record.h"

/* Operations of all gaps that name lines of constants at an address in a register: loads at random places each make gaps of
   their own, and a trace's data flow is bounded. */
#define MAX_NAMED_OPERATIONS (1u << 17)

/* What an instruction's text says of the constant that it reads. */
typedef struct {
	bool looked_up;
	int bank; /* -1: it reads none at an address in a register */
	uint32_t offset;
} Base;

struct GapLines {
	const SassFunction *function;
	GHashTable *numbers; /* bank and line -> its number */
	GArray *places;	     /* ConstantPlace, by number */
	Base *bases;	     /* by instruction */
	uint32_t n_named;    /* operations, see above */
};

GapLines *gap_lines_new(const SassFunction *function)
{
	GapLines *lines = g_new0(GapLines, 1);

	lines->function = function;
	lines->numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	lines->places = g_array_new(FALSE, FALSE, sizeof(ConstantPlace));
	lines->bases = g_new0(Base, MAX(function->instructions->len, 1));
	return lines;
}

void gap_lines_free(GapLines *lines)
{
	g_hash_table_unref(lines->numbers);
	g_array_unref(lines->places);
	g_free(lines->bases);
	g_free(lines);
}

static gint64 line_key(int bank, uint32_t offset)
{
	return (gint64)bank << 32 | offset / CONSTANT_LINE_BYTES;
}

uint16_t gap_lines_find(const GapLines *lines, int bank, uint32_t offset)
{
	const gint64 key = line_key(bank, offset);

	return (uint16_t)GPOINTER_TO_UINT(g_hash_table_lookup(lines->numbers, &key));
}

uint16_t gap_lines_give(GapLines *lines, int bank, uint32_t offset)
{
	const gint64 key = line_key(bank, offset);
	const ConstantPlace place = {(uint32_t)bank,
				     offset / CONSTANT_LINE_BYTES * CONSTANT_LINE_BYTES};
	uint16_t line = gap_lines_find(lines, bank, offset);

	if (line == 0 && g_hash_table_size(lines->numbers) < DATAFLOW_MAX_LINES) {
		line = (uint16_t)(g_hash_table_size(lines->numbers) + 1);
		g_hash_table_insert(lines->numbers, g_memdup2(&key, sizeof(key)),
				    GUINT_TO_POINTER(line));
		g_array_append_val(lines->places, place);
	}
	return line;
}

const GArray *gap_lines_places(const GapLines *lines)
{
	return lines->places;
}

uint16_t gap_lines_at(GapLines *lines, int index, uint32_t value)
{
	Base *base = &lines->bases[index];
	SassFlowUse use;

	if (!base->looked_up) {
		sass_use(sass_instruction(lines->function, index), &use);
		*base = (Base){true, use.class == CODE_CONSTANT ? use.indexed_bank : -1,
			       use.constant_offset};
	}
	return base->bank >= 0 && lines->n_named < MAX_NAMED_OPERATIONS
		       ? gap_lines_give(lines, base->bank, value + base->offset)
		       : 0;
}

void gap_lines_spend(GapLines *lines, uint32_t n)
{
	lines->n_named += n;
}

uint8_t gap_lines_about(uint8_t n)
{
	static const struct {
		uint8_t most, about;
	} steps[] = {{4, 0}, {6, 5}, {9, 8}, {13, 11}, {19, 16}, {26, 23}, {UINT8_MAX, 30}};
	int i = 0;

	while (n > steps[i].most)
		i++;
	return i == 0 ? n : steps[i].about;
}
