/* SPDX-License-Identifier: MIT */
#include "workloads/distribution.h"

#include <glib.h>

#define GUIDE_BITS    12
#define FRACTION_BITS 32 /* of a logarithm */

struct Zipf {
	uint32_t n;
	uint32_t *last; /* the largest uniform number that belongs to rank k or a lower one */
	uint32_t guide[1 << GUIDE_BITS]; /* first rank of the numbers with these high bits */
};

/* Binary logarithm of n >= 1 as 32.32 fixed point: each squaring of the mantissa yields a bit. */
static uint64_t log2_fixed(uint32_t n)
{
	unsigned whole = 31 - (unsigned)__builtin_clz(n);
	uint64_t mantissa = (uint64_t)n << (31 - whole); /* 1.31 */
	uint64_t log = whole;

	for (int i = 0; i < FRACTION_BITS; i++) {
		mantissa = (mantissa * mantissa) >> 31;
		log <<= 1;
		if (mantissa >> 32) {
			mantissa >>= 1;
			log |= 1;
		}
	}
	return log;
}

static uint64_t square_root(uint64_t n)
{
	uint64_t root = 0;

	for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= n)
			root |= bit;
	return root;
}

/* 2^-y as 0.31 fixed point (1.0 is 2^31) for y in 32.32 fixed point: the product of 2^-(1/2),
   2^-(1/4), ... for the bits of the fraction, each the square root of the one before. */
static uint64_t power_of_half(uint64_t y)
{
	uint64_t whole = y >> FRACTION_BITS;
	uint64_t factor = UINT64_C(1) << 30; /* 2^-1 */
	uint64_t result = UINT64_C(1) << 31;

	if (whole > 31)
		return 0;
	for (int bit = FRACTION_BITS - 1; bit >= 0; bit--) {
		factor = square_root(factor << 31);
		if (y >> bit & 1)
			result = (result * factor) >> 31;
	}
	return result >> whole;
}

/* part / whole as a fraction of 2^32, for part < whole < 2^63. */
static uint32_t fraction(uint64_t part, uint64_t whole)
{
	unsigned shift = (unsigned)__builtin_clzll(whole);

	g_assert(shift < 32); /* the divisor keeps 32 significant bits */
	return (uint32_t)MIN((part << shift) / (whole >> (32 - shift)), UINT32_MAX);
}

Zipf *zipf_new(uint32_t n, uint32_t hundredths)
{
	Zipf *zipf = g_new(Zipf, 1);
	g_autofree uint64_t *sum = g_new(uint64_t, n);
	uint64_t total = 0;

	g_assert(n >= 1 && n <= 65536);
	for (uint32_t k = 0; k < n; k++) {
		/* Doubled, so that the total has 32 significant bits for a single rank too. */
		total += 2 * power_of_half(log2_fixed(k + 1) * hundredths / 100);
		sum[k] = total;
	}

	zipf->n = n;
	zipf->last = g_new(uint32_t, n);
	for (uint32_t k = 0; k + 1 < n; k++) {
		uint32_t end = fraction(sum[k], total);
		zipf->last[k] = end ? end - 1 : 0;
	}
	zipf->last[n - 1] = UINT32_MAX;

	uint32_t rank = 0;
	for (uint32_t i = 0; i < 1u << GUIDE_BITS; i++) {
		while (zipf->last[rank] < i << (32 - GUIDE_BITS))
			rank++;
		zipf->guide[i] = rank;
	}
	return zipf;
}

void zipf_free(Zipf *zipf)
{
	if (!zipf)
		return;
	g_free(zipf->last);
	g_free(zipf);
}

uint32_t zipf_rank(const Zipf *zipf, uint32_t uniform)
{
	uint32_t rank = zipf->guide[uniform >> (32 - GUIDE_BITS)];

	while (zipf->last[rank] < uniform)
		rank++;
	return rank;
}
