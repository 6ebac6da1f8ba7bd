/* SPDX-License-Identifier: MIT */
#include "explore/search/hashes.h"

#include "model/shared/gf2.h"

#define MAX_CHEAP_INPUTS 4 /* of an output bit, where costs are bounded */

void search_candidate_free(gpointer data)
{
	SearchCandidate *candidate = data;

	g_free(candidate->name);
	g_free(candidate);
}

/* Pairs that a hash sends to one entry, whatever hash it is. */
static uint64_t pairs_of(const PairCounts *pairs, const Hash *hash)
{
	g_autofree uint16_t *images = hash_tabulate(hash, UINT32_C(1) << pairs->n_bits);
	uint64_t sum = 0;

	for (uint32_t x = 1; x < UINT32_C(1) << pairs->n_bits; x++)
		sum += images[x] == images[0] ? pairs->counts[x] : 0;
	return sum;
}

static void fill_gates(const Search *search, SearchCandidate *candidate, const Hash *hash,
		       const uint32_t *rows, uint32_t n_rows)
{
	candidate->n_gates = hash_gates(hash, search->pairs.n_bits);
	for (uint32_t i = 0; i < n_rows; i++) {
		uint32_t n_inputs =
			(uint32_t)__builtin_popcount(rows[i] & gf2_mask(search->pairs.n_bits));

		candidate->max_inputs = MAX(candidate->max_inputs, n_inputs);
	}
}

static gboolean same_rows(const Search *search, const HashSpec *spec, const uint32_t *rows,
			  uint32_t n_rows)
{
	uint32_t others[HASH_MAX_BITS];
	Hash hash;

	hash_build(spec, search->result->size, &hash);
	hash_rows(&hash, others);
	for (uint32_t i = 0; i < n_rows; i++) {
		if ((rows[i] ^ others[i]) & gf2_mask(search->pairs.n_bits))
			return FALSE;
	}
	return TRUE;
}

gboolean search_is_matrix(const HashSpec *spec, uint32_t size)
{
	uint32_t rows[HASH_MAX_BITS];
	Hash hash;

	hash_build(spec, size, &hash);
	return hash_rows(&hash, rows) != UINT32_MAX;
}

static uint64_t cost_with(const Search *search, const HashSpec *spec)
{
	Machine machine = search->machine;
	CostMachine hardware;

	*search_hash(&machine, search->result->target) = *spec;
	hardware = machine_hardware(&machine);
	return cost_total(&hardware);
}

static gboolean is_too_dear(const Search *search, const HashSpec *spec)
{
	const uint64_t most = search->request->max_cost;

	return most > 0 && cost_with(search, spec) > most;
}

/* Adds the hash unless one that does the same to the traces' words is there; returns that one. */
static SearchCandidate *add_candidate(Search *search, const char *name, const HashSpec *spec)
{
	GPtrArray *candidates = search->result->candidates;
	SearchCandidate *candidate = NULL;
	uint32_t rows[HASH_MAX_BITS], n_rows;
	Hash hash;

	hash_build(spec, search->result->size, &hash);
	n_rows = hash_rows(&hash, rows);
	for (guint i = 0; i < candidates->len; i++) {
		candidate = g_ptr_array_index(candidates, i);
		if (same_rows(search, &candidate->spec, rows, n_rows))
			return candidate;
	}
	candidate = g_new0(SearchCandidate, 1);
	candidate->name = g_strdup(name);
	candidate->spec = *spec;
	candidate->cost_bits = cost_with(search, spec);
	candidate->pairs = pairs_of(&search->pairs, &hash);
	fill_gates(search, candidate, &hash, rows, n_rows);
	g_ptr_array_add(candidates, candidate);
	return candidate;
}

/* Whether a lock's low bits are its words' bank, if they must be. */
static gboolean keeps_banks(const Search *search, const HashSpec *spec)
{
	uint32_t rows[HASH_MAX_BITS];
	Hash hash;

	hash_build(spec, search->result->size, &hash);
	hash_rows(&hash, rows);
	for (uint32_t i = 0; i < search->problem.n_kept; i++)
		if ((rows[i] & gf2_mask(search->pairs.n_bits)) != UINT32_C(1) << i)
			return FALSE;
	return TRUE;
}

void search_add_named(Search *search)
{
	for (const HashKind *kind = hash_kinds; kind->name; kind++) {
		const HashSpec spec = {.name = kind->name};

		if (search_is_matrix(&spec, search->result->size) &&
		    keeps_banks(search, &spec) && !is_too_dear(search, &spec))
			add_candidate(search, kind->name, &spec);
	}
	add_candidate(search, "configured",
		      search_hash(&search->machine, search->result->target))
		->configured = TRUE;
}

/* Where climbing starts beside random places: the named hashes, as far as they are of the kind. */
static void climb_from_named(const Search *search, XorRanking *ranking)
{
	const GPtrArray *candidates = search->result->candidates;

	for (guint i = 0; i < candidates->len; i++) {
		const SearchCandidate *candidate = g_ptr_array_index(candidates, i);
		uint32_t rows[HASH_MAX_BITS];
		XorHash hash = {0};
		Hash built;

		hash_build(&candidate->spec, search->result->size, &built);
		hash_rows(&built, rows);
		if (!xor_columns(&search->problem, rows, hash.columns))
			continue;
		xor_climb(&search->problem, &hash);
		xor_ranking_enter(ranking, &search->problem, &hash);
	}
}

/* The hashes of the ranking, numbered behind those that are there. */
static void add_ranked(Search *search, const XorRanking *ranking, guint *number)
{
	const GPtrArray *candidates = search->result->candidates;

	for (guint i = 0; i < ranking->n; i++) {
		HashSpec spec = {.name = "matrix", .n_rows = search->problem.n_outputs};
		const guint before = candidates->len;
		g_autofree char *name = g_strdup_printf("found %u", *number + 1);

		xor_rows(&search->problem, ranking->hashes[i].columns, spec.rows);
		if (is_too_dear(search, &spec))
			continue;
		add_candidate(search, name, &spec);
		if (candidates->len == before)
			continue;
		(*number)++;
		((SearchCandidate *)candidates->pdata[before])->found = TRUE;
	}
}

static void find_hashes(Search *search, guint *number)
{
	const XorProblem *problem = &search->problem;
	const guint max = search->request->n_candidates;
	g_autofree XorHash *hashes = g_new0(XorHash, max);
	XorRanking ranking = {hashes, 0, max};
	XorHash best;
	XorProof proof;

	climb_from_named(search, &ranking);
	xor_restarts(problem, search->request->n_restarts, search->request->seed, &ranking);
	best = ranking.hashes[0];
	xor_branch_and_bound(problem, search->request->max_nodes, &best, &proof);
	xor_ranking_enter(&ranking, problem, &best);
	search->result->fewest = ranking.hashes[0].pairs;
	search->result->proved = proof.proved;
	search->result->bound = proof.bound;
	search->result->n_nodes = proof.n_nodes;
	add_ranked(search, &ranking, number);
}

void search_add_found(Search *search)
{
	const uint32_t most = search->problem.max_inputs;
	guint number = 0;

	/* The fewest pairs alone want many gates. */
	for (uint32_t inputs = 2; search->request->max_cost > 0 && inputs <= MAX_CHEAP_INPUTS;
	     inputs++) {
		if (most > 0 && inputs >= most)
			break;
		search->problem.max_inputs = inputs;
		find_hashes(search, &number);
	}
	search->problem.max_inputs = most;
	find_hashes(search, &number);
}
