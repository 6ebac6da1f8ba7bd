/* SPDX-License-Identifier: MIT */
/* Each distribution of the voting workload has the property that it is named for. */
#include <math.h>
#include <string.h>

#include "gen-trace.h"

#define LANES 32

/* The words of a launch's votes: [(block * warps + warp) * steps + step][lane]. */
typedef struct {
	uint32_t n_blocks, n_warps, n_steps;
	GArray *words;
} Votes;

static void take(const Record *record, uint64_t block, uint32_t warp, gpointer data)
{
	Votes *votes = data;

	(void)block;
	(void)warp;
	if (record->kind != RECORD_ATOM)
		return;
	g_assert_cmphex(record->mask, ==, UINT32_MAX);
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint32_t word = record->address[lane] / 4;
		g_array_append_val(votes->words, word);
	}
}

static Votes *votes_new(const char *distribution, uint32_t n_blocks, uint32_t n_warps,
			uint32_t n_steps)
{
	g_autofree char *command =
		g_strdup_printf("voting distribution=%s blocks=%u warps=%u steps=%u",
				distribution, n_blocks, n_warps, n_steps);
	g_autoptr(TraceReader) reader = gen_trace(command);
	Votes *votes = g_new(Votes, 1);

	*votes = (Votes){n_blocks, n_warps, n_steps,
			 g_array_new(FALSE, FALSE, sizeof(uint32_t))};
	visit_records(reader, take, votes);
	g_assert_cmpuint(votes->words->len, ==, n_blocks * n_warps * n_steps * LANES);
	return votes;
}

static void votes_free(Votes *votes)
{
	g_array_unref(votes->words);
	g_free(votes);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Votes, votes_free)

/* The 32 words of the i-th warp vote. */
static const uint32_t *row(const Votes *votes, uint32_t i)
{
	return &g_array_index(votes->words, uint32_t, i * LANES);
}

static uint32_t n_rows(const Votes *votes)
{
	return votes->words->len / LANES;
}

/* Share of all votes that word got. */
static double share(const Votes *votes, uint32_t word)
{
	uint32_t n = 0;

	for (guint i = 0; i < votes->words->len; i++)
		n += g_array_index(votes->words, uint32_t, i) == word;
	return (double)n / votes->words->len;
}

static void assert_near(double found, double expected, double relative)
{
	g_assert_cmpfloat_with_epsilon(found, expected, relative * expected);
}

static void test_uniform(void)
{
	g_autoptr(Votes) votes = votes_new("uniform words=100", 4, 8, 1000);

	/* 10,240 votes a word: the deviation is about 1 %. */
	for (uint32_t word = 0; word < 100; word++)
		assert_near(share(votes, word), 0.01, 0.06);
}

static void test_zipf(void)
{
	const double exponents[] = {0, 0.5, 1, 1.25, 2};

	for (guint e = 0; e < G_N_ELEMENTS(exponents); e++) {
		g_autofree char *settings =
			g_strdup_printf("zipf words=300 exponent=%.2f", exponents[e]);
		g_autoptr(Votes) votes = votes_new(settings, 4, 8, 1000);
		double total = 0;

		for (uint32_t k = 1; k <= 300; k++)
			total += pow(k, -exponents[e]);
		for (uint32_t k = 1; k <= 5; k++)
			assert_near(share(votes, k - 1), pow(k, -exponents[e]) / total, 0.08);
		g_assert_cmpfloat(share(votes, 299), <=, 1.3 / 300);
	}
}

static void test_zipf_small(void)
{
	g_autoptr(Votes) votes = votes_new("zipf words=1", 1, 1, 10);

	g_assert_cmpfloat(share(votes, 0), ==, 1.0);
}

static void test_sorted(void)
{
	g_autoptr(Votes) votes = votes_new("sorted words=64", 3, 4, 100);
	uint32_t last = 0, n_same = 0;

	/* In the order of the input: step, block, warp, lane. */
	for (uint32_t step = 0; step < 100; step++) {
		for (uint32_t warp = 0; warp < 3 * 4; warp++) {
			const uint32_t *words = row(votes, warp * 100 + step);
			n_same += words[0] == words[LANES - 1];
			for (unsigned lane = 0; lane < LANES; lane++) {
				g_assert_cmpuint(words[lane], >=, last);
				last = words[lane];
			}
		}
	}
	/* 600 elements of each word in a row: 63 of the 1,200 votes see a change. */
	g_assert_cmpuint(n_same, >=, 1200 - 63);
	for (uint32_t word = 0; word < 64; word++)
		assert_near(share(votes, word), 1.0 / 64, 0.25);
}

static void test_sorted_sparse(void)
{
	g_autoptr(Votes) votes = votes_new("sorted words=65536", 1, 1, 2);

	/* 64 of 65,536 words: two equal ones are unlikely, and this seed has none. */
	for (guint i = 1; i < votes->words->len; i++)
		g_assert_cmpuint(g_array_index(votes->words, uint32_t, i), >,
				 g_array_index(votes->words, uint32_t, i - 1));
}

static void test_warp_sorted(void)
{
	g_autoptr(Votes) votes = votes_new("warp-sorted words=256", 2, 4, 100);

	for (uint32_t i = 0; i < n_rows(votes); i++)
		for (unsigned lane = 1; lane < LANES; lane++)
			g_assert_cmpuint(row(votes, i)[lane], >=, row(votes, i)[lane - 1]);
	g_assert_cmpuint(row(votes, 0)[0], !=, row(votes, 0)[LANES - 1]);
	for (uint32_t word = 0; word < 256; word++)
		assert_near(share(votes, word), 1.0 / 256, 0.5);
}

static void test_walk(void)
{
	g_autoptr(Votes) votes = votes_new("walk words=128 reach=3", 2, 4, 100);
	gboolean seen[7] = {FALSE};

	for (uint32_t i = 0; i < n_rows(votes); i++) {
		for (unsigned lane = 1; lane < LANES; lane++) {
			uint32_t up =
				(row(votes, i)[lane] - row(votes, i)[lane - 1] + 3 + 128) % 128;
			g_assert_cmpuint(up, <=, 6);
			seen[up] = TRUE;
		}
	}
	for (guint up = 0; up < G_N_ELEMENTS(seen); up++)
		g_assert_true(seen[up]);
	for (uint32_t word = 0; word < 128; word++)
		assert_near(share(votes, word), 1.0 / 128, 0.9);
}

static void test_walk_wide(void)
{
	/* A reach beyond the vote space goes around it. */
	g_autoptr(Votes) votes = votes_new("walk words=5 reach=65536", 1, 1, 200);

	for (uint32_t word = 0; word < 5; word++)
		assert_near(share(votes, word), 0.2, 0.2);
}

static void test_hot(void)
{
	for (unsigned n_hot = 0; n_hot <= LANES; n_hot += 8) {
		g_autofree char *settings =
			g_strdup_printf("hot words=512 hot-lanes=%u", n_hot);
		g_autoptr(Votes) votes = votes_new(settings, 2, 4, 50);

		for (uint32_t i = 0; i < n_rows(votes); i++)
			for (unsigned lane = 0; lane < LANES; lane++)
				g_assert_true((row(votes, i)[lane] == 0) == (lane < n_hot));
	}
}

static void test_lanes(void)
{
	g_autoptr(Votes) votes = votes_new("lanes words=256", 2, 8, 3);

	for (uint32_t block = 0; block < 2; block++)
		for (uint32_t warp = 0; warp < 8; warp++)
			for (uint32_t step = 0; step < 3; step++)
				for (unsigned lane = 0; lane < LANES; lane++)
					g_assert_cmpuint(
						row(votes, (block * 8 + warp) * 3 + step)[lane],
						==, warp * LANES + lane);
}

static void test_warps_differ(void)
{
	g_autoptr(Votes) votes = votes_new("uniform words=256", 3, 4, 2);

	for (uint32_t i = 0; i < n_rows(votes); i++)
		for (uint32_t j = 0; j < i; j++)
			g_assert_cmpint(memcmp(row(votes, i), row(votes, j), LANES * 4), !=, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/distributions/uniform gives each word its share", test_uniform);
	g_test_add_func("/distributions/zipf gives word k a share of 1 by k to the exponent",
			test_zipf);
	g_test_add_func("/distributions/zipf of one word is that word", test_zipf_small);
	g_test_add_func("/distributions/sorted rises over the whole input", test_sorted);
	g_test_add_func("/distributions/sorted skips the words that nobody drew",
			test_sorted_sparse);
	g_test_add_func("/distributions/warp-sorted rises within each vote", test_warp_sorted);
	g_test_add_func("/distributions/walk goes at most its reach from lane to lane",
			test_walk);
	g_test_add_func("/distributions/walk with a wide reach stays in the vote space",
			test_walk_wide);
	g_test_add_func("/distributions/hot puts just so many lanes on word 0", test_hot);
	g_test_add_func("/distributions/lanes gives each thread its own word", test_lanes);
	g_test_add_func("/distributions/every warp and step has its own numbers",
			test_warps_differ);
	return g_test_run();
}
