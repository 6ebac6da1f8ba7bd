/* SPDX-License-Identifier: MIT */
#include "explore/search/search.h"

#include "base/error.h"
#include "explore/search/blocks.h"
#include "explore/search/hashes.h"
#include "explore/search/judge.h"

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
		atomsim_fail(error, ATOMSIM_ERROR_CONFIG, "search: %s", problem);
	return problem == NULL;
}

gboolean search_check(const Machine *machine, SearchTarget target, gboolean per_bank,
		      GError **error)
{
	gboolean bank = target == SEARCH_BANK;
	uint32_t size = bank ? machine->shared.banks : machine->atomic.locks;

	if (size < 2 || (size & (size - 1)))
		return atomsim_fail(
			error, ATOMSIM_ERROR_CONFIG,
			"search: %s = %u; allowed: a power of two from 2 on, for XOR hashes",
			bank ? "shared.banks" : "atomic.locks", size);
	if (!search_is_matrix(search_hash((Machine *)machine, target), size))
		return atomsim_fail(
			error, ATOMSIM_ERROR_CONFIG,
			"search: %s = %s is not linear over GF(2); allowed: a hash that is",
			bank ? "shared.bank_hash" : "atomic.lock_hash",
			search_hash((Machine *)machine, target)->name);
	if (!bank && !atomic_has_locks(&machine->atomic))
		return atomsim_fail(
			error, ATOMSIM_ERROR_CONFIG,
			"search: atomic.mechanism = %s has no lock bits; allowed with "
			"--target lock: lock-bits",
			machine->atomic.mechanism->name);
	if (!bank && !atomic_has_lock_bits(&machine->atomic))
		return atomsim_fail(
			error, ATOMSIM_ERROR_CONFIG,
			"search: the locks of %s are entries of a CAM, found by address; "
			"allowed with --target lock: atomic.lock_bits.table bits",
			machine->name);
	return !per_bank || check_per_bank(machine, target, error);
}

/* A hash without gates is the cheapest: who cannot have that either can have none. */
static gboolean check_cost(const SearchResult *result, GError **error)
{
	uint64_t least = G_MAXUINT64;

	for (guint i = 0; i < result->candidates->len; i++) {
		const SearchCandidate *candidate = result->candidates->pdata[i];

		least = MIN(least, candidate->cost_bits);
	}
	if (result->max_cost == 0 || least <= result->max_cost)
		return TRUE;
	return atomsim_fail(error, ATOMSIM_ERROR_CONFIG,
			    "search: --max-cost %" G_GUINT64_FORMAT
			    ": the machine costs %" G_GUINT64_FORMAT
			    " bits with the cheapest hash; allowed: that or more",
			    result->max_cost, least);
}

gboolean search_run(const Machine *machine, SearchTarget target, const SearchRequest *request,
		    SearchResult *result, GError **error)
{
	Search search = {.request = request, .result = result, .machine = *machine};
	gboolean good = FALSE;

	*result = (SearchResult){.target = target, .held_out = TRUE};
	result->candidates = g_ptr_array_new_with_free_func(search_candidate_free);
	if (!search_check(machine, target, request->per_bank, error))
		return FALSE;
	result->max_cost = request->max_cost;
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
		search_add_named(&search);
		/* With an entry for each word there is nothing to choose. */
		if (search.problem.n_bits > search.problem.n_outputs) {
			result->n_bits = search.problem.n_bits;
			search_add_found(&search);
		}
		good = check_cost(result, error) &&
		       search_judge(request, &search.machine, result, error);
	}
	pairs_clear(&search.pairs);
	return good;
}
