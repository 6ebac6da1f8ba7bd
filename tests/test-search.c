/* SPDX-License-Identifier: MIT */
/* The search of XOR hashes: what it counts, what it finds, what it proves, what it advises. */
#include <string.h>

#include "explore/search/blocks.h"
#include "explore/search/pairs.h"
#include "explore/search/search.h"
#include "explore/search/xor-search.h"
#include "gen-trace.h"
#include "list-source.h"

#define MANY_NODES 1000000

/* The pairs that a hash of these columns sends to one entry, by applying it to every XOR. */
static uint64_t brute_pairs(const XorProblem *problem, const uint32_t *columns)
{
	HashSpec spec = {.name = "matrix", .n_rows = problem->n_outputs};
	uint64_t sum = 0;
	Hash hash;

	xor_rows(problem, columns, spec.rows);
	hash_build(&spec, 1u << problem->n_outputs, &hash);
	for (uint32_t x = 1; x < 1u << problem->n_bits; x++)
		sum += hash_apply(&hash, x) == 0 ? problem->pairs[x] : 0;
	return sum;
}

static gboolean fits(const XorProblem *problem, const uint32_t *columns)
{
	uint32_t rows[HASH_MAX_BITS];

	xor_rows(problem, columns, rows);
	for (uint32_t i = 0; i < problem->n_outputs; i++) {
		uint32_t n_inputs = (uint32_t)__builtin_popcount(rows[i]);

		if ((problem->max_inputs && n_inputs > problem->max_inputs) ||
		    (i < problem->n_kept && n_inputs > 1))
			return FALSE;
	}
	return TRUE;
}

/* The fewest pairs of all hashes of the problem. */
static uint64_t exhaustive(const XorProblem *problem)
{
	uint32_t n_columns = problem->n_bits - problem->n_outputs;
	uint64_t fewest = UINT64_MAX;

	for (uint32_t all = 0; all < 1u << (n_columns * problem->n_outputs); all++) {
		uint32_t columns[XOR_MAX_COLUMNS] = {0};

		for (uint32_t k = 0; k < n_columns; k++)
			columns[k] = all >> (k * problem->n_outputs) &
				     ((1u << problem->n_outputs) - 1);
		if (fits(problem, columns))
			fewest = MIN(fewest, xor_pairs(problem, columns));
	}
	return fewest;
}

/* Counts of which many are 0, as those of structured accesses are. */
static void random_pairs(GRand *rand, uint64_t *pairs, uint32_t n_bits)
{
	gint sparse = g_rand_int_range(rand, 1, 6);

	pairs[0] = 0;
	for (uint32_t x = 1; x < 1u << n_bits; x++)
		pairs[x] =
			g_rand_int_range(rand, 0, sparse) ? 0 : g_rand_int_range(rand, 0, 1000);
}

static XorProblem random_problem(GRand *rand, uint64_t *pairs)
{
	static const uint32_t sizes[][2] = {{6, 2}, {6, 3}, {5, 1}, {7, 3}, {4, 4}, {5, 4}};
	guint i = (guint)g_rand_int_range(rand, 0, G_N_ELEMENTS(sizes));
	XorProblem problem = {pairs, sizes[i][0], sizes[i][1],
			      (uint32_t)g_rand_int_range(rand, 0, 4),
			      (uint32_t)g_rand_int_range(rand, 0, (gint)sizes[i][1] + 1)};

	random_pairs(rand, pairs, problem.n_bits);
	return problem;
}

static void test_pairs_of_a_hash_are_a_sum_over_its_null_space(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	uint64_t pairs[256];

	for (guint i = 0; i < 200; i++) {
		XorProblem problem = random_problem(rand, pairs);
		uint32_t columns[XOR_MAX_COLUMNS] = {0};

		for (uint32_t k = 0; k < problem.n_bits - problem.n_outputs; k++)
			columns[k] = g_rand_int(rand) & ((1u << problem.n_outputs) - 1);
		g_assert_cmpuint(xor_pairs(&problem, columns), ==,
				 brute_pairs(&problem, columns));
	}
}

static void test_columns_and_rows_are_the_same_hash(void)
{
	const XorProblem problem = {NULL, 9, 4, 4, 0}, kept = {NULL, 9, 4, 4, 1};
	const uint32_t columns[XOR_MAX_COLUMNS] = {1, 8, 5, 2, 9};
	uint32_t rows[HASH_MAX_BITS], again[XOR_MAX_COLUMNS];

	xor_rows(&problem, columns, rows);
	g_assert_cmphex(rows[0], ==, 0x151);
	g_assert_true(xor_columns(&problem, rows, again));
	g_assert_false(xor_columns(&kept, rows, again));
	g_assert_true(xor_columns(&problem, rows, again));
	g_assert_cmpmem(columns, sizeof(columns), again, sizeof(again));
	rows[1] |= 0x1;
	g_assert_false(xor_columns(&problem, rows, again));
	rows[1] ^= 0x1 | 0x170; /* a fifth input */
	g_assert_false(xor_columns(&problem, rows, again));
}

static void test_branch_and_bound_finds_what_trying_all_finds(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);
	uint64_t pairs[256];

	for (guint i = 0; i < 60; i++) {
		XorProblem problem = random_problem(rand, pairs);
		XorHash best = {0};
		XorProof proof;

		best.pairs = xor_pairs(&problem, best.columns);
		xor_branch_and_bound(&problem, MANY_NODES, &best, &proof);
		g_assert_true(proof.proved);
		g_assert_cmpuint(proof.bound, ==, best.pairs);
		g_assert_cmpuint(best.pairs, ==, exhaustive(&problem));
		g_assert_cmpuint(best.pairs, ==, brute_pairs(&problem, best.columns));
		g_assert_true(fits(&problem, best.columns));
	}
}

static void test_a_proof_that_is_given_up_says_so_and_its_bound_holds(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	uint64_t pairs[128];
	guint n_given_up = 0;

	for (guint i = 0; i < 40; i++) {
		XorProblem problem = {pairs, 6, 3, 0, 0};
		XorHash best = {0};
		XorProof proof;

		random_pairs(rand, pairs, problem.n_bits);
		best.pairs = xor_pairs(&problem, best.columns);
		xor_branch_and_bound(&problem, 3, &best, &proof);
		g_assert_cmpuint(proof.bound, <=, exhaustive(&problem));
		g_assert_cmpuint(best.pairs, ==, brute_pairs(&problem, best.columns));
		n_given_up += !proof.proved;
	}
	g_assert_cmpuint(n_given_up, >, 0);
}

static void test_climbing_ends_where_no_column_can_be_better(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(4);
	uint64_t pairs[256];

	for (guint i = 0; i < 100; i++) {
		XorProblem problem = random_problem(rand, pairs);
		uint32_t n_columns = problem.n_bits - problem.n_outputs;
		XorHash hash = {0};

		xor_climb(&problem, &hash);
		g_assert_cmpuint(hash.pairs, ==, brute_pairs(&problem, hash.columns));
		g_assert_true(fits(&problem, hash.columns));
		for (uint32_t k = 0; k < n_columns; k++) {
			XorHash other = hash;

			for (other.columns[k] = 0; other.columns[k] < 1u << problem.n_outputs;
			     other.columns[k]++) {
				if (fits(&problem, other.columns))
					g_assert_cmpuint(xor_pairs(&problem, other.columns), >=,
							 hash.pairs);
			}
		}
	}
}

/* Accesses of 32 words in 32 banks of a secret hash. */
static void plant(GRand *rand, const Hash *secret, ListSource *list)
{
	for (guint i = 0; i < 400; i++) {
		uint32_t words[32], n = 0, taken = 0;

		while (n < 32) {
			uint32_t word = g_rand_int(rand) & 1023;
			uint32_t bank = hash_apply(secret, word);

			if (taken >> bank & 1)
				continue;
			taken |= 1u << bank;
			words[n++] = word;
		}
		Record record = list_record(RECORD_LDS, words, 32);
		list_source_append(list, 0, 0, &record);
	}
}

static void test_search_finds_a_planted_hash_without_conflicts(void)
{
	const XorProblem shape = {NULL, 10, 5, 0, 0};
	const uint32_t secret[XOR_MAX_COLUMNS] = {0x13, 0x05, 0x1c, 0x0a, 0x19};
	HashSpec spec = {.name = "matrix", .n_rows = 5};
	g_autoptr(GRand) rand = g_rand_new_with_seed(5);
	g_autoptr(ListSource) list = list_source_new(1, 1, 4096);
	PairCounts pairs;
	XorHash hashes[2];
	XorRanking ranking = {hashes, 0, 2};
	Hash hash;

	xor_rows(&shape, secret, spec.rows);
	hash_build(&spec, 32, &hash);
	plant(rand, &hash, list);
	pairs_init(&pairs, 10);
	g_assert_true(pairs_add(&pairs, &list->source, FALSE));
	XorProblem problem = {pairs.counts, 10, 5, 0, 0};
	xor_restarts(&problem, 16, 1, &ranking);
	g_assert_cmpuint(ranking.hashes[0].pairs, ==, 0);
	g_assert_cmpmem(ranking.hashes[0].columns, sizeof(secret), secret, sizeof(secret));
	g_assert_cmpuint(ranking.hashes[1].pairs, >, 0);
	pairs_clear(&pairs);
}

static void test_pairs_are_of_different_words_of_one_access(void)
{
	const uint32_t words[] = {0, 5, 0, 9}, more[] = {1, 3};
	g_autoptr(ListSource) list = list_source_new(1, 2, 64);
	Record atom = list_record(RECORD_ATOM, words, 4);
	Record load = list_record(RECORD_LDS, more, 2);
	PairCounts pairs;

	load.width = 8;
	list_source_append(list, 0, 0, &atom);
	list_source_append(list, 0, 1, &load);
	g_assert_cmpuint(pairs_bits(&list->source), ==, 4);
	pairs_init(&pairs, 4);
	g_assert_true(pairs_add(&pairs, &list->source, TRUE));
	g_assert_cmpuint(pairs.total, ==, 3); /* 0, 5, 9 */
	g_assert_cmpuint(pairs.counts[0], ==, 0);
	g_assert_cmpuint(pairs.counts[5], ==, 1);
	g_assert_cmpuint(pairs.counts[9], ==, 1);
	g_assert_cmpuint(pairs.counts[12], ==, 1);
	g_assert_cmpuint(pairs.accesses, ==, 1);
	g_assert_true(pairs_add(&pairs, &list->source, FALSE));
	g_assert_cmpuint(pairs.total, ==, 3 + 3 + 6); /* and 1, 2, 3, 4 */
	g_assert_cmpuint(pairs.counts[7], ==, 1);
	pairs_clear(&pairs);
}

static void test_every_second_block_can_be_taken(void)
{
	g_autoptr(TraceReader) reader = gen_trace("voting blocks=5 warps=1 steps=1");
	BlockSubset even, odd;
	BlockInfo info;

	block_subset_init(&even, trace_source(reader), 0, 2);
	block_subset_init(&odd, trace_source(reader), 1, 2);
	g_assert_cmpuint(even.source.n_blocks, ==, 3);
	g_assert_cmpuint(odd.source.n_blocks, ==, 2);
	even.source.block_info(&even.source, 2, &info);
	g_assert_cmpuint(info.block_id, ==, 4);
	odd.source.block_info(&odd.source, 1, &info);
	g_assert_cmpuint(info.block_id, ==, 3);
	block_subset_init(&odd, trace_source(reader), 5, 2);
	g_assert_cmpuint(odd.source.n_blocks, ==, 0);
}

static void search(const char *command, SearchTarget target, uint32_t max_inputs,
		   uint32_t n_threads, SearchResult *result)
{
	g_autoptr(TraceReader) reader = gen_trace(command);
	Machine machine = list_fermi();
	const SearchRequest request = {
		.readers = &reader,
		.n_readers = 1,
		.max_inputs = max_inputs,
		.n_candidates = 2,
		.n_restarts = 4,
		.max_nodes = 1000,
		.n_threads = n_threads,
	};

	list_lock_bits(&machine)->ports =
		0; /* a hash of the banks leaves locks where they are */
	g_assert_true(search_run(&machine, target, &request, result, NULL));
}

static const SearchCandidate *candidate_of(const SearchResult *result, const char *name)
{
	for (guint i = 0; i < result->candidates->len; i++) {
		const SearchCandidate *candidate = g_ptr_array_index(result->candidates, i);

		if (strcmp(candidate->name, name) == 0)
			return candidate;
	}
	g_assert_not_reached();
}

#define COPIES "voting distribution=walk words=256 replicas=32 blocks=4 warps=8 steps=8"

static void test_copies_that_share_banks_are_told_apart_by_a_hash(void)
{
	g_auto(SearchResult) result = {0};

	search(COPIES, SEARCH_BANK, 0, 1, &result);
	const SearchCandidate *chosen = search_chosen(&result);
	const SearchCandidate *mod = search_configured(&result);

	g_assert_cmpstr(mod->name, ==, "mod");
	g_assert_false(chosen->configured);
	g_assert_cmpuint(chosen->cycles * 2, <, mod->cycles);
	g_assert_cmpuint(result.blocks_searched, ==, 2);
	g_assert_cmpuint(result.blocks_judged, ==, 2);
	g_assert_true(result.held_out);
}

static void test_a_limit_on_inputs_is_kept_by_what_is_found(void)
{
	g_auto(SearchResult) result = {0};

	search(COPIES, SEARCH_BANK, 2, 1, &result);
	for (guint i = 0; i < result.candidates->len; i++) {
		const SearchCandidate *candidate = g_ptr_array_index(result.candidates, i);

		if (candidate->found)
			g_assert_cmpuint(candidate->max_inputs, <=, 2);
	}
	g_assert_cmpuint(candidate_of(&result, "found 1")->max_inputs, ==, 2);
}

static void test_nothing_is_advised_for_random_words(void)
{
	g_auto(SearchResult) banks = {0};
	g_auto(SearchResult) locks = {0};

	search("voting words=4096 blocks=4 warps=8 steps=16", SEARCH_BANK, 0, 1, &banks);
	search("voting words=4096 blocks=4 warps=8 steps=16", SEARCH_LOCK, 0, 1, &locks);
	g_assert_true(search_chosen(&banks)->configured);
	g_assert_true(search_chosen(&locks)->configured);
}

static void test_hashing_hurts_where_padding_was_done(void)
{
	g_auto(SearchResult) result = {0};

	search("transpose size=64 padding=1", SEARCH_BANK, 0, 1, &result);
	const SearchCandidate *mod = candidate_of(&result, "mod");

	g_assert_true(search_chosen(&result) == mod);
	g_assert_cmpuint(mod->conflict_passes, ==, 0);
	g_assert_true(search_beats(&result, mod, candidate_of(&result, "xor")));
}

static void test_a_hash_beats_another_by_cycles_and_by_conflicts_beyond_chance(void)
{
	static const struct {
		uint64_t cycles, conflicts;
		gboolean beats;
	} cases[] = {
		{9900, 9000, TRUE},   {9901, 9000, FALSE}, /* 1 % of the cycles */
		{10001, 9000, FALSE}, {9000, 10000, FALSE},
		{9000, 11000, FALSE}, {9000, 9701, FALSE}, /* three times the root of 10,000 */
		{9000, 9700, TRUE},
	};
	const SearchResult result = {.target = SEARCH_LOCK};
	SearchCandidate other = {.cycles = 10000, .aliases = 10000, .conflict_passes = 1};
	SearchCandidate many = {.cycles = 10000, .aliases = 1000000};
	SearchCandidate candidate = {.conflict_passes = 2};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		candidate.cycles = cases[i].cycles;
		candidate.aliases = cases[i].conflicts;
		g_assert_cmpint(search_beats(&result, &candidate, &other), ==, cases[i].beats);
	}
	/* 2 % of many */
	candidate.aliases = 980001;
	g_assert_false(search_beats(&result, &candidate, &many));
	candidate.aliases = 980000;
	g_assert_true(search_beats(&result, &candidate, &many));
}

static void test_with_a_lock_for_each_word_nothing_is_searched(void)
{
	g_auto(SearchResult) result = {0};

	search("voting words=1024 blocks=2 warps=2 steps=4", SEARCH_LOCK, 0, 1, &result);
	g_assert_cmpuint(result.n_bits, ==, 0);
	g_assert_true(search_chosen(&result)->configured);
}

static void test_a_single_block_is_searched_and_judged_itself(void)
{
	g_auto(SearchResult) result = {0};

	search("voting words=64 blocks=1 warps=2 steps=4", SEARCH_BANK, 0, 1, &result);
	g_assert_false(result.held_out);
	g_assert_cmpuint(result.blocks_searched, ==, 1);
	g_assert_cmpuint(result.blocks_judged, ==, 1);
}

static void test_threads_do_not_change_what_is_found(void)
{
	g_auto(SearchResult) one = {0};
	g_auto(SearchResult) three = {0};

	search(COPIES, SEARCH_LOCK, 0, 1, &one);
	search(COPIES, SEARCH_LOCK, 0, 3, &three);
	g_assert_cmpuint(one.candidates->len, ==, three.candidates->len);
	for (guint i = 0; i < one.candidates->len; i++) {
		const SearchCandidate *a = g_ptr_array_index(one.candidates, i);
		const SearchCandidate *b = g_ptr_array_index(three.candidates, i);

		g_assert_cmpstr(a->name, ==, b->name);
		g_assert_cmpuint(a->cycles, ==, b->cycles);
		g_assert_cmpmem(a->spec.rows, sizeof(a->spec.rows), b->spec.rows,
				sizeof(b->spec.rows));
	}
}

/* The name of a test reads as its function's. */
static void add(const char *name, GTestFunc function)
{
	g_autofree char *path = g_strconcat("/search/", name, NULL);

	g_test_add_func(g_strdelimit(path, "_", '-'), function);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define ADD(name) add(#name, test_##name)
	ADD(pairs_of_a_hash_are_a_sum_over_its_null_space);
	ADD(columns_and_rows_are_the_same_hash);
	ADD(branch_and_bound_finds_what_trying_all_finds);
	ADD(a_proof_that_is_given_up_says_so_and_its_bound_holds);
	ADD(climbing_ends_where_no_column_can_be_better);
	ADD(search_finds_a_planted_hash_without_conflicts);
	ADD(pairs_are_of_different_words_of_one_access);
	ADD(every_second_block_can_be_taken);
	ADD(copies_that_share_banks_are_told_apart_by_a_hash);
	ADD(a_limit_on_inputs_is_kept_by_what_is_found);
	ADD(nothing_is_advised_for_random_words);
	ADD(hashing_hurts_where_padding_was_done);
	ADD(a_hash_beats_another_by_cycles_and_by_conflicts_beyond_chance);
	ADD(with_a_lock_for_each_word_nothing_is_searched);
	ADD(a_single_block_is_searched_and_judged_itself);
	ADD(threads_do_not_change_what_is_found);
	return g_test_run();
}
