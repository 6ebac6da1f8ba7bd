/* SPDX-License-Identifier: MIT */
#include "explore/search/search.h"

#include <string.h>

#include "base/error.h"
#include "config/acts.h"
#include "explore/search/blocks.h"
#include "explore/search/hashes.h"
#include "replay/replay.h"

/* --- The candidates, simulated on the blocks that the search did not see --- */

typedef struct {
	const SearchRequest *request;
	SearchResult *result;
	Machine *machine;
	gboolean acts; /* some trace may have a use for the hash */
} Judge;

static gboolean cost_the_same(const SearchResult *result)
{
	const SearchCandidate *first = result->candidates->pdata[0];

	for (guint i = 1; i < result->candidates->len; i++) {
		const SearchCandidate *other = result->candidates->pdata[i];

		if (other->cycles != first->cycles ||
		    other->conflict_passes != first->conflict_passes ||
		    other->aliases != first->aliases || other->retries != first->retries)
			return FALSE;
	}
	return result->candidates->len > 1;
}

/* Why the trace has no use for the hash; nothing is kept of traces of which one has. */
static void note_idle(Judge *judge, const KeyRun *run)
{
	SearchResult *result = judge->result;
	const Key *key = key_find(search_key(result->target));
	char *why = key_why_idle(key, run, NULL);

	judge->acts |= why == NULL;
	g_free(result->why_idle);
	result->why_idle = judge->acts ? NULL : g_strdup(why);
	g_free(why);
}

static gboolean simulate_trace(Judge *judge, SearchCandidate *candidate, guint r,
			       GError **error)
{
	const SearchRequest *request = judge->request;
	TraceReader *reader = request->readers[r];
	g_auto(ReplayResult) result = {0};
	const Statistics *statistics = &result.run.statistics;
	BlockSubset subset;
	const Replay replay = {
		.machine = judge->machine,
		.reader = reader,
		.source = &subset.source,
		.n_threads = request->n_threads,
	};
	KeyRun run;

	block_subset_split(reader, TRUE, &subset);
	if (!replay_run(&replay, &result, error))
		return FALSE;
	candidate->cycles += statistics->cycles;
	candidate->conflict_passes += statistics->shared.conflict_passes;
	candidate->aliases += statistics->atomics.failures.intra_alias +
			      statistics->atomics.failures.inter_alias;
	candidate->retries += statistics->atomics.retries;
	run = key_run(judge->machine, &subset.source.kernel, &result.run);
	if (candidate->configured)
		note_idle(judge, &run);
	if (request->seen)
		request->seen(request->seen_data, r, &run);
	return TRUE;
}

static int compare_cycles(const void *a, const void *b)
{
	const SearchCandidate *x = *(SearchCandidate *const *)a;
	const SearchCandidate *y = *(SearchCandidate *const *)b;

	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? -1 : 1;
	if (x->n_gates != y->n_gates)
		return x->n_gates < y->n_gates ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Fills in what runs say of each candidate and sorts them, fewest cycles first. The machine's hash of the target changes.
   Errors: those of replay_run, ATOMSIM_ERROR_RUN if interrupted. */
static gboolean judge_candidates(const SearchRequest *request, Machine *machine,
				 SearchResult *result, GError **error)
{
	GPtrArray *candidates = result->candidates;
	Judge judge = {request, result, machine, FALSE};

	for (guint r = 0; r < request->n_readers; r++) {
		BlockSubset subset;

		block_subset_split(request->readers[r], TRUE, &subset);
		result->blocks_judged += subset.source.n_blocks;
	}
	for (guint i = 0; i < candidates->len; i++) {
		SearchCandidate *candidate = g_ptr_array_index(candidates, i);

		*search_hash(machine, result->target) = candidate->spec;
		for (guint r = 0; r < request->n_readers; r++) {
			if (!simulate_trace(&judge, candidate, r, error))
				return FALSE;
		}
		if (request->progress &&
		    !request->progress(request->progress_data, i + 1, candidates->len))
			return atomsim_fail(error, ATOMSIM_ERROR_RUN, "search: interrupted");
	}
	g_ptr_array_sort(candidates, compare_cycles);
	result->idle = cost_the_same(result);
	return TRUE;
}

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
		       judge_candidates(request, &search.machine, result, error);
	}
	pairs_clear(&search.pairs);
	return good;
}
