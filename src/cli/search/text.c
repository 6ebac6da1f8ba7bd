/* SPDX-License-Identifier: MIT */
/* What a search found, for people. */
#include "cli/search/search.h"

#include <string.h>

#include "base/text.h"
#include "report/format.h"
#include "report/hash.h"

#define SCREEN 80 /* columns */

const char *search_entry(const SearchResult *result)
{
	return result->target == SEARCH_BANK ? "bank" : "lock";
}

static double percent_more(const SearchCandidate *a, const SearchCandidate *b)
{
	return b->cycles ? 100.0 * ((double)a->cycles / (double)b->cycles - 1) : 0;
}

static void append_searched(GString *to, const SearchResult *result)
{
	g_autoptr(GString) text = g_string_new(NULL);
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
		text_wrap(to, text->str, 0, SCREEN);
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
	text_wrap(to, text->str, 0, SCREEN);
}

/* --- The table: each column as wide as it needs, so that a line fits a screen --- */

#define N_COLUMNS 8

typedef struct {
	char *cells[N_COLUMNS];
} Row;

static void row_clear(void *data)
{
	Row *row = data;

	for (guint i = 0; i < N_COLUMNS; i++)
		g_free(row->cells[i]);
}

static Row candidate_row(const SearchResult *result, const SearchCandidate *candidate)
{
	return (Row){{
		g_strconcat(candidate->name, candidate->configured ? " *" : "", NULL),
		format_count_short(candidate->pairs),
		format_count_short(candidate->cycles),
		g_strdup_printf("%+.1f %%", percent_more(candidate, search_configured(result))),
		format_count_short(search_conflicts(result, candidate)),
		g_strdup_printf("%u", candidate->max_inputs),
		g_strdup_printf("%u", candidate->n_gates),
		format_count_short(candidate->cost_bits),
	}};
}

static Row head_row(const char *const *heads)
{
	Row row;

	for (guint i = 0; i < N_COLUMNS; i++)
		row.cells[i] = g_strdup(heads[i]);
	return row;
}

static void append_rows(GString *text, const GArray *rows)
{
	guint widths[N_COLUMNS] = {0}, total = 0, gap;

	for (guint c = 0; c < N_COLUMNS; c++) {
		for (guint i = 0; i < rows->len; i++)
			widths[c] =
				MAX(widths[c], strlen(g_array_index(rows, Row, i).cells[c]));
		total += 2 + widths[c];
	}
	gap = total > SCREEN ? 1 : 2;
	for (guint i = 0; i < rows->len; i++) {
		const Row *row = &g_array_index(rows, Row, i);

		g_string_append_printf(text, "  %-*s", (int)widths[0], row->cells[0]);
		for (guint c = 1; c < N_COLUMNS; c++)
			g_string_append_printf(text, "%*s", (int)(gap + widths[c]),
					       row->cells[c]);
		g_string_append_c(text, '\n');
	}
}

static void append_table(GString *text, const SearchResult *result)
{
	const gboolean bank = result->target == SEARCH_BANK;
	const char *const first[] = {"", "pairs in", "",     "", bank ? "extra" : "alias",
				     "", "",	     "cost,"};
	const char *const second[] = {
		"Hash",	  "conflict", "cycles", "", bank ? "passes" : "failures",
		"inputs", "gates",    "bits"};
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
	Row row;

	g_array_set_clear_func(rows, row_clear);
	row = head_row(first);
	g_array_append_val(rows, row);
	row = head_row(second);
	g_array_append_val(rows, row);
	for (guint i = 0; i < result->candidates->len; i++) {
		row = candidate_row(result, g_ptr_array_index(result->candidates, i));
		g_array_append_val(rows, row);
	}
	g_string_append_c(text, '\n');
	append_rows(text, rows);
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
