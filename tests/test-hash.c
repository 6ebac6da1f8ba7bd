/* SPDX-License-Identifier: MIT */
/* The hash functions against their definitions, written a second time and differently. */
#include "model/shared/hash.h"

#include <glib.h>
#include <string.h>

static Hash build(const HashSpec *spec, uint32_t size)
{
	Hash hash;

	g_assert_null(hash_problem(spec, size));
	hash_build(spec, size, &hash);
	return hash;
}

/* Words that a test tries: the low ones, then random ones of all 32 bits. */
static uint32_t sample_word(GRand *rand, uint32_t i)
{
	return i < 4096 ? i : g_rand_int(rand);
}

#define N_SAMPLES 20000

static void test_mod_is_the_remainder(void)
{
	static const uint32_t sizes[] = {1, 2, 3, 7, 24, 31, 32, 33, 1000, 1024, 65535, 65536};
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
		Hash hash = build(&(HashSpec){.name = "mod"}, sizes[s]);

		g_assert_false(hash.linear);
		for (uint32_t i = 0; i < N_SAMPLES; i++) {
			uint32_t word = sample_word(rand, i);

			g_assert_cmpuint(hash_apply(&hash, word), ==, word % sizes[s]);
		}
	}
}

static void test_xor_folds_higher_bits_by_default(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);

	for (uint32_t bits = 1; bits <= HASH_MAX_BITS; bits++) {
		Hash hash = build(&(HashSpec){.name = "xor"}, 1u << bits);

		for (uint32_t i = 0; i < N_SAMPLES; i++) {
			uint32_t word = sample_word(rand, i);
			uint64_t folded = word;

			folded ^= folded >> bits;
			folded ^= folded >> (2 * bits);
			g_assert_cmpuint(hash_apply(&hash, word), ==,
					 folded & ((1u << bits) - 1));
		}
	}
}

static void test_xor_applies_given_shifts_in_turn(void)
{
	const HashSpec spec = {.name = "xor", .n_shifts = 4, .shifts = {3, 7, 4, 31}};
	Hash hash = build(&spec, 1024);
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);

	for (uint32_t i = 0; i < N_SAMPLES; i++) {
		uint32_t word = sample_word(rand, i), folded = word;

		folded ^= folded >> 3;
		folded ^= folded >> 7;
		folded ^= folded >> 4; /* 3 + 4 is 7: here bits meet that cancel out */
		folded ^= folded >> 31;
		g_assert_cmpuint(hash_apply(&hash, word), ==, folded % 1024);
	}
}

/* Long division over GF(2), as on paper: the highest term of the dividend first. */
static uint32_t long_division(uint32_t dividend, uint32_t divisor, uint32_t degree)
{
	for (int term = 31; term >= (int)degree; term--) {
		if (dividend >> term & 1)
			dividend ^= (uint32_t)((uint64_t)divisor << (term - (int)degree));
	}
	return dividend;
}

static void test_ipoly_of_32_banks_divides_by_raus_polynomial(void)
{
	Hash hash = build(&(HashSpec){.name = "ipoly"}, 32);
	g_autoptr(GRand) rand = g_rand_new_with_seed(4);

	for (uint32_t i = 0; i < N_SAMPLES; i++) {
		uint32_t word = sample_word(rand, i);

		g_assert_cmpuint(hash_apply(&hash, word), ==, long_division(word, 0x25, 5));
	}
}

/* The hash of x^degree gives the polynomial away, less its leading term. */
static void test_ipoly_of_every_size_divides_by_a_primitive_polynomial(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(5);

	for (uint32_t bits = 1; bits <= HASH_MAX_BITS; bits++) {
		uint32_t size = 1u << bits, power = 1, order = 0;
		Hash hash = build(&(HashSpec){.name = "ipoly"}, size);
		uint32_t divisor = size | hash_apply(&hash, size);

		for (uint32_t i = 0; i < N_SAMPLES; i++) {
			uint32_t word = sample_word(rand, i);

			g_assert_cmpuint(hash_apply(&hash, word), ==,
					 long_division(word, divisor, bits));
		}
		/* Primitive: the powers of x visit every residue but 0 before they return to 1. */
		do {
			power = long_division(power << 1, divisor, bits);
			order++;
		} while (power != 1 && order < size);
		g_assert_cmpuint(order, ==, size - 1);
	}
}

static uint32_t parity(uint32_t word)
{
	uint32_t n_ones = 0;

	for (; word; word >>= 1)
		n_ones += word & 1;
	return n_ones % 2;
}

static void test_matrix_is_a_parity_per_row(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(6);

	for (uint32_t bits = 0; bits <= HASH_MAX_BITS; bits++) {
		HashSpec spec = {.name = "matrix", .n_rows = bits};
		Hash hash;

		for (uint32_t row = 0; row < bits; row++)
			spec.rows[row] = g_rand_int(rand);
		hash = build(&spec, 1u << bits);
		for (uint32_t i = 0; i < N_SAMPLES; i++) {
			uint32_t word = sample_word(rand, i), expected = 0;

			for (uint32_t row = 0; row < bits; row++)
				expected |= parity(word & spec.rows[row]) << row;
			g_assert_cmpuint(hash_apply(&hash, word), ==, expected);
		}
	}
}

static void test_every_linear_hash_keeps_xor_and_is_its_rows(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);

	for (const HashKind *kind = hash_kinds; kind->name; kind++) {
		Hash hash = build(&(HashSpec){.name = kind->name}, 512), again;
		HashSpec rows = {.name = "matrix", .n_rows = 9};

		if (!hash.linear)
			continue;
		memcpy(rows.rows, hash.rows, sizeof(rows.rows));
		again = build(&rows, 512);
		for (uint32_t i = 0; i < N_SAMPLES; i++) {
			uint32_t a = sample_word(rand, i), b = g_rand_int(rand);

			g_assert_cmpuint(hash_apply(&hash, a ^ b), ==,
					 hash_apply(&hash, a) ^ hash_apply(&hash, b));
			g_assert_cmpuint(hash_apply(&hash, a), ==, hash_apply(&again, a));
		}
	}
}

/* Any `size` words that start at a multiple of `size` must take one entry each, where the hash is
   linear. */
static void test_every_hash_spreads_aligned_words_evenly(void)
{
	for (const HashKind *kind = hash_kinds; kind->name; kind++) {
		for (uint32_t size = 1; size <= HASH_MAX_SIZE; size *= 2) {
			Hash hash = build(&(HashSpec){.name = kind->name}, size);
			g_autofree guint8 *seen = g_malloc(size);

			for (uint32_t start = 0; start < 4 * size; start += size) {
				memset(seen, 0, size);
				for (uint32_t i = 0; i < size; i++) {
					uint32_t entry = hash_apply(&hash, start + i);

					g_assert_cmpuint(entry, <, size);
					if (hash.linear || hash_is_modulo(&hash))
						g_assert_cmpuint(seen[entry]++, ==, 0);
				}
			}
		}
	}
}

static void test_impossible_specs_are_refused(void)
{
	static const struct {
		HashSpec spec;
		uint32_t size;
		const char *problem;
	} cases[] = {
		{{.name = NULL}, 32, "there is no such hash"},
		{{.name = "modulo"}, 32, "there is no such hash"},
		{{.name = "mod"}, 0, "the size is not from 1 to 65536"},
		{{.name = "mod"}, 65537, "the size is not from 1 to 65536"},
		{{.name = "mod"}, 1000, NULL},
		{{.name = "xor"}, 1000, "the size is not a power of two"},
		{{.name = "ipoly"}, 24, "the size is not a power of two"},
		{{.name = "matrix"}, 24, "the size is not a power of two"},
		{{.name = "xor", .n_shifts = 5}, 32, "there are more than 4 shifts"},
		{{.name = "xor", .n_shifts = 1, .shifts = {32}},
		 32,
		 "a shift is not from 1 to 31"},
		{{.name = "xor", .n_shifts = 2, .shifts = {5, 0}},
		 32,
		 "a shift is not from 1 to 31"},
		{{.name = "matrix", .n_rows = 4},
		 32,
		 "the matrix does not have log2(size) rows"},
		{{.name = "matrix", .n_rows = 6},
		 32,
		 "the matrix does not have log2(size) rows"},
		{{.name = "matrix", .n_rows = 5}, 32, NULL},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpstr(hash_problem(&cases[i].spec, cases[i].size), ==,
				cases[i].problem);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/hash/mod-is-the-remainder", test_mod_is_the_remainder);
	g_test_add_func("/hash/xor-folds-higher-bits-by-default",
			test_xor_folds_higher_bits_by_default);
	g_test_add_func("/hash/xor-applies-given-shifts-in-turn",
			test_xor_applies_given_shifts_in_turn);
	g_test_add_func("/hash/ipoly-of-32-banks-divides-by-raus-polynomial",
			test_ipoly_of_32_banks_divides_by_raus_polynomial);
	g_test_add_func("/hash/ipoly-of-every-size-divides-by-a-primitive-polynomial",
			test_ipoly_of_every_size_divides_by_a_primitive_polynomial);
	g_test_add_func("/hash/matrix-is-a-parity-per-row", test_matrix_is_a_parity_per_row);
	g_test_add_func("/hash/every-linear-hash-keeps-xor-and-is-its-rows",
			test_every_linear_hash_keeps_xor_and_is_its_rows);
	g_test_add_func("/hash/every-hash-spreads-aligned-words-evenly",
			test_every_hash_spreads_aligned_words_evenly);
	g_test_add_func("/hash/impossible-specs-are-refused",
			test_impossible_specs_are_refused);
	return g_test_run();
}
