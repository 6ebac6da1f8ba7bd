/* SPDX-License-Identifier: MIT */
/* Instructions as compute.c takes them: which row calculates them, what they write, how wide. */
#include "base/sass-class.h"
#include "gpu/sass/compute-internal.h"

#include <string.h>

#include "base/sass-suffix.h"

static uint64_t suffixes_of(const char *opcode)
{
	static const char *const names[] = {
#define NAME(suffix) #suffix,
		COMPUTE_SUFFIXES(NAME)
#undef NAME
	};
	uint64_t suffixes = 0;

	G_STATIC_ASSERT(G_N_ELEMENTS(names) <= 64);
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (sass_has_suffix(opcode, names[i]))
			suffixes |= UINT64_C(1) << i;
	return suffixes;
}

static const ComputeRow *find_row(const char *opcode)
{
	const ComputeRow *const tables[] = {compute_integer_rows, compute_bit_rows,
					    compute_float_rows,	  compute_convert_rows,
					    compute_warp_rows,	  compute_exchange_rows};
	size_t n = strcspn(opcode, ".");

	for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
		for (const ComputeRow *row = tables[i]; row->base; row++)
			if (strlen(row->base) == n && memcmp(row->base, opcode, n) == 0)
				return row;
	/* The uniform units do the same. */
	return opcode[0] == 'U' && n > 1 ? find_row(opcode + 1) : NULL;
}

/* How many operands, from the first, are written. */
static guint count_outputs(const char *opcode, const SassOperand *operands, guint n)
{
	guint written = 0;

	if (strstr(opcode, "SETP") || strstr(opcode, "PLOP3"))
		return MIN(n, 2);
	if (strstr(opcode, "VOTE"))
		return n > 0 ? n - 1 : 0;
	if (g_str_has_prefix(opcode, "FCHK"))
		return MIN(n, 1);
	if (g_str_has_prefix(opcode, "WARPSYNC"))
		return 0;
	while (written < n && operands[written].predicate && !operands[written].inverted)
		written++;
	if (written < n && !operands[written].predicate &&
	    (operands[written].kind == OPERAND_VALUE || operands[written].kind == OPERAND_ZERO))
		written++;
	while (written < n && written > 0 && operands[written].predicate &&
	       !operands[written].inverted)
		written++;
	return written;
}

static void read_instruction(const SassFunction *function, int index, Code *code)
{
	const SassInstruction *instruction = sass_instruction(function, index);
	const char *opcode = instruction->opcode;

	code->instruction = instruction;
	code->n_operands = sass_operands(instruction, code->operands);
	code->n_outputs = count_outputs(opcode, code->operands, code->n_operands);
	sass_use(instruction, &code->use);
	code->suffixes = suffixes_of(opcode);
	code->row = find_row(opcode);
	code->is_unsigned = compute_has(code, SUFFIX_U32) || compute_has(code, SUFFIX_U64);
	code->extended = compute_has(code, SUFFIX_X) || compute_has(code, SUFFIX_EX);
	code->high = compute_has(code, SUFFIX_HI);
	code->wide = compute_has(code, SUFFIX_WIDE);
	if (!code->row)
		return;
	code->pairs = code->row->pairs;
	code->is_pair = code->row->is_pair;
	/* IMAD: a product of 64 bits, or its upper half, with an addend of 64. */
	if (strstr(opcode, "IMAD") && (code->wide || code->high))
		code->pairs = 1u << 2;
	if (code->wide)
		code->is_pair = true;
	if (code->row->converts) {
		code->is_pair = sass_operand_registers(opcode, 0, 1) == 2;
		code->pairs = sass_operand_registers(opcode, 1, 1) == 2;
	}
	if (code->n_operands - code->n_outputs > COMPUTE_MAX_INPUTS)
		code->row = NULL;
}

ComputeCode *compute_code_new(const SassFunction *function, const ComputeLaunch *launch,
			      const bool *asked)
{
	ComputeCode *code = g_new0(ComputeCode, 1);

	code->function = function;
	code->launch = launch;
	code->codes = g_new0(Code, function->instructions->len);
	for (guint i = 0; i < function->instructions->len; i++) {
		read_instruction(function, (int)i, &code->codes[i]);
		code->codes[i].is_asked = !asked || asked[i];
	}
	return code;
}

void compute_code_free(ComputeCode *code)
{
	g_free(code->codes);
	g_free(code);
}
