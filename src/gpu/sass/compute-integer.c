/* SPDX-License-Identifier: MIT */
/* Integers, logic, predicates: one lane at a time. */
#include "gpu/sass/compute-internal.h"

#include <string.h>

#define VALUE(i) (in->value[i])

static uint64_t wide(const Inputs *in, int i)
{
	return (uint64_t)in->high[i] << 32 | in->value[i];
}

static const SassOperand *input(const Code *code, guint i)
{
	return &code->operands[code->n_outputs + i];
}

static guint count_inputs(const Code *code)
{
	return code->n_operands - code->n_outputs;
}

static bool move(const Code *code, const Inputs *in, Outputs *out)
{
	out->value = VALUE(0);
	return !code->operands[0].predicate; /* R2UR may also say whether all lanes agree */
}

/* Adds up to three; a sign is a complement and one more, which its carry shows. */
static bool add_3(const Code *code, const Inputs *in, Outputs *out)
{
	uint64_t sum = 0;
	guint n = count_inputs(code);

	for (guint i = 0; i < n && i < 3 && !input(code, i)->predicate; i++) {
		bool negative = input(code, i)->negative;

		sum += negative ? (uint32_t)~VALUE(i) : VALUE(i);
		sum += negative && !code->extended;
	}
	for (guint i = 3; code->extended && i < n; i++)
		sum += VALUE(i);
	out->value = (uint32_t)sum;
	out->predicate[0] = sum >> 32 >= 1;
	out->predicate[1] = sum >> 32 >= 2;
	return true;
}

/* VIADD, and the two-operand forms. */
static bool add_2(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	out->value = VALUE(0) + VALUE(1);
	return true;
}

static uint64_t product(const Code *code, uint32_t a, uint32_t b)
{
	return code->is_unsigned ? (uint64_t)a * b
				 : (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
}

static bool multiply_add(const Code *code, const Inputs *in, Outputs *out)
{
	uint64_t all = product(code, VALUE(0), VALUE(1)), addend;
	uint32_t carry = code->extended && count_inputs(code) > 3 ? VALUE(3) : 0;

	if (code->wide || code->high) {
		addend = wide(in, 2);
		if (input(code, 2)->negative)
			return false;
		all += addend + carry;
		out->predicate[0] = all < addend;
		out->value = code->high ? (uint32_t)(all >> 32) : (uint32_t)all;
		out->high = (uint32_t)(all >> 32);
	} else {
		out->value = (uint32_t)all + VALUE(2) + carry;
	}
	return true;
}

/* LEA: a shifted, and b; .HI the upper word of c:a shifted. */
static bool shift_add(const Code *code, const Inputs *in, Outputs *out)
{
	bool extended_sign = compute_has(code, ".SX32");
	bool three = code->high && !extended_sign;
	guint at = three ? 3 : 2; /* of the shift */
	uint64_t a = VALUE(0), sum;
	uint32_t shift = VALUE(at) & 31, part;
	bool negative = input(code, 0)->negative;

	if (extended_sign)
		a = (uint64_t)(int64_t)(int32_t)VALUE(0);
	else if (three)
		a |= (uint64_t)VALUE(2) << 32;
	a <<= shift;
	part = (uint32_t)(code->high ? a >> 32 : a);
	if (negative && code->high)
		return false;
	/* The sign is a complement and one more. */
	sum = (uint64_t)(negative ? ~part : part) + negative + VALUE(1);
	if (input(code, 1)->negative)
		return false;
	if (code->extended && count_inputs(code) > at + 1)
		sum += VALUE(at + 1);
	out->value = (uint32_t)sum;
	out->predicate[0] = sum >> 32;
	return true;
}

static bool logic_3(const Code *code, const Inputs *in, Outputs *out)
{
	uint32_t table, result = 0;

	if (count_inputs(code) < 4)
		return false;
	table = VALUE(3);
	for (int i = 0; i < 8; i++)
		if (table >> i & 1)
			result |= (i & 4 ? VALUE(0) : ~VALUE(0)) &
				  (i & 2 ? VALUE(1) : ~VALUE(1)) &
				  (i & 1 ? VALUE(2) : ~VALUE(2));
	out->value = result;
	out->predicate[0] = result != 0;
	if (count_inputs(code) > 4 && input(code, 4)->predicate)
		out->predicate[0] = compute_has(code, ".PAND") ? out->predicate[0] && VALUE(4)
							       : out->predicate[0] || VALUE(4);
	return true;
}

static bool predicate_logic(const Code *code, const Inputs *in, Outputs *out)
{
	uint32_t row = (VALUE(0) & 1) << 2 | (VALUE(1) & 1) << 1 | (VALUE(2) & 1);

	if (count_inputs(code) < 5)
		return false;
	out->predicate[0] = VALUE(3) >> row & 1;
	out->predicate[1] = VALUE(4) >> row & 1;
	return true;
}

/* A funnel shift of c:a by b. */
static bool shift(const Code *code, const Inputs *in, Outputs *out)
{
	bool is_64 = compute_has(code, ".U64") || compute_has(code, ".S64");
	bool has_sign = compute_has(code, ".S32") || compute_has(code, ".S64");
	uint32_t by = VALUE(1);
	uint64_t all = (uint64_t)VALUE(2) << 32 | VALUE(0);

	if (compute_has(code, ".W"))
		by &= is_64 ? 63 : 31;
	if (compute_has(code, ".L"))
		all = by > 63 ? 0 : all << by;
	else if (has_sign)
		all = (uint64_t)((int64_t)all >> MIN(by, 63));
	else
		all = by > 63 ? 0 : all >> by;
	out->value = (uint32_t)(code->high ? all >> 32 : all);
	return true;
}

static bool compare(const Code *code, int32_t order)
{
	return compute_has(code, ".LT")	  ? order < 0
	       : compute_has(code, ".LE") ? order <= 0
	       : compute_has(code, ".GT") ? order > 0
	       : compute_has(code, ".GE") ? order >= 0
	       : compute_has(code, ".EQ") ? order == 0
	       : compute_has(code, ".NE") ? order != 0
					  : compute_has(code, ".T");
}

static bool joined(const Code *code, bool a, bool b)
{
	return compute_has(code, ".OR") ? a || b : compute_has(code, ".XOR") ? a != b : a && b;
}

static int order_of(const Code *code, uint32_t a, uint32_t b)
{
	if (code->is_unsigned)
		return (a > b) - (a < b);
	return ((int32_t)a > (int32_t)b) - ((int32_t)a < (int32_t)b);
}

/* With .EX the upper words decide, and where these are equal what the lower ones said. */
static bool set_predicates(const Code *code, const Inputs *in, Outputs *out)
{
	guint n = count_inputs(code);
	int order = order_of(code, VALUE(0), VALUE(1));
	bool result = compare(code, order);

	if (n < 3)
		return false;
	if (code->extended && n > 3) {
		if (compute_has(code, ".NE"))
			result = order != 0 || VALUE(3);
		else if (order == 0)
			result = VALUE(3);
	}
	out->predicate[0] = joined(code, result, VALUE(2));
	out->predicate[1] = joined(code, !result, VALUE(2));
	return true;
}

static bool choose(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	out->value = VALUE(2) ? VALUE(0) : VALUE(1);
	return true;
}

static bool least_or_most(const Code *code, const Inputs *in, Outputs *out)
{
	bool first_is_less = order_of(code, VALUE(0), VALUE(1)) < 0;

	out->value = first_is_less == (VALUE(2) != 0) ? VALUE(0) : VALUE(1);
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

static bool absolute(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	out->value = (int32_t)VALUE(0) < 0 ? 0 - VALUE(0) : VALUE(0);
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
	if (compute_has(code, ".SH") && value != 0)
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

static bool add_and_bound(const Code *code, const Inputs *in, Outputs *out)
{
	uint32_t sum = VALUE(0) + VALUE(1);
	bool sum_is_less = order_of(code, sum, VALUE(2)) < 0;

	if (count_inputs(code) < 4)
		return false;
	out->value = sum_is_less == (VALUE(3) != 0) ? sum : VALUE(2);
	return true;
}

const ComputeRow compute_integer_rows[] = {
	{.base = "MOV", .lane = move},
	{.base = "R2UR", .lane = move},
	{.base = "IADD3", .lane = add_3, .signs = SIGNS_LATER},
	{.base = "VIADD", .lane = add_2},
	{.base = "IMAD", .lane = multiply_add},
	{.base = "LEA", .lane = shift_add, .signs = SIGNS_LATER},
	{.base = "LOP3", .lane = logic_3},
	{.base = "PLOP3", .lane = predicate_logic},
	{.base = "SHF", .lane = shift},
	{.base = "ISETP", .lane = set_predicates},
	{.base = "SEL", .lane = choose},
	{.base = "FSEL", .lane = choose, .signs = SIGNS_FLOAT},
	{.base = "IMNMX", .lane = least_or_most},
	{.base = "VIMNMX", .lane = least_or_most},
	{.base = "VIADDMNMX", .lane = add_and_bound},
	{.base = "PRMT", .lane = permute},
	{.base = "SGXT", .lane = extend_sign},
	{.base = "BMSK", .lane = bit_mask},
	{.base = "IABS", .lane = absolute},
	{.base = "POPC", .lane = count_bits},
	{.base = "FLO", .lane = find_leading},
	{.base = "BREV", .lane = reverse_bits},
	{.base = NULL},
};
