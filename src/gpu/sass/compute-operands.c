/* SPDX-License-Identifier: MIT */
/* What operands hold: registers of the lanes, constants, numbers, with their signs. */
#include "gpu/sass/compute-internal.h"

#include <string.h>

#include "base/little.h"

/* A 32-bit word of constant bank 0: the launch's shape is before its parameters. */
static bool constant_word(const ComputeLaunch *launch, uint32_t offset, uint32_t *word)
{
	/* Where nvcc's code looks for blockDim: c[0x0][0x0] up to 9.0, c[0x0][0x360] from 10.0 on,
	   whose parameters begin at 0x380. */
	uint32_t shape = launch->parameters_offset >= 0x360 ? 0x360 : 0;
	uint32_t at = offset - launch->parameters_offset;

	if (offset >= shape && offset < shape + 24 && offset % 4 == 0) {
		uint32_t i = (offset - shape) / 4;

		*word = i < 3 ? launch->block[i] : launch->grid[i - 3];
		return true;
	}
	if (!launch->parameters || offset < launch->parameters_offset ||
	    at >= launch->parameters_bytes)
		return false;
	*word = 0;
	memcpy(word, launch->parameters + at, MIN(4, launch->parameters_bytes - at));
	*word = little_32(*word);
	return true;
}

/* Of bank 2: the function's tables. */
static bool table_word(const SassFunction *function, const SassInstruction *instruction,
		       uint32_t offset, uint32_t *word)
{
	const GByteArray *table =
		instruction->part ? instruction->part->constants : function->constants;

	if (!table || table->len < 4 || offset > table->len - 4)
		return false;
	memcpy(word, table->data + offset, 4);
	*word = little_32(*word);
	return true;
}

static void fetch_constant(const ComputeWarp *warp, const SassInstruction *instruction,
			   const SassOperand *operand, bool high, LaneValues *values)
{
	const LaneValues *place = operand->value >= 0 ? &warp->values[operand->value] : NULL;

	values->known = 0;
	for (int lane = 0; lane < COMPUTE_LANES; lane++) {
		uint32_t offset = operand->offset + (high ? 4 : 0);

		if (place && !(place->known >> lane & 1))
			continue;
		if (place)
			offset += place->value[lane];
		if (operand->bank == 0
			    ? constant_word(warp->code->launch, offset, &values->value[lane])
			    : operand->bank == 2 &&
				      table_word(warp->code->function, instruction, offset,
						 &values->value[lane]))
			values->known |= 1u << lane;
	}
}

static void fill(LaneValues *values, uint32_t value)
{
	for (int lane = 0; lane < COMPUTE_LANES; lane++)
		values->value[lane] = value;
	values->known = UINT32_MAX;
}

static uint32_t number_bits(const Code *code, const SassOperand *operand, bool high)
{
	Signs signs = code->row ? code->row->signs : SIGNS_INTEGER;
	double number = operand->number;
	float narrow = (float)number;
	uint32_t bits;
	uint64_t all;

	if (signs == SIGNS_DOUBLE) {
		memcpy(&all, &number, sizeof(all));
		return (uint32_t)(high ? all >> 32 : all);
	}
	if (signs != SIGNS_FLOAT)
		return high ? 0 : operand->bits;
	memcpy(&bits, &narrow, sizeof(bits));
	return bits;
}

/* Bars and signs. Those of integers are left to instructions whose carry they change. */
static void sign(const Code *code, const SassOperand *operand, bool high, LaneValues *values)
{
	Signs signs = code->row ? code->row->signs : SIGNS_LATER;
	bool upper = signs == SIGNS_FLOAT || (signs == SIGNS_DOUBLE && high);

	if (!operand->inverted && !operand->absolute && !operand->negative)
		return;
	for (int lane = 0; lane < COMPUTE_LANES; lane++) {
		uint32_t *value = &values->value[lane];

		if (operand->predicate)
			*value ^= operand->inverted;
		else if (operand->inverted)
			*value = ~*value;
		if (upper && operand->absolute)
			*value &= 0x7fffffff;
		if (upper && operand->negative && operand->kind != OPERAND_ZERO)
			*value ^= 0x80000000;
		if (upper && operand->negative && operand->kind == OPERAND_ZERO)
			*value = 0x80000000;
		if (signs == SIGNS_INTEGER && operand->absolute && *value >> 31)
			*value = 0 - *value;
		if (signs == SIGNS_INTEGER && operand->negative && !high)
			*value = 0 - *value;
	}
}

void compute_fetch(const ComputeWarp *warp, const Code *code, const SassOperand *operand,
		   bool high, LaneValues *values)
{
	int n;

	switch (operand->kind) {
	case OPERAND_VALUE:
		n = operand->value + (high && operand->value < SASS_PREDICATE);
		*values = warp->values[n];
		if (code->row && code->row->merges)
			values->known |= ~warp->used[n];
		break;
	case OPERAND_ZERO:
		fill(values, 0);
		break;
	case OPERAND_TRUE:
		fill(values, 1);
		break;
	case OPERAND_INTEGER:
		fill(values, high ? 0 : operand->bits);
		break;
	case OPERAND_NUMBER:
		fill(values, number_bits(code, operand, high));
		break;
	case OPERAND_CONSTANT:
		fetch_constant(warp, code->instruction, operand, high, values);
		break;
	default:
		values->known = 0;
		return;
	}
	sign(code, operand, high, values);
}

void compute_store(ComputeWarp *warp, const SassOperand *operand, bool high, uint32_t lanes,
		   const LaneValues *values)
{
	LaneValues *to;

	if (operand->kind != OPERAND_VALUE || operand->value + high >= SASS_N_VALUES)
		return;
	to = &warp->values[operand->value + high];
	for (int lane = 0; lane < COMPUTE_LANES; lane++)
		if (lanes >> lane & 1)
			to->value[lane] = values->value[lane];
	to->known = (to->known & ~lanes) | (values->known & lanes);
	warp->used[operand->value + high] |= lanes;
}

void compute_forget(ComputeWarp *warp, const Code *code, uint32_t lanes)
{
	for (uint8_t i = 0; i < code->use.writes.n; i++) {
		warp->values[code->use.writes.values[i]].known &= ~lanes;
		warp->used[code->use.writes.values[i]] |= lanes;
	}
}
