/* SPDX-License-Identifier: MIT */
/* What a search has found, and which hash to take. */
#include "explore/search/search.h"

HashSpec *search_hash(Machine *machine, SearchTarget target)
{
	return target == SEARCH_BANK ? &machine->shared.bank_hash : &machine->atomic.lock_hash;
}

const char *search_key(SearchTarget target)
{
	return target == SEARCH_BANK ? "shared.bank_hash" : "atomic.lock_hash";
}

void search_result_clear(SearchResult *result)
{
	g_clear_pointer(&result->candidates, g_ptr_array_unref);
	g_clear_pointer(&result->why_idle, g_free);
}

const SearchCandidate *search_configured(const SearchResult *result)
{
	for (guint i = 0; i < result->candidates->len; i++) {
		const SearchCandidate *candidate = g_ptr_array_index(result->candidates, i);

		if (candidate->configured)
			return candidate;
	}
	g_assert_not_reached();
}

uint64_t search_conflicts(const SearchResult *result, const SearchCandidate *candidate)
{
	return result->target == SEARCH_BANK ? candidate->conflict_passes : candidate->aliases;
}

gboolean search_beats(const SearchResult *result, const SearchCandidate *a,
		      const SearchCandidate *b)
{
	uint64_t many = search_conflicts(result, b), few = search_conflicts(result, a), fewer;

	if (a->cycles >= b->cycles || (b->cycles - a->cycles) * 100 < b->cycles || few >= many)
		return FALSE;
	fewer = many - few;
	return fewer * 50 >= many && (double)fewer * (double)fewer >= 9.0 * (double)many;
}

static gboolean is_cheap(const SearchResult *result, const SearchCandidate *candidate)
{
	return result->max_cost == 0 || candidate->cost_bits <= result->max_cost;
}

const SearchCandidate *search_chosen(const SearchResult *result)
{
	const SearchCandidate *configured = search_configured(result);

	for (guint i = 0; i < result->candidates->len; i++) {
		const SearchCandidate *candidate = g_ptr_array_index(result->candidates, i);

		if (is_cheap(result, candidate) &&
		    (!is_cheap(result, configured) ||
		     search_beats(result, candidate, configured)))
			return candidate;
	}
	return configured;
}
