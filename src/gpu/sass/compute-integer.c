/* SPDX-License-Identifier: MIT */
/* Sums, products and comparisons of integers: one lane at a time. */
#include "gpu/sass/compute-internal.h"

#define VALUE(i) (in->value[i])

static uint64_t wide(const Inputs *in, int i)
{
	return (uint64_t)in->high[i] << 32 | in->value[i];
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
	guint n = compute_n_inputs(code);

	for (guint i = 0; i < n && i < 3 && !compute_input(code, i)->predicate; i++) {
		bool negative = compute_input(code, i)->negative;

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
	uint32_t carry = code->extended && compute_n_inputs(code) > 3 ? VALUE(3) : 0;

	if (code->wide || code->high) {
		addend = wide(in, 2);
		if (compute_input(code, 2)->negative)
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
	bool extended_sign = compute_has(code, SUFFIX_SX32);
	bool three = code->high && !extended_sign;
	guint at = three ? 3 : 2; /* of the shift */
	uint64_t a = VALUE(0), sum;
	uint32_t shift = VALUE(at) & 31, part;
	bool negative = compute_input(code, 0)->negative;

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
	if (compute_input(code, 1)->negative)
		return false;
	if (code->extended && compute_n_inputs(code) > at + 1)
		sum += VALUE(at + 1);
	out->value = (uint32_t)sum;
	out->predicate[0] = sum >> 32;
	return true;
}

static bool compare(const Code *code, int32_t order)
{
	return compute_has(code, SUFFIX_LT)   ? order < 0
	       : compute_has(code, SUFFIX_LE) ? order <= 0
	       : compute_has(code, SUFFIX_GT) ? order > 0
	       : compute_has(code, SUFFIX_GE) ? order >= 0
	       : compute_has(code, SUFFIX_EQ) ? order == 0
	       : compute_has(code, SUFFIX_NE) ? order != 0
					      : compute_has(code, SUFFIX_T);
}

static bool joined(const Code *code, bool a, bool b)
{
	return compute_has(code, SUFFIX_OR)    ? a || b
	       : compute_has(code, SUFFIX_XOR) ? a != b
					       : a && b;
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
	guint n = compute_n_inputs(code);
	int order = order_of(code, VALUE(0), VALUE(1));
	bool result = compare(code, order);

	if (n < 3)
		return false;
	if (code->extended && n > 3) {
		if (compute_has(code, SUFFIX_NE))
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

/* Pairs of 16 bits, and results of 0 at least, are not calculated. */
static bool is_plain(const Code *code)
{
	const char *opcode = code->instruction->opcode;

	return !strstr(opcode, "16x2") && !strstr(opcode, "RELU");
}

static bool least_or_most(const Code *code, const Inputs *in, Outputs *out)
{
	bool first_is_less = order_of(code, VALUE(0), VALUE(1)) < 0;

	out->value = first_is_less == (VALUE(2) != 0) ? VALUE(0) : VALUE(1);
	return is_plain(code);
}

/* VIMNMX3 R0, R1, R2, R3, PT. */
static bool least_or_most_of_3(const Code *code, const Inputs *in, Outputs *out)
{
	if (compute_n_inputs(code) < 4 || !is_plain(code))
		return false;
	out->value = VALUE(0);
	for (int i = 1; i < 3; i++)
		if ((order_of(code, VALUE(i), out->value) < 0) == (VALUE(3) != 0))
			out->value = VALUE(i);
	return true;
}

static bool absolute(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	out->value = (int32_t)VALUE(0) < 0 ? 0 - VALUE(0) : VALUE(0);
	return true;
}

static bool add_and_bound(const Code *code, const Inputs *in, Outputs *out)
{
	uint32_t sum = VALUE(0) + VALUE(1);
	bool sum_is_less = order_of(code, sum, VALUE(2)) < 0;

	if (compute_n_inputs(code) < 4)
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
	{.base = "ISETP", .lane = set_predicates},
	{.base = "SEL", .lane = choose},
	{.base = "FSEL", .lane = choose, .signs = SIGNS_FLOAT},
	{.base = "IMNMX", .lane = least_or_most},
	{.base = "VIMNMX", .lane = least_or_most},
	{.base = "VIMNMX3", .lane = least_or_most_of_3},
	{.base = "VIADDMNMX", .lane = add_and_bound},
	{.base = "IABS", .lane = absolute},
	{.base = NULL},
};
