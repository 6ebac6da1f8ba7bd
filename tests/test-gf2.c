/* SPDX-License-Identifier: MIT */
/* Rank and null space against counting, which needs no algebra. */
#include <glib.h>

#include "model/shared/gf2.h"

#define N_MATRICES 300
#define MAX_BITS   10

/* Rows that are often dependent: sums of few different vectors. */
static uint32_t random_rows(GRand *rand, uint32_t n_bits, uint32_t *rows)
{
	uint32_t n_rows = (uint32_t)g_rand_int_range(rand, 0, 8);
	uint32_t n_seeds = (uint32_t)g_rand_int_range(rand, 1, 6);
	uint32_t seeds[6];

	for (uint32_t i = 0; i < n_seeds; i++)
		seeds[i] = g_rand_int(rand) & gf2_mask(n_bits);
	for (uint32_t i = 0; i < n_rows; i++) {
		rows[i] = 0;
		for (uint32_t s = 0; s < n_seeds; s++)
			rows[i] ^= g_rand_boolean(rand) ? seeds[s] : 0;
	}
	return n_rows;
}

static gboolean is_null(const uint32_t *rows, uint32_t n_rows, uint32_t vector)
{
	for (uint32_t i = 0; i < n_rows; i++) {
		if (__builtin_parity(rows[i] & vector))
			return FALSE;
	}
	return TRUE;
}

/* The XOR of the chosen vectors. */
static uint32_t sum(const uint32_t *vectors, uint32_t n, uint32_t chosen)
{
	uint32_t result = 0;

	for (uint32_t i = 0; i < n; i++)
		result ^= chosen >> i & 1 ? vectors[i] : 0;
	return result;
}

/* 2^rank different sums of the rows. */
static void test_rank_is_log2_of_the_number_of_sums(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (guint i = 0; i < N_MATRICES; i++) {
		g_autoptr(GHashTable) sums = g_hash_table_new(NULL, NULL);
		uint32_t rows[8], n_rows = random_rows(rand, 32, rows);

		for (uint32_t chosen = 0; chosen < 1u << n_rows; chosen++)
			g_hash_table_add(sums, GUINT_TO_POINTER(sum(rows, n_rows, chosen)));
		g_assert_cmpuint(1u << gf2_rank(rows, n_rows), ==, g_hash_table_size(sums));
	}
}

static void test_null_space_holds_what_every_row_maps_to_zero_and_no_more(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);

	for (guint i = 0; i < N_MATRICES; i++) {
		uint32_t n_bits = (uint32_t)g_rand_int_range(rand, 1, MAX_BITS + 1);
		uint32_t rows[8], basis[32], n_rows = random_rows(rand, n_bits, rows);
		uint32_t n = gf2_null_space(rows, n_rows, n_bits, basis), n_null = 0;

		for (uint32_t vector = 0; vector < 1u << n_bits; vector++)
			n_null += is_null(rows, n_rows, vector);
		g_assert_cmpuint(n_null, ==, 1u << n);
		g_assert_cmpuint(gf2_rank(basis, n), ==, n);
		for (uint32_t k = 0; k < n; k++) {
			g_assert_cmpuint(basis[k], <, 1u << n_bits);
			g_assert_true(is_null(rows, n_rows, basis[k]));
		}
	}
}

static void test_bits_beyond_do_not_count_in_a_null_space(void)
{
	const uint32_t rows[] = {0x80000001, 0x40000002};
	uint32_t basis[32];

	g_assert_cmpuint(gf2_null_space(rows, 2, 2, basis), ==, 0);
	g_assert_cmpuint(gf2_null_space(rows, 2, 32, basis), ==, 30);
	g_assert_cmpuint(gf2_null_space(rows, 0, 3, basis), ==, 3);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/gf2/rank-is-log2-of-the-number-of-sums",
			test_rank_is_log2_of_the_number_of_sums);
	g_test_add_func("/gf2/null-space-holds-what-every-row-maps-to-zero-and-no-more",
			test_null_space_holds_what_every_row_maps_to_zero_and_no_more);
	g_test_add_func("/gf2/bits-beyond-do-not-count-in-a-null-space",
			test_bits_beyond_do_not_count_in_a_null_space);
	return g_test_run();
}
