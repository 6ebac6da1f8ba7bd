/* SPDX-License-Identifier: MIT */
#include "explore/search/judge.h"

#include <string.h>

#include "base/error.h"
#include "config/acts.h"
#include "explore/search/blocks.h"
#include "replay/replay.h"

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

gboolean search_judge(const SearchRequest *request, Machine *machine, SearchResult *result,
		      GError **error)
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
