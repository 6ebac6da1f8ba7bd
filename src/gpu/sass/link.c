/* SPDX-License-Identifier: MIT */
#include "gpu/sass/link.h"

static guint end_of(const SassFunction *function)
{
	const guint n = function->instructions->len;

	return n == 0 ? 0
		      : sass_instruction(function, (int)n - 1)->offset + SASS_INSTRUCTION_BYTES;
}

/* Indexes of what a function has are counted from its first instruction; in the linked text from the kernel's. */
static void append_loops(SassFunction *linked, const SassFunction *function, int first)
{
	for (guint i = 0; i < function->loops->len; i++) {
		SassLoop loop = g_array_index(function->loops, SassLoop, i);

		loop.load += first;
		loop.branch += first;
		loop.add += loop.add >= 0 ? first : 0;
		g_array_append_val(linked->loops, loop);
	}
}

static void append_indexes(GArray *to, const GArray *from, int first)
{
	for (guint i = 0; i < from->len; i++) {
		int index = g_array_index(from, int, i);

		index += index >= 0 ? first : 0;
		g_array_append_val(to, index);
	}
}

static void append_text(SassFunction *linked, const SassFunction *function,
			const SassPart *part, uint32_t offset)
{
	const int first = (int)linked->instructions->len;
	const int first_loop = (int)linked->loops->len;
	const guint first_target = linked->targets->len;

	for (guint i = 0; i < function->instructions->len; i++) {
		SassInstruction instruction = *sass_instruction(function, (int)i);

		instruction.offset += offset;
		instruction.target += instruction.target >= 0 ? first : 0;
		instruction.loop += instruction.loop >= 0 ? first_loop : 0;
		instruction.first_target += first_target;
		instruction.part = part;
		g_array_append_val(linked->instructions, instruction);
	}
	append_loops(linked, function, first);
	append_indexes(linked->targets, function->targets, first);
	append_indexes(linked->entries, function->entries, first);
}

SassFunction *sass_link_begin(const SassFunction *kernel)
{
	SassFunction *linked = sass_function_make(kernel->name);

	linked->constants = kernel->constants;
	append_text(linked, kernel, NULL, 0);
	return linked;
}

int sass_link_append(SassFunction *linked, const SassFunction *function, uint64_t pc)
{
	SassPart *part = g_new(SassPart, 1);
	const int first = (int)linked->instructions->len;

	*part = (SassPart){.name = function->name,
			   .pc = pc,
			   .bytes = end_of(function),
			   .offset = end_of(linked),
			   .constants = function->constants};
	g_ptr_array_add(linked->parts, part);
	append_text(linked, function, part, part->offset);
	return first;
}

char *sass_called_name(const SassInstruction *instruction)
{
	return instruction->flow == SASS_CALL && instruction->target < 0
		       ? sass_label(instruction->operands)
		       : NULL;
}

int sass_find_pc(const SassFunction *function, uint64_t function_pc, uint64_t pc)
{
	int index;

	for (guint i = 0; i < function->parts->len; i++) {
		const SassPart *part = g_ptr_array_index(function->parts, i);

		if (pc - part->pc < part->bytes)
			return sass_find(function, part->offset + (pc - part->pc));
	}
	index = sass_find(function, pc - function_pc);
	/* Behind the kernel's own text are the parts, wherever the GPU has them. */
	return index >= 0 && sass_instruction(function, index)->part ? -1 : index;
}
