/* SPDX-License-Identifier: MIT */
/* Floats and doubles among a lane's inputs and outputs. Who may include it: the files that calculate with them. */
#ifndef ATOMSIM_GPU_SASS_COMPUTE_NUMBER_H
#define ATOMSIM_GPU_SASS_COMPUTE_NUMBER_H

#include <math.h>
#include <string.h>

#include "gpu/sass/compute-internal.h"

static inline float compute_number(const Inputs *in, int i)
{
	float value;

	memcpy(&value, &in->value[i], sizeof(value));
	return value;
}

static inline double compute_wide_number(const Inputs *in, int i)
{
	uint64_t bits = (uint64_t)in->high[i] << 32 | in->value[i];
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline bool compute_put(const Code *code, float value, Outputs *out)
{
	if (compute_has(code, SUFFIX_SAT))
		value = value > 0 ? MIN(value, 1) : 0;
	if (compute_has(code, SUFFIX_FTZ) && fabsf(value) < 0x1p-126f)
		value = copysignf(0, value);
	memcpy(&out->value, &value, sizeof(value));
	return true;
}

static inline bool compute_put_wide(double value, Outputs *out)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	out->value = (uint32_t)bits;
	out->high = (uint32_t)(bits >> 32);
	return true;
}

#endif
