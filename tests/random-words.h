/* SPDX-License-Identifier: MIT */
/*
 * Random access patterns of all the families that the published measurements use, for tests.
 */
#ifndef ATOMSIM_TESTS_RANDOM_WORDS_H
#define ATOMSIM_TESTS_RANDOM_WORDS_H

#include <glib.h>

#define N_PATTERN_FAMILIES 7

/* Fills n words below `limit` (a power of two, 64 or more) with a pattern of family 0 .. 6. */
static inline void random_words(GRand *rand, int family, uint32_t limit, uint32_t *words,
				uint32_t n)
{
	uint32_t a = g_rand_int(rand), b = g_rand_int(rand);
	uint32_t few = 1 + a % n, stride = 1u << b % 12;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t r = g_rand_int(rand);

		switch (family) {
		case 0: /* some lanes on one word */
			words[i] = i < few ? b : i;
			break;
		case 1: /* some lanes a stride apart */
			words[i] = i < few ? i * stride : i;
			break;
		case 2: /* groups of lanes on words of their own */
			words[i] = i / few * stride;
			break;
		case 3: /* uniform */
			words[i] = r;
			break;
		case 4: /* uniform over few words */
			words[i] = r % (1 + a % 64);
			break;
		case 5: /* words that share a lock of Fermi's table, or a bank, or nothing */
			words[i] = r % 4 * 1024 + (r >> 8) % 3 * 32 + (r >> 16) % 2;
			break;
		default: /* skewed: small numbers often */
			words[i] = r >> (r % 32);
		}
		words[i] %= limit;
	}
}

#endif
