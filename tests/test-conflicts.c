/* SPDX-License-Identifier: MIT */
/* The analysis of an access: every way that this processor has gives what the plain one gives. */
#include "model/shared/conflicts.h"

#include <glib.h>
#include <string.h>

#define N_WORDS	 4096
#define N_ROUNDS 20000

static uint16_t bank_of[N_WORDS];
static uint32_t marks[2][N_WORDS];

/* Banks by the low bits, by another remainder, or by no rule. Returns what to say of it. */
static uint32_t fill_banks(GRand *rand, uint32_t n_banks)
{
	const gboolean rule = g_rand_boolean(rand);

	for (uint32_t word = 0; word < N_WORDS; word++)
		bank_of[word] = (uint16_t)((rule ? word : g_rand_int(rand)) % n_banks);
	return rule && (n_banks & (n_banks - 1)) == 0 ? n_banks : 0;
}

/* Few words or many, at random or a distance apart. */
static uint32_t fill_words(GRand *rand, uint32_t words[CONFLICTS_MAX_WORDS])
{
	static const uint32_t lengths[] = {1, 8, 16, 31, 32, 33, 64, CONFLICTS_MAX_WORDS};
	const uint32_t distinct = 1u << g_rand_int_range(rand, 0, 13);
	const uint32_t stride = (uint32_t)g_rand_int_range(rand, 0, 66);
	const gboolean random = g_rand_boolean(rand);
	uint32_t n = lengths[g_rand_int_range(rand, 0, G_N_ELEMENTS(lengths))];

	if (g_rand_int_range(rand, 0, 4) == 0)
		n = (uint32_t)g_rand_int_range(rand, 1, CONFLICTS_MAX_WORDS + 1);
	for (uint32_t i = 0; i < n; i++)
		words[i] = (random ? g_rand_int(rand) % distinct : i * stride) % N_WORDS;
	return n;
}

static void test_passes(gconstpointer data)
{
	const ConflictPath *const *pair = data;
	g_autoptr(GRand) rand = g_rand_new_with_seed(11);
	ConflictWords in = {.bank_of = bank_of};
	guint n_one = 0;

	memset(marks, 0, sizeof marks);
	for (uint32_t round = 1; round <= N_ROUNDS; round++) {
		uint32_t words[CONFLICTS_MAX_WORDS], n = fill_words(rand, words);
		uint32_t passes[2], worst[2];

		if (round % 100 == 1)
			in.modulo = fill_banks(rand, (uint32_t)g_rand_int_range(
							     rand, 1, CONFLICTS_MAX_BANKS + 1));
		if (round % 200 == 101)
			in.modulo = fill_banks(rand, 32);
		in.mark = round << 6;
		for (guint i = 0; i < 2; i++) {
			in.marks = marks[i];
			passes[i] = pair[i]->passes(&in, words, n, &worst[i]);
		}
		g_assert_cmpuint(passes[0], ==, passes[1]);
		g_assert_cmpuint(worst[0], ==, worst[1]);
		n_one += passes[0] == 1;
	}
	g_assert_cmpuint(n_one, >, N_ROUNDS / 20);
	g_assert_cmpuint(n_one, <, N_ROUNDS / 2);
}

static void test_most(gconstpointer data)
{
	const ConflictPath *const *pair = data;
	g_autoptr(GRand) rand = g_rand_new_with_seed(12);

	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		const uint32_t n_banks =
			round % 2
				? 32
				: (uint32_t)g_rand_int_range(rand, 1, CONFLICTS_MAX_BANKS + 1);
		const uint32_t n_used =
			(uint32_t)g_rand_int_range(rand, 1, (gint32)n_banks + 1);
		const uint32_t n_words = (uint32_t)g_rand_int_range(rand, 1, MAX_LANES + 1);
		BankWords words = bank_words_none;

		for (uint32_t w = 0; w < n_words; w++)
			bank_words_add(&words, (uint32_t)g_rand_int(rand) % n_used);
		g_assert_cmphex(pair[0]->most(&words, n_banks), ==,
				pair[1]->most(&words, n_banks));
	}
}

static void test_run(gconstpointer data)
{
	const ConflictPath *const *pair = data;
	g_autoptr(GRand) rand = g_rand_new_with_seed(13);
	guint n_taken = 0;

	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		const uint32_t n = (uint32_t)g_rand_int_range(rand, 1, MAX_LANES + 1);
		uint32_t words[MAX_LANES], holders[2][MAX_LANES + 1];
		uint64_t free_at[2][MAX_LANES + 1];
		bool taken[2];

		for (uint32_t i = 0; i <= MAX_LANES; i++) {
			if (i < MAX_LANES)
				words[i] = 1000 + i;
			free_at[0][i] = free_at[1][i] = i < n ? 50 : 7;
			holders[0][i] = holders[1][i] = i;
		}
		/* One that is not as it must be, or late, or behind the end. */
		if (round % 3 == 1)
			words[g_rand_int_range(rand, 0, MAX_LANES)] ^= 1u << round % 11;
		if (round % 3 == 2) {
			const uint32_t late = (uint32_t)g_rand_int_range(rand, 0, MAX_LANES);

			free_at[0][late] = free_at[1][late] = round % 2 ? UINT64_MAX : 51;
		}
		for (guint i = 0; i < 2; i++)
			taken[i] = pair[i]->take_run(words, n, free_at[i], holders[i], 50, 6,
						     round % 48);
		g_assert_true(taken[0] == taken[1]);
		g_assert_cmpmem(free_at[0], sizeof free_at[0], free_at[1], sizeof free_at[1]);
		g_assert_cmpmem(holders[0], sizeof holders[0], holders[1], sizeof holders[1]);
		n_taken += taken[0];
	}
	g_assert_cmpuint(n_taken, >, N_ROUNDS / 3);
	g_assert_cmpuint(n_taken, <, N_ROUNDS * 3 / 4);
}

/* What the plain way itself says of accesses whose passes are known. */
static void test_plain(gconstpointer data)
{
	const ConflictPath *const *pair = data;
	const uint32_t words[] = {5, 37, 5, 69, 6, 38, 70, 102};
	const uint32_t bank[] = {3, 7, 7, 3, 9};
	const ConflictWords in = {.bank_of = bank_of, .marks = marks[0], .mark = 1};
	uint64_t free_at[2] = {5, 5};
	BankWords counted = bank_words_none;
	uint32_t worst, holders[2];

	memset(marks, 0, sizeof marks);
	for (uint32_t word = 0; word < N_WORDS; word++)
		bank_of[word] = (uint16_t)(word % 32);
	g_assert_cmpuint(pair[1]->passes(&in, words, 4, &worst), ==, 3);
	g_assert_cmpuint(worst, ==, 5);
	g_assert_cmpuint(pair[1]->passes(&in, words, 8, &worst), ==, 4);
	g_assert_cmpuint(worst, ==, 6);
	for (guint w = 0; w < G_N_ELEMENTS(bank); w++)
		bank_words_add(&counted, bank[w]);
	g_assert_cmphex(pair[1]->most(&counted, 32), ==, 2 << 8 | 7);
	bank_words_take(&counted, 7);
	bank_words_take(&counted, 3);
	g_assert_cmphex(pair[1]->most(&counted, 32), ==, 1 << 8 | 9);
	g_assert_false(pair[1]->take_run(words, 2, free_at, holders, 5, 6, 3));
	g_assert_true(pair[1]->take_run(words + 4, 1, free_at, holders, 5, 6, 3));
	g_assert_cmphex(free_at[0], ==, UINT64_MAX);
	g_assert_cmphex(holders[0], ==, 6 << 6 | 3);
	g_assert_false(pair[1]->take_run(words + 4, 1, free_at, holders, 5, 6, 3));
}

int main(int argc, char **argv)
{
	static const ConflictPath *paths[CONFLICTS_MAX_PATHS];
	static const ConflictPath *pairs[CONFLICTS_MAX_PATHS][2];
	unsigned n = conflict_paths(paths);

	g_test_init(&argc, &argv, NULL);
	for (unsigned i = 0; i < n; i++) {
		g_autofree char *passes =
			g_strdup_printf("/conflicts/passes-as-plain/%s", paths[i]->name);
		g_autofree char *most =
			g_strdup_printf("/conflicts/most-as-plain/%s", paths[i]->name);

		g_autofree char *run =
			g_strdup_printf("/conflicts/run-as-plain/%s", paths[i]->name);

		pairs[i][0] = paths[i];
		pairs[i][1] = paths[n - 1];
		g_test_add_data_func(passes, pairs[i], test_passes);
		g_test_add_data_func(most, pairs[i], test_most);
		g_test_add_data_func(run, pairs[i], test_run);
	}
	g_test_add_data_func("/conflicts/plain-is-right", pairs[n - 1], test_plain);
	return g_test_run();
}
