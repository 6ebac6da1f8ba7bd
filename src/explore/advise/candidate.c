/* SPDX-License-Identifier: MIT */
/* What all candidates share: their causes' costs and their list. */
#include "explore/advise/internal.h"

void advice_free_candidate(gpointer data)
{
	Candidate *candidate = data;

	g_free(candidate->change);
	g_free(candidate->words);
	g_free(candidate);
}

double advice_most_gain(const Unchanged *unchanged, unsigned ideal)
{
	const uint64_t cycles = unchanged->replayed->run.statistics.cycles;
	const Cause *cause = &unchanged->replayed->causes.without[ideal];

	if (cause_saves(cause, cycles) == 0)
		return 1;
	return (double)cycles / (double)MAX(cause->cycles, 1);
}

bool advice_costs(const Unchanged *unchanged, unsigned ideal)
{
	return advice_most_gain(unchanged, ideal) >= ADVICE_LEAST_GAIN;
}

Candidate *advice_add(GPtrArray *candidates, AdviceCause cause, const SharedArray *array,
		      char *change, char *words)
{
	Candidate *candidate = g_new0(Candidate, 1);

	candidate->cause = cause;
	candidate->array = array;
	candidate->of_design = array == NULL;
	candidate->words = words;
	candidate->change = change;
	if (array && array->buffer > 0)
		candidate->change = g_strdup_printf("%s,buffer=%u", change, array->buffer);
	else if (array)
		candidate->change = g_strdup_printf("%s,bytes=%u..%u", change, array->first,
						    array->end - 1);
	if (array)
		g_free(change);
	g_ptr_array_add(candidates, candidate);
	return candidate;
}
