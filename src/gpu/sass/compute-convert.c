/* SPDX-License-Identifier: MIT */
/*
 * Conversions between integers, floats and doubles, one lane at a time: to nearest, but for those from integers, whose rounding
 * divisions depend on, and those to whole numbers.
 */
#include "gpu/sass/compute-number.h"

/* The integer that a conversion begins with. */
static long double integer(const Code *code, const Inputs *in)
{
	const uint32_t low = in->value[0];
	const uint64_t all = (uint64_t)in->high[0] << 32 | low;

	if (code->pairs)
		return code->is_unsigned ? (long double)all : (long double)(int64_t)all;
	if (compute_has(code, SUFFIX_U8) || compute_has(code, SUFFIX_U16))
		return compute_has(code, SUFFIX_U8) ? (uint8_t)low : (uint16_t)low;
	if (compute_has(code, SUFFIX_S8) || compute_has(code, SUFFIX_S16))
		return compute_has(code, SUFFIX_S8) ? (int8_t)low : (int16_t)low;
	return code->is_unsigned ? (long double)low : (long double)(int32_t)low;
}

/* I2F, I2FP; the result is no smaller with .RP, and no larger in size with .RZ. Which byte of a register I2F.U8 R2, R3.B1 takes is not
   read. */
static bool from_integer(const Code *code, const Inputs *in, Outputs *out)
{
	const SassInstruction *instruction = code->instruction;
	const long double exact = integer(code, in);
	float near;

	if (strstr(instruction->opcode, "F16") || strstr(instruction->operands, ".B") ||
	    strstr(instruction->operands, ".H"))
		return false;
	if (code->is_pair)
		return compute_put_wide((double)exact, out);
	near = (float)exact;
	if (compute_has(code, SUFFIX_RP) && (long double)near < exact)
		near = nextafterf(near, HUGE_VALF);
	if (compute_has(code, SUFFIX_RZ) && fabsl((long double)near) > fabsl(exact))
		near = nextafterf(near, 0);
	return compute_put(code, near, out);
}

static double whole(const Code *code, double x)
{
	return compute_has(code, SUFFIX_TRUNC)	 ? trunc(x)
	       : compute_has(code, SUFFIX_FLOOR) ? floor(x)
	       : compute_has(code, SUFFIX_CEIL)	 ? ceil(x)
						 : nearbyint(x);
}

/* F2I: out of range it stays at the range's end, and what is no number is 0. */
static bool to_integer(const Code *code, const Inputs *in, Outputs *out)
{
	const char *opcode = code->instruction->opcode;
	double x = code->pairs ? compute_wide_number(in, 0) : compute_number(in, 0);
	uint64_t all;

	if (strstr(opcode, "16") || strstr(opcode, "8"))
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

/* F2F.F64.F32, F2F.F32.F64. */
static bool convert_width(const Code *code, const Inputs *in, Outputs *out)
{
	if (strstr(code->instruction->opcode, "16"))
		return false;
	if (code->is_pair && !code->pairs)
		return compute_put_wide(compute_number(in, 0), out);
	return code->pairs && !code->is_pair &&
	       compute_put(code, (float)compute_wide_number(in, 0), out);
}

static bool round_to_whole(const Code *code, const Inputs *in, Outputs *out)
{
	if (strstr(code->instruction->opcode, "16"))
		return false;
	return code->is_pair
		       ? compute_put_wide(whole(code, compute_wide_number(in, 0)), out)
		       : compute_put(code, (float)whole(code, compute_number(in, 0)), out);
}

const ComputeRow compute_convert_rows[] = {
	{.base = "I2F", .converts = true, .lane = from_integer},
	{.base = "I2FP", .lane = from_integer},
	{.base = "F2I", .converts = true, .lane = to_integer, .signs = SIGNS_FLOAT},
	{.base = "F2F", .converts = true, .lane = convert_width, .signs = SIGNS_FLOAT},
	{.base = "FRND", .converts = true, .lane = round_to_whole, .signs = SIGNS_FLOAT},
	{.base = NULL},
};
