/* SPDX-License-Identifier: MIT */
/* Logic, shifts, counts of bits: one lane at a time. */
#include "gpu/sass/compute-internal.h"

#include <string.h>

#define VALUE(i) (in->value[i])

static bool logic_3(const Code *code, const Inputs *in, Outputs *out)
{
	uint32_t table, result = 0;

	if (compute_n_inputs(code) < 4)
		return false;
	table = VALUE(3);
	for (int i = 0; i < 8; i++)
		if (table >> i & 1)
			result |= (i & 4 ? VALUE(0) : ~VALUE(0)) &
				  (i & 2 ? VALUE(1) : ~VALUE(1)) &
				  (i & 1 ? VALUE(2) : ~VALUE(2));
	out->value = result;
	out->predicate[0] = result != 0;
	if (compute_n_inputs(code) > 4 && compute_input(code, 4)->predicate)
		out->predicate[0] = compute_has(code, SUFFIX_PAND)
					    ? out->predicate[0] && VALUE(4)
					    : out->predicate[0] || VALUE(4);
	return true;
}

static bool predicate_logic(const Code *code, const Inputs *in, Outputs *out)
{
	uint32_t row = (VALUE(0) & 1) << 2 | (VALUE(1) & 1) << 1 | (VALUE(2) & 1);

	if (compute_n_inputs(code) < 5)
		return false;
	out->predicate[0] = VALUE(3) >> row & 1;
	out->predicate[1] = VALUE(4) >> row & 1;
	return true;
}

/* A funnel shift of c:a by b. */
static bool shift(const Code *code, const Inputs *in, Outputs *out)
{
	bool is_64 = compute_has(code, SUFFIX_U64) || compute_has(code, SUFFIX_S64);
	bool has_sign = compute_has(code, SUFFIX_S32) || compute_has(code, SUFFIX_S64);
	uint32_t by = VALUE(1);
	uint64_t all = (uint64_t)VALUE(2) << 32 | VALUE(0);

	if (compute_has(code, SUFFIX_W))
		by &= is_64 ? 63 : 31;
	if (compute_has(code, SUFFIX_L))
		all = by > 63 ? 0 : all << by;
	else if (has_sign)
		all = (uint64_t)((int64_t)all >> MIN(by, 63));
	else
		all = by > 63 ? 0 : all >> by;
	out->value = (uint32_t)(code->high ? all >> 32 : all);
	return true;
}

static bool permute(const Code *code, const Inputs *in, Outputs *out)
{
	uint64_t bytes = (uint64_t)VALUE(2) << 32 | VALUE(0);

	if (strchr(code->instruction->opcode, '.'))
		return false;
	for (int i = 0; i < 4; i++) {
		uint32_t chosen = VALUE(1) >> 4 * i;
		uint32_t byte = bytes >> 8 * (chosen & 7) & 255;

		if (chosen & 8)
			byte = byte & 128 ? 255 : 0;
		out->value |= byte << 8 * i;
	}
	return true;
}

static bool extend_sign(const Code *code, const Inputs *in, Outputs *out)
{
	uint32_t bits = MIN(VALUE(1), 32);

	out->value = bits == 0 ? 0 : VALUE(0) << (32 - bits);
	if (bits > 0)
		out->value = code->is_unsigned ? out->value >> (32 - bits)
					       : (uint32_t)((int32_t)out->value >> (32 - bits));
	return true;
}

static bool bit_mask(const Code *code, const Inputs *in, Outputs *out)
{
	uint64_t mask = VALUE(1) >= 32 ? UINT32_MAX : (UINT64_C(1) << VALUE(1)) - 1;

	(void)code;
	out->value = VALUE(0) >= 32 ? 0 : (uint32_t)(mask << VALUE(0));
	return true;
}

static bool count_bits(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	out->value = (uint32_t)__builtin_popcount(VALUE(0));
	return true;
}

static bool find_leading(const Code *code, const Inputs *in, Outputs *out)
{
	uint32_t value = VALUE(0);

	if (!code->is_unsigned && (int32_t)value < 0)
		value = ~value;
	out->value = value == 0 ? UINT32_MAX : 31 - (uint32_t)__builtin_clz(value);
	if (compute_has(code, SUFFIX_SH) && value != 0)
		out->value = 31 - out->value;
	out->predicate[0] = value != 0;
	return true;
}

static bool reverse_bits(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	for (int i = 0; i < 32; i++)
		out->value |= (VALUE(0) >> i & 1) << (31 - i);
	return true;
}

const ComputeRow compute_bit_rows[] = {
	{.base = "LOP3", .lane = logic_3},
	{.base = "PLOP3", .lane = predicate_logic},
	{.base = "SHF", .lane = shift},
	{.base = "PRMT", .lane = permute, .merges = true},
	{.base = "SGXT", .lane = extend_sign},
	{.base = "BMSK", .lane = bit_mask},
	{.base = "POPC", .lane = count_bits},
	{.base = "FLO", .lane = find_leading},
	{.base = "BREV", .lane = reverse_bits},
	{.base = NULL},
};
