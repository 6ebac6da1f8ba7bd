/* SPDX-License-Identifier: MIT */
#include "explore/search/search.h"

#include "base/error.h"
#include "explore/search/blocks.h"
#include "explore/search/judge.h"
#include "explore/search/pairs.h"
#include "explore/search/xor-search.h"
#include "model/shared/gf2.h"

typedef struct {
	const SearchRequest *request;
	SearchResult *result;
	Machine machine;
	PairCounts pairs;
	XorProblem problem;
} Search;

/* --- The blocks of a trace --- */

static gboolean count_pairs(Search *search, GError **error)
{
	const SearchRequest *request = search->request;
	uint32_t n_bits = 0;

	for (guint i = 0; i < request->n_readers; i++)
		n_bits = MAX(n_bits, pairs_bits(trace_source(request->readers[i])));
	pairs_init(&search->pairs, n_bits);
	for (guint i = 0; i < request->n_readers; i++) {
		BlockSubset subset;

		block_subset_split(request->readers[i], FALSE, &subset);
		search->result->blocks_searched += subset.source.n_blocks;
		if (subset.whole->n_blocks == 1)
			search->result->held_out = FALSE;
		if (!pairs_add(&search->pairs, &subset.source,
			       search->result->target == SEARCH_LOCK)) {
			g_propagate_error(error,
					  g_error_copy(trace_failure(request->readers[i])));
			return FALSE;
		}
	}
	search->result->pairs = search->pairs.total;
	return TRUE;
}

/* --- Candidates --- */

static void candidate_free(gpointer data)
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

static void fill_cost(const Search *search, SearchCandidate *candidate, const uint32_t *rows,
		      uint32_t n_rows)
{
	for (uint32_t i = 0; i < n_rows; i++) {
		uint32_t n_inputs =
			(uint32_t)__builtin_popcount(rows[i] & gf2_mask(search->pairs.n_bits));

		candidate->max_inputs = MAX(candidate->max_inputs, n_inputs);
		candidate->n_gates += n_inputs ? n_inputs - 1 : 0;
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

/* Pairs of words count by what they differ in, which says where they lie only if the hash is linear. */
static gboolean is_matrix(const HashSpec *spec, uint32_t size)
{
	uint32_t rows[HASH_MAX_BITS];
	Hash hash;

	hash_build(spec, size, &hash);
	return hash_rows(&hash, rows) != UINT32_MAX;
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
	candidate->pairs = pairs_of(&search->pairs, &hash);
	fill_cost(search, candidate, rows, n_rows);
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

static void add_named(Search *search)
{
	for (const HashKind *kind = hash_kinds; kind->name; kind++) {
		const HashSpec spec = {.name = kind->name};

		if (is_matrix(&spec, search->result->size) && keeps_banks(search, &spec))
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

static void add_found(Search *search)
{
	const XorProblem *problem = &search->problem;
	guint max = search->request->n_candidates;
	g_autofree XorHash *hashes = g_new0(XorHash, max);
	XorRanking ranking = {hashes, 0, max};
	XorHash best;
	XorProof proof;
	guint number = 0;

	climb_from_named(search, &ranking);
	xor_restarts(problem, search->request->n_restarts, search->request->seed, &ranking);
	best = ranking.hashes[0];
	xor_branch_and_bound(problem, search->request->max_nodes, &best, &proof);
	xor_ranking_enter(&ranking, problem, &best);
	search->result->fewest = ranking.hashes[0].pairs;
	search->result->proved = proof.proved;
	search->result->bound = proof.bound;
	search->result->n_nodes = proof.n_nodes;
	for (guint i = 0; i < ranking.n; i++) {
		HashSpec spec = {.name = "matrix", .n_rows = problem->n_outputs};
		guint before = search->result->candidates->len;
		g_autofree char *name = g_strdup_printf("found %u", number + 1);

		xor_rows(problem, ranking.hashes[i].columns, spec.rows);
		add_candidate(search, name, &spec);
		if (search->result->candidates->len == before)
			continue;
		number++;
		((SearchCandidate *)g_ptr_array_index(search->result->candidates, before))
			->found = TRUE;
	}
}

/* --- The whole --- */

/* Locks are a bank's own where the lock's low bits are the bank's, which they are if words lie in banks by these. */
static gboolean check_per_bank(const Machine *machine, SearchTarget target, GError **error)
{
	const char *problem = NULL;

	if (target != SEARCH_LOCK)
		problem = "--per-bank is of locks; allowed: --target lock";
	else if (g_strcmp0(machine->shared.bank_hash.name, "mod") != 0 ||
		 (machine->shared.banks & (machine->shared.banks - 1)))
		problem = "--per-bank: shared.bank_hash or shared.banks; allowed: mod, and a "
			  "power of two";
	else if (machine->atomic.locks < machine->shared.banks)
		problem = "--per-bank: atomic.locks are fewer than shared.banks; allowed: as "
			  "many or more";
	if (problem)
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG, "search: %s", problem);
	return problem == NULL;
}

gboolean search_check(const Machine *machine, SearchTarget target, gboolean per_bank,
		      GError **error)
{
	gboolean bank = target == SEARCH_BANK;
	uint32_t size = bank ? machine->shared.banks : machine->atomic.locks;

	if (size < 2 || (size & (size - 1))) {
		g_set_error(
			error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG,
			"search: %s = %u; allowed: a power of two from 2 on, for XOR hashes",
			bank ? "shared.banks" : "atomic.locks", size);
		return FALSE;
	}
	if (!is_matrix(search_hash((Machine *)machine, target), size)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG,
			    "search: %s = %s is not linear over GF(2); allowed: a hash that is",
			    bank ? "shared.bank_hash" : "atomic.lock_hash",
			    search_hash((Machine *)machine, target)->name);
		return FALSE;
	}
	if (!bank && !atomic_has_locks(&machine->atomic)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_CONFIG,
			    "search: atomic.mechanism = %s has no lock bits; allowed with "
			    "--target lock: lock-bits",
			    machine->atomic.mechanism->name);
		return FALSE;
	}
	return !per_bank || check_per_bank(machine, target, error);
}

gboolean search_run(const Machine *machine, SearchTarget target, const SearchRequest *request,
		    SearchResult *result, GError **error)
{
	Search search = {.request = request, .result = result, .machine = *machine};
	gboolean good = FALSE;

	*result = (SearchResult){.target = target, .held_out = TRUE};
	result->candidates = g_ptr_array_new_with_free_func(candidate_free);
	if (!search_check(machine, target, request->per_bank, error))
		return FALSE;
	result->size = target == SEARCH_BANK ? machine->shared.banks : machine->atomic.locks;
	result->per_bank = request->per_bank ? result->size / machine->shared.banks : 0;
	if (count_pairs(&search, error)) {
		search.problem = (XorProblem){
			.pairs = search.pairs.counts,
			.n_bits = search.pairs.n_bits,
			.n_outputs = (uint32_t)__builtin_ctz(result->size),
			.max_inputs = request->max_inputs,
			.n_kept = request->per_bank
					  ? (uint32_t)__builtin_ctz(machine->shared.banks)
					  : 0,
		};
		add_named(&search);
		/* With an entry for each word there is nothing to choose. */
		if (search.problem.n_bits > search.problem.n_outputs) {
			result->n_bits = search.problem.n_bits;
			add_found(&search);
		}
		good = search_judge(request, &search.machine, result, error);
	}
	pairs_clear(&search.pairs);
	return good;
}
