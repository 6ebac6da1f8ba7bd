/* SPDX-License-Identifier: MIT */
/* What is known of a warp's values: how many lanes differ, what an atomic adds. */
#include "gpu/sass/compute-internal.h"

guint compute_distinct(ComputeWarp *warp, int index, uint32_t mask, uint32_t *value)
{
	const Code *code = compute_code_of(warp, index);
	const bool is_lookup = g_str_has_prefix(code->instruction->opcode, "LDC");
	LaneValues values[2];
	guint n = 0, parts = 1 + (!is_lookup && compute_has(code, SUFFIX_U64));
	SassOperand of;

	if (code->n_operands <= code->n_outputs)
		return 0;
	of = code->operands[code->n_outputs];
	if (is_lookup && of.kind == OPERAND_CONSTANT && of.value >= 0)
		of.kind = OPERAND_VALUE; /* the address, which its offset is added to */
	if (of.kind != OPERAND_VALUE)
		return 0;
	compute_catch_up(warp);
	for (guint part = 0; part < parts; part++)
		compute_fetch(warp, code, &of, part, &values[part]);
	for (int lane = 0; lane < COMPUTE_LANES; lane++) {
		bool is_new = mask >> lane & 1;

		for (guint part = 0; is_new && part < parts; part++)
			if (!(values[part].known >> lane & 1))
				return 0;
		for (int other = 0; is_new && other < lane; other++)
			is_new = !(mask >> other & 1) ||
				 values[0].value[other] != values[0].value[lane] ||
				 (parts > 1 && values[1].value[other] != values[1].value[lane]);
		n += is_new;
	}
	if (n > 0)
		*value = values[0].value[__builtin_ctz(mask)];
	return n;
}

uint32_t compute_alike(ComputeWarp *warp, int index, uint32_t mask)
{
	const Code *code = compute_code_of(warp, index);
	const SassOperand *operand = &code->operands[code->n_outputs];
	LaneValues values;
	uint32_t alike = 0;

	if (code->n_operands <= code->n_outputs || operand->kind != OPERAND_VALUE)
		return 0;
	compute_catch_up(warp);
	compute_fetch(warp, code, operand, false, &values);
	if (mask & ~values.known)
		return 0;
	for (uint32_t left = mask; left; left &= left - 1) {
		const int lane = __builtin_ctz(left);

		if (values.value[lane] == values.value[__builtin_ctz(mask)])
			alike |= 1u << lane;
	}
	return alike;
}

/* The input that is not `old`; NULL if it is not one. */
static const SassOperand *other_input(const Code *code, int old)
{
	const SassOperand *other = NULL;
	guint n = 0;

	for (guint i = code->n_outputs; i < code->n_operands; i++) {
		const SassOperand *operand = &code->operands[i];

		if (operand->kind == OPERAND_VALUE && operand->value == old)
			continue;
		other = operand;
		n++;
	}
	return n == 1 ? other : NULL;
}

guint compute_note_addend(ComputeWarp *warp, int load, int add, uint32_t mask)
{
	const Code *loading = compute_code_of(warp, load), *code = compute_code_of(warp, add);
	const SassOperand *operand =
		loading->n_outputs > 0 && code->row
			? other_input(code, loading->operands[loading->n_outputs - 1].value)
			: NULL;
	uint64_t noted[COMPUTE_LANES];
	LaneValues low, high = {.known = UINT32_MAX};

	if (!operand)
		return 0;
	compute_catch_up(warp);
	compute_fetch(warp, code, operand, false, &low);
	if (code->pairs)
		compute_fetch(warp, code, operand, true, &high);
	if (mask & ~(low.known & high.known))
		return 0;
	for (int lane = 0; lane < COMPUTE_LANES; lane++)
		noted[lane] = (uint64_t)high.value[lane] << 32 | low.value[lane];
	if (!warp->noted)
		warp->noted = g_array_new(FALSE, FALSE, sizeof(noted));
	g_array_append_val(warp->noted, noted);
	return warp->noted->len;
}

const uint64_t *compute_noted(const ComputeWarp *warp, guint number)
{
	return number > 0 ? (const uint64_t *)(const void *)warp->noted->data +
				    (size_t)(number - 1) * COMPUTE_LANES
			  : NULL;
}
