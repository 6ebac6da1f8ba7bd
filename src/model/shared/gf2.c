/* SPDX-License-Identifier: MIT */
#include "model/shared/gf2.h"

#include <assert.h>

uint32_t gf2_mask(uint32_t n_bits)
{
	assert(n_bits <= GF2_MAX_BITS);
	return n_bits == 32 ? UINT32_MAX : (UINT32_C(1) << n_bits) - 1;
}

/*
 * Brings the rows into reduced echelon form: pivots[i] is the bit that row i alone has among the first
 * `rank` rows, which are all that is not 0. Returns the rank.
 */
static uint32_t reduce(uint32_t *rows, uint32_t n_rows, uint32_t *pivots)
{
	uint32_t rank = 0;

	for (uint32_t bit = 0; bit < GF2_MAX_BITS && rank < n_rows; bit++) {
		uint32_t pivot = rank, row;

		while (pivot < n_rows && !(rows[pivot] >> bit & 1))
			pivot++;
		if (pivot == n_rows)
			continue;
		row = rows[pivot];
		rows[pivot] = rows[rank];
		rows[rank] = row;
		for (uint32_t i = 0; i < n_rows; i++) {
			if (i != rank && rows[i] >> bit & 1)
				rows[i] ^= row;
		}
		pivots[rank++] = bit;
	}
	return rank;
}

uint32_t gf2_rank(const uint32_t *rows, uint32_t n_rows)
{
	uint32_t reduced[GF2_MAX_BITS], pivots[GF2_MAX_BITS];

	assert(n_rows <= GF2_MAX_BITS);
	for (uint32_t i = 0; i < n_rows; i++)
		reduced[i] = rows[i];
	return reduce(reduced, n_rows, pivots);
}

uint32_t gf2_null_space(const uint32_t *rows, uint32_t n_rows, uint32_t n_bits, uint32_t *basis)
{
	uint32_t reduced[GF2_MAX_BITS], pivots[GF2_MAX_BITS], rank, bound = 0, n = 0;

	assert(n_rows <= GF2_MAX_BITS);
	for (uint32_t i = 0; i < n_rows; i++)
		reduced[i] = rows[i] & gf2_mask(n_bits);
	rank = reduce(reduced, n_rows, pivots);
	for (uint32_t i = 0; i < rank; i++)
		bound |= UINT32_C(1) << pivots[i];
	/* A free bit, and the bound ones that undo what it does to their rows. */
	for (uint32_t bit = 0; bit < n_bits; bit++) {
		if (bound >> bit & 1)
			continue;
		basis[n] = UINT32_C(1) << bit;
		for (uint32_t i = 0; i < rank; i++)
			basis[n] |= (reduced[i] >> bit & 1) << pivots[i];
		n++;
	}
	return n;
}
