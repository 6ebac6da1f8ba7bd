/* SPDX-License-Identifier: MIT */
/* Floats and doubles, one lane at a time: to nearest, whatever rounding the text asks for. */
#include "gpu/sass/compute-number.h"

#include <math.h>
#include <string.h>

static bool add(const Code *code, const Inputs *in, Outputs *out)
{
	return compute_put(code, compute_number(in, 0) + compute_number(in, 1), out);
}

static bool multiply(const Code *code, const Inputs *in, Outputs *out)
{
	return compute_put(code, compute_number(in, 0) * compute_number(in, 1), out);
}

static bool multiply_add(const Code *code, const Inputs *in, Outputs *out)
{
	return compute_put(
		code, fmaf(compute_number(in, 0), compute_number(in, 1), compute_number(in, 2)),
		out);
}

static bool least_or_most(const Code *code, const Inputs *in, Outputs *out)
{
	float a = compute_number(in, 0), b = compute_number(in, 1);

	return compute_put(code, in->value[2] ? fminf(a, b) : fmaxf(a, b), out);
}

static bool wide_add(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	return compute_put_wide(compute_wide_number(in, 0) + compute_wide_number(in, 1), out);
}

static bool wide_multiply(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	return compute_put_wide(compute_wide_number(in, 0) * compute_wide_number(in, 1), out);
}

static bool wide_multiply_add(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	return compute_put_wide(fma(compute_wide_number(in, 0), compute_wide_number(in, 1),
				    compute_wide_number(in, 2)),
				out);
}

/* .LT is false and .LTU true where one is no number. */
static bool compare(const Code *code, double a, double b)
{
	static const struct {
		ComputeSuffix suffix;
		bool less, equal, greater, unordered;
	} rows[] = {
		{SUFFIX_LT, 1, 0, 0, 0},  {SUFFIX_LE, 1, 1, 0, 0},  {SUFFIX_EQ, 0, 1, 0, 0},
		{SUFFIX_NE, 1, 0, 1, 0},  {SUFFIX_GE, 0, 1, 1, 0},  {SUFFIX_GT, 0, 0, 1, 0},
		{SUFFIX_LTU, 1, 0, 0, 1}, {SUFFIX_LEU, 1, 1, 0, 1}, {SUFFIX_EQU, 0, 1, 0, 1},
		{SUFFIX_NEU, 1, 0, 1, 1}, {SUFFIX_GEU, 0, 1, 1, 1}, {SUFFIX_GTU, 0, 0, 1, 1},
		{SUFFIX_NUM, 1, 1, 1, 0}, {SUFFIX_NAN, 0, 0, 0, 1}, {SUFFIX_T, 1, 1, 1, 1},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		if (compute_has(code, rows[i].suffix))
			return isnan(a) || isnan(b) ? rows[i].unordered
			       : a < b		    ? rows[i].less
			       : a > b		    ? rows[i].greater
						    : rows[i].equal;
	return false;
}

static bool set_both(const Code *code, bool result, bool other, Outputs *out)
{
	bool is_or = compute_has(code, SUFFIX_OR), is_xor = compute_has(code, SUFFIX_XOR);

	for (int i = 0; i < 2; i++)
		out->predicate[i] = is_or    ? (result ^ i) || other
				    : is_xor ? (result ^ i) != other
					     : (result ^ i) && other;
	return true;
}

static bool set_predicates(const Code *code, const Inputs *in, Outputs *out)
{
	return set_both(code, compare(code, compute_number(in, 0), compute_number(in, 1)),
			in->value[2], out);
}

static bool wide_set_predicates(const Code *code, const Inputs *in, Outputs *out)
{
	return set_both(code,
			compare(code, compute_wide_number(in, 0), compute_wide_number(in, 1)),
			in->value[2], out);
}

/* Whether a division needs its slow way: operands at the ends of their range. */
static bool check_division(const Code *code, const Inputs *in, Outputs *out)
{
	int a = (int)(in->value[0] >> 23 & 255), b = (int)(in->value[1] >> 23 & 255);

	(void)code;
	out->predicate[0] = a == 255 || b == 255 || b == 0 || a - b >= 126 || a - b <= -125 ||
			    (a != 0 && a < 24) || b >= 253;
	return true;
}

/* MUFU.RCP64H, MUFU.RSQ64H: of the upper word of a double that of the result, with which the division or the root begins. */
static bool special_function_of_double(const char *opcode, const Inputs *in, Outputs *out)
{
	const Inputs whole = {.high = {in->value[0]}};
	const double x = compute_wide_number(&whole, 0);

	compute_put_wide(strstr(opcode, "RCP64H") ? 1 / x : 1 / sqrt(x), out);
	out->value = out->high;
	return true;
}

static bool special_function(const Code *code, const Inputs *in, Outputs *out)
{
	float x = compute_number(in, 0);

	if (strstr(code->instruction->opcode, "64H"))
		return special_function_of_double(code->instruction->opcode, in, out);

	if (compute_has(code, SUFFIX_RCP))
		return compute_put(code, 1 / x, out);
	if (compute_has(code, SUFFIX_RSQ))
		return compute_put(code, 1 / sqrtf(x), out);
	if (compute_has(code, SUFFIX_SQRT))
		return compute_put(code, sqrtf(x), out);
	if (compute_has(code, SUFFIX_EX2))
		return compute_put(code, exp2f(x), out);
	if (compute_has(code, SUFFIX_LG2))
		return compute_put(code, log2f(x), out);
	if (compute_has(code, SUFFIX_SIN))
		return compute_put(code, sinf(x), out);
	if (compute_has(code, SUFFIX_COS))
		return compute_put(code, cosf(x), out);
	if (compute_has(code, SUFFIX_TANH))
		return compute_put(code, tanhf(x), out);
	return false;
}

/* The bits of a number in half precision that it holds exactly. */
static uint32_t half_bits(double number)
{
	int exponent;
	double fraction = frexp(fabs(number), &exponent); /* 0.5 .. 1 */
	uint32_t sign = signbit(number) ? 0x8000 : 0;

	if (number == 0)
		return sign;
	if (!isfinite(number))
		return sign | 0x7c00 | (isnan(number) ? 0x200 : 0);
	if (exponent < -13) /* without leading one */
		return sign | (uint32_t)ldexp(fraction, exponent + 24);
	return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)ldexp(fraction, 11) & 0x3ff);
}

/* HFMA2.MMA R, -RZ, RZ, x, y: how nvcc loads a constant through the half-precision unit. */
static bool constant_halves(const Code *code, const Inputs *in, Outputs *out)
{
	const SassOperand *operands = &code->operands[code->n_outputs];

	(void)in;
	if (code->n_operands - code->n_outputs != 4 || operands[0].kind != OPERAND_ZERO ||
	    operands[1].kind != OPERAND_ZERO || operands[2].kind != OPERAND_NUMBER ||
	    operands[3].kind != OPERAND_NUMBER)
		return false;
	for (int i = 0; i < 2; i++) {
		const SassOperand *half = &operands[2 + i];
		uint32_t bits = half_bits(half->number);

		out->value |= bits << (i == 0 ? 16 : 0);
	}
	return true;
}

const ComputeRow compute_float_rows[] = {
	{.base = "FADD", .lane = add, .signs = SIGNS_FLOAT},
	{.base = "FMUL", .lane = multiply, .signs = SIGNS_FLOAT},
	{.base = "FFMA", .lane = multiply_add, .signs = SIGNS_FLOAT},
	{.base = "FMNMX", .lane = least_or_most, .signs = SIGNS_FLOAT},
	{.base = "FSETP", .lane = set_predicates, .signs = SIGNS_FLOAT},
	{.base = "FCHK", .lane = check_division, .signs = SIGNS_FLOAT},
	{.base = "MUFU", .lane = special_function, .signs = SIGNS_FLOAT},
	{.base = "HFMA2", .lane = constant_halves, .signs = SIGNS_LATER},
	{.base = "DADD", .lane = wide_add, .signs = SIGNS_DOUBLE, .pairs = 3, .is_pair = true},
	{.base = "DMUL",
	 .lane = wide_multiply,
	 .signs = SIGNS_DOUBLE,
	 .pairs = 3,
	 .is_pair = true},
	{.base = "DFMA",
	 .lane = wide_multiply_add,
	 .signs = SIGNS_DOUBLE,
	 .pairs = 7,
	 .is_pair = true},
	{.base = "DSETP", .lane = wide_set_predicates, .signs = SIGNS_DOUBLE, .pairs = 3},
	{.base = NULL},
};
