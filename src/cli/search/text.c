/* SPDX-License-Identifier: MIT */
/* What a search found, for people. */
#include "cli/search/search.h"

#include <string.h>

#include "report/format.h"
#include "report/hash.h"

const char *search_entry(const SearchResult *result)
{
	return result->target == SEARCH_BANK ? "bank" : "lock";
}

static double percent_more(const SearchCandidate *a, const SearchCandidate *b)
{
	return b->cycles ? 100.0 * ((double)a->cycles / (double)b->cycles - 1) : 0;
}

static void append_searched(GString *text, const SearchResult *result)
{
	g_autofree char *pairs = format_count(result->pairs);
	g_autofree char *nodes = format_count(result->n_nodes);
	g_autofree char *bound = format_count(result->bound);

	g_string_append_printf(text, "%u %ss", result->size, search_entry(result));
	if (result->per_bank)
		g_string_append_printf(text, ", %u of each bank's own", result->per_bank);
	g_string_append_printf(text,
			       ". Searched on %" G_GUINT64_FORMAT
			       " blocks, judged on %" G_GUINT64_FORMAT "%s.\n",
			       result->blocks_searched, result->blocks_judged,
			       result->held_out ? " others"
						: ", a single block of a trace on itself");
	if (result->n_bits == 0) {
		g_string_append_printf(
			text,
			"Every word of the traces has a %s of its own: nothing to "
			"search.\n",
			search_entry(result));
		return;
	}
	g_string_append_printf(text, "%s pairs of words of one access, %u bits of index; ",
			       pairs, result->n_bits);
	if (result->proved)
		g_string_append_printf(text, "the fewest conflicts are proved (%s nodes).\n",
				       nodes);
	else
		g_string_append_printf(
			text,
			"the fewest conflicts are not proved (%s nodes): no hash "
			"has fewer than %s.\n",
			nodes, bound);
}

static void append_row(GString *text, const SearchResult *result,
		       const SearchCandidate *candidate)
{
	const SearchCandidate *configured = search_configured(result);
	g_autofree char *pairs = format_count(candidate->pairs);
	g_autofree char *cycles = format_count(candidate->cycles);
	g_autofree char *conflicts = format_count(search_conflicts(result, candidate));
	g_autofree char *cost = format_count(candidate->cost_bits);
	g_autofree char *name =
		g_strconcat(candidate->name, candidate->configured ? " *" : "", NULL);

	g_string_append_printf(text, "  %-12s %17s %14s %+8.1f %% %16s %7u %6u %12s\n", name,
			       pairs, cycles, percent_more(candidate, configured), conflicts,
			       candidate->max_inputs, candidate->n_gates, cost);
}

static void append_table(GString *text, const SearchResult *result)
{
	g_string_append_printf(text, "\n  %-12s %17s %14s %10s %16s %7s %6s %12s\n", "Hash",
			       "pairs in conflict", "cycles", "",
			       result->target == SEARCH_BANK ? "extra passes"
							     : "alias failures",
			       "inputs", "gates", "cost, bits");
	for (guint i = 0; i < result->candidates->len; i++)
		append_row(text, result, g_ptr_array_index(result->candidates, i));
	g_string_append(text, "  * as configured\n\n");
}

/* Named hashes that cost more than what is configured. */
static void append_harm(GString *text, const SearchResult *result)
{
	const SearchCandidate *configured = search_configured(result);

	for (guint i = 0; i < result->candidates->len; i++) {
		const SearchCandidate *candidate = g_ptr_array_index(result->candidates, i);

		if (candidate->found || !search_beats(result, configured, candidate))
			continue;
		g_string_append_printf(text, "%s hurts: it costs %.1f %% more than %s.\n",
				       candidate->name, percent_more(candidate, configured),
				       configured->name);
	}
}

static void append_hash(GString *text, const SearchResult *result,
			const SearchCandidate *candidate)
{
	HashDesign design = {
		.name = candidate->name,
		.entry = search_entry(result),
		.n_inputs = MAX(result->n_bits, 1),
	};
	g_autofree char *equations = NULL;

	hash_build(&candidate->spec, result->size, &design.hash);
	equations = hash_text(&design);
	g_string_append_printf(text, "\n%s", equations);
}

static void append_verdict(GString *text, const SearchResult *result)
{
	const SearchCandidate *chosen = search_chosen(result);
	const SearchCandidate *configured = search_configured(result);

	if (chosen->configured)
		g_string_append_printf(text, "Nothing helps: no hash beats %s.\n",
				       configured->name);
	else
		g_string_append_printf(text, "Best: %s, %.2fx faster than %s.\n", chosen->name,
				       (double)configured->cycles / (double)chosen->cycles,
				       configured->name);
	append_harm(text, result);
	if (!chosen->configured)
		append_hash(text, result, chosen);
}

static void append_step(GString *text, const SearchReport *report, const SearchResult *result)
{
	if (result != report->steps) {
		const SearchResult *before = result - 1;

		g_string_append_printf(text, "\nThen, with %s = %s:\n\n",
				       search_key(before->target), search_chosen(before)->name);
	}
	append_searched(text, result);
	append_table(text, result);
	append_verdict(text, result);
}

char *search_text(const SearchReport *report)
{
	const SearchResult *last = &report->steps[report->n_steps - 1];
	GString *text = g_string_new(NULL);
	uint64_t first = search_configured(report->steps)->cycles;

	for (guint i = 0; i < report->n_steps; i++)
		append_step(text, report, &report->steps[i]);
	if (report->n_steps > 1)
		g_string_append_printf(text, "\nBoth: %.2fx faster than configured.\n",
				       (double)first / (double)search_chosen(last)->cycles);
	return g_string_free(text, FALSE);
}
