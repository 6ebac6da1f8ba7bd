/* SPDX-License-Identifier: MIT */
/*
 * Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4): the high bits of the product with 2^64 divided by the
 * golden ratio. A leaf: every layer may include it.
 */
#ifndef ATOMSIM_BASE_SPREAD_H
#define ATOMSIM_BASE_SPREAD_H

#include <stdint.h>

/* Spreads keys, so that the highest bits of the result depend on all of the key's. */
static inline uint64_t spread_key(uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15);
}

#endif
