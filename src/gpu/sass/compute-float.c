/* SPDX-License-Identifier: MIT */
/*
 * Floats and doubles, one lane at a time: to nearest, whatever rounding the text asks for, but for
 * conversions from integers, on which divisions depend.
 */
#include "gpu/sass/compute-internal.h"

#include <math.h>
#include <string.h>

static float number(const Inputs *in, int i)
{
	float value;

	memcpy(&value, &in->value[i], sizeof(value));
	return value;
}

static double wide_number(const Inputs *in, int i)
{
	uint64_t bits = (uint64_t)in->high[i] << 32 | in->value[i];
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static bool put(const Code *code, float value, Outputs *out)
{
	if (compute_has(code, SUFFIX_SAT))
		value = value > 0 ? MIN(value, 1) : 0;
	if (compute_has(code, SUFFIX_FTZ) && fabsf(value) < 0x1p-126f)
		value = copysignf(0, value);
	memcpy(&out->value, &value, sizeof(value));
	return true;
}

static bool put_wide(double value, Outputs *out)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	out->value = (uint32_t)bits;
	out->high = (uint32_t)(bits >> 32);
	return true;
}

static bool add(const Code *code, const Inputs *in, Outputs *out)
{
	return put(code, number(in, 0) + number(in, 1), out);
}

static bool multiply(const Code *code, const Inputs *in, Outputs *out)
{
	return put(code, number(in, 0) * number(in, 1), out);
}

static bool multiply_add(const Code *code, const Inputs *in, Outputs *out)
{
	return put(code, fmaf(number(in, 0), number(in, 1), number(in, 2)), out);
}

static bool least_or_most(const Code *code, const Inputs *in, Outputs *out)
{
	float a = number(in, 0), b = number(in, 1);

	return put(code, in->value[2] ? fminf(a, b) : fmaxf(a, b), out);
}

static bool wide_add(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	return put_wide(wide_number(in, 0) + wide_number(in, 1), out);
}

static bool wide_multiply(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	return put_wide(wide_number(in, 0) * wide_number(in, 1), out);
}

static bool wide_multiply_add(const Code *code, const Inputs *in, Outputs *out)
{
	(void)code;
	return put_wide(fma(wide_number(in, 0), wide_number(in, 1), wide_number(in, 2)), out);
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
	return set_both(code, compare(code, number(in, 0), number(in, 1)), in->value[2], out);
}

static bool wide_set_predicates(const Code *code, const Inputs *in, Outputs *out)
{
	return set_both(code, compare(code, wide_number(in, 0), wide_number(in, 1)),
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

static bool special_function(const Code *code, const Inputs *in, Outputs *out)
{
	float x = number(in, 0);

	if (compute_has(code, SUFFIX_RCP))
		return put(code, 1 / x, out);
	if (compute_has(code, SUFFIX_RSQ))
		return put(code, 1 / sqrtf(x), out);
	if (compute_has(code, SUFFIX_SQRT))
		return put(code, sqrtf(x), out);
	if (compute_has(code, SUFFIX_EX2))
		return put(code, exp2f(x), out);
	if (compute_has(code, SUFFIX_LG2))
		return put(code, log2f(x), out);
	if (compute_has(code, SUFFIX_SIN))
		return put(code, sinf(x), out);
	if (compute_has(code, SUFFIX_COS))
		return put(code, cosf(x), out);
	if (compute_has(code, SUFFIX_TANH))
		return put(code, tanhf(x), out);
	return false;
}

/* I2F, I2FP; the result is no smaller with .RP, and no larger in size with .RZ. */
static bool from_integer(const Code *code, const Inputs *in, Outputs *out)
{
	const char *opcode = code->instruction->opcode;
	uint64_t all = (uint64_t)in->high[0] << 32 | in->value[0];
	long double exact = code->is_unsigned ? (long double)in->value[0]
					      : (long double)(int32_t)in->value[0];
	float near;

	if (code->pairs)
		exact = code->is_unsigned ? (long double)all : (long double)(int64_t)all;
	if (strstr(opcode, "16") || strstr(opcode, "8"))
		return false;
	if (code->is_pair)
		return put_wide((double)exact, out);
	near = (float)exact;
	if (compute_has(code, SUFFIX_RP) && (long double)near < exact)
		near = nextafterf(near, HUGE_VALF);
	if (compute_has(code, SUFFIX_RZ) && fabsl((long double)near) > fabsl(exact))
		near = nextafterf(near, 0);
	return put(code, near, out);
}

static double whole(const Code *code, double x)
{
	return compute_has(code, SUFFIX_TRUNC)	 ? trunc(x)
	       : compute_has(code, SUFFIX_FLOOR) ? floor(x)
	       : compute_has(code, SUFFIX_CEIL)	 ? ceil(x)
						 : nearbyint(x);
}

/* F2I of a float: out of range it stays at the range's end, and what is no number is 0. */
static bool to_integer(const Code *code, const Inputs *in, Outputs *out)
{
	const char *opcode = code->instruction->opcode;
	double x = number(in, 0);
	uint64_t all;

	if (strstr(opcode, "16") || strstr(opcode, "8") || strstr(opcode, "F64"))
		return false;
	x = isnan(x) ? 0 : whole(code, x);
	if (!code->is_pair) {
		out->value = code->is_unsigned
				     ? (uint32_t)CLAMP(x, 0, UINT32_MAX)
				     : (uint32_t)(int32_t)CLAMP(x, INT32_MIN, INT32_MAX);
		return true;
	}
	if (code->is_unsigned)
		all = x <= 0 ? 0 : x >= 0x1p64 ? UINT64_MAX : (uint64_t)x;
	else
		all = (uint64_t)(x <= -0x1p63  ? INT64_MIN
				 : x >= 0x1p63 ? INT64_MAX
					       : (int64_t)x);
	out->value = (uint32_t)all;
	out->high = (uint32_t)(all >> 32);
	return true;
}

static bool round_to_whole(const Code *code, const Inputs *in, Outputs *out)
{
	return put(code, (float)whole(code, number(in, 0)), out);
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
	{.base = "I2F", .lane = from_integer},
	{.base = "I2FP", .lane = from_integer},
	{.base = "F2I", .lane = to_integer, .signs = SIGNS_FLOAT},
	{.base = "FRND", .lane = round_to_whole, .signs = SIGNS_FLOAT},
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
