/* SPDX-License-Identifier: MIT */
/* Algorithm 1 against the numbers of Gomez-Luna et al., TPDS 2013, section 3 and Fig 2-4. */
#include <glib.h>

#include "list-source.h"
#include "model/atomic/algorithm1.h"
#include "model/atomic/winner.h"

#define T_BASE	   108u
#define T_POSITION 120u
#define T_BANK	   32u
#define SHORT	   (2 * T_BANK)		 /* read and write; the paper says "typically 68" */
#define LONG	   (T_POSITION + T_BANK) /* 152 */
#define EXTRA	   T_BANK

static uint64_t cycles_of(const uint32_t *words)
{
	Machine fermi = list_fermi();
	ClosedForm result;

	algorithm1(&fermi.atomic, &fermi.shared, &fermi.ideal, words, 32, 0, &result);
	g_assert_cmpuint(result.cycles, ==,
			 result.base_cycles + result.lock_cycles + result.bank_cycles);
	return result.cycles;
}

/* 0 1 2 .. 31 with the first n lanes replaced. */
static uint64_t with_first(uint32_t n, const uint32_t *first)
{
	uint32_t words[32];

	for (uint32_t i = 0; i < 32; i++)
		words[i] = i < n ? first[i] : i;
	return cycles_of(words);
}

static void no_conflict_costs_t_base(void)
{
	g_assert_cmpuint(with_first(0, NULL), ==, T_BASE);
}

static void each_further_lane_on_a_word_costs_t_position(void)
{
	uint32_t words[32];

	for (uint32_t n = 1; n <= 32; n++) {
		for (uint32_t i = 0; i < 32; i++)
			words[i] = i < n ? 0 : i;
		g_assert_cmpuint(cycles_of(words), ==, T_BASE + (n - 1) * T_POSITION);
	}
}

static void of_several_contended_words_the_worst_decides(void)
{
	uint32_t words[32], free_word = 0;

	for (uint32_t i = 0; i < 32; i++) {
		while (free_word == 7 || free_word == 20)
			free_word++;
		words[i] = i < 5 ? 7 : i < 9 ? 20 : free_word++;
	}
	g_assert_cmpuint(cycles_of(words), ==, T_BASE + 4 * T_POSITION);
}

static void the_worked_examples_cost_what_the_paper_says(void)
{
	g_assert_cmpuint(with_first(2, (uint32_t[]){0, 1024}), ==, T_BASE + LONG);
	g_assert_cmpuint(with_first(2, (uint32_t[]){0, 32}), ==, T_BASE + SHORT);
	g_assert_cmpuint(with_first(3, (uint32_t[]){0, 1024, 2048}), ==,
			 T_BASE + 2 * LONG + EXTRA);
	g_assert_cmpuint(with_first(4, (uint32_t[]){0, 1024, 2048, 32}), ==,
			 T_BASE + 2 * LONG + EXTRA + SHORT);
	g_assert_cmpuint(with_first(5, (uint32_t[]){0, 1024, 2048, 32, 1056}), ==,
			 T_BASE + 2 * LONG + 2 * EXTRA + 2 * SHORT);
}

static void stride_32_costs_one_short_a_way(void)
{
	for (uint32_t m = 1; m <= 32; m++) {
		uint32_t words[32];

		for (uint32_t i = 0; i < 32; i++)
			words[i] = i < m ? 32 * i : i;
		g_assert_cmpuint(cycles_of(words), ==, T_BASE + (m - 1) * SHORT);
	}
}

static void one_active_lane_costs_t_base_and_all_never_less(void)
{
	Machine fermi = list_fermi();
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);

	for (int trial = 0; trial < 1000; trial++) {
		uint32_t words[32];
		ClosedForm all, some;

		for (uint32_t i = 0; i < 32; i++)
			words[i] = (uint32_t)g_rand_int_range(rand, 0, 4096);
		algorithm1(&fermi.atomic, &fermi.shared, &fermi.ideal, words, 32, 0, &all);
		algorithm1(&fermi.atomic, &fermi.shared, &fermi.ideal, words, 1, 0, &some);
		g_assert_cmpuint(some.cycles, ==, T_BASE);
		g_assert_cmpuint(all.cycles, >=, T_BASE);
		g_assert_cmpuint(all.n_rounds, >=, 1);
	}
}

/* Of 32 lanes or of 64, a turn is as long as the warp is wide. */
static void rotation_comes_back_to_the_first_lane(void)
{
	const LaneMask all = UINT64_MAX, half = UINT32_MAX;

	for (uint64_t round = 0; round < 200; round++) {
		g_assert_cmpuint(winner_pick(WINNER_ROTATE, half, 32, round, 0, 0), ==,
				 round % 32);
		g_assert_cmpuint(winner_pick(WINNER_ROTATE, all, 64, round, 0, 0), ==,
				 round % 64);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/winner/rotation comes back to the first lane",
			rotation_comes_back_to_the_first_lane);
	g_test_add_func("/algorithm1/no conflict costs t_base", no_conflict_costs_t_base);
	g_test_add_func("/algorithm1/each further lane on a word costs t_position",
			each_further_lane_on_a_word_costs_t_position);
	g_test_add_func("/algorithm1/of several contended words the worst decides",
			of_several_contended_words_the_worst_decides);
	g_test_add_func("/algorithm1/the worked examples cost what the paper says",
			the_worked_examples_cost_what_the_paper_says);
	g_test_add_func("/algorithm1/stride 32 costs one short a way",
			stride_32_costs_one_short_a_way);
	g_test_add_func("/algorithm1/one active lane costs t_base and all never less",
			one_active_lane_costs_t_base_and_all_never_less);
	return g_test_run();
}
