/* SPDX-License-Identifier: MIT */
/* An explanation as text: a grid of rounds and lanes, then each round in words. */
#include <string.h>

#include "cli/explain/explain.h"
#include "cli/option.h"

/* The letters that occur. */
static void append_key(GString *text, const Explanation *explanation)
{
	bool occurs[N_LANE_FATES] = {false};

	for (guint i = 0; i < explanation->rounds->len; i++)
		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			occurs[g_array_index(explanation->rounds, ExplainRound, i)
				       .lanes[lane]
				       .fate] = true;
	g_string_append_c(text, '\n');
	for (guint i = 0; i < N_LANE_FATES; i++)
		if (occurs[i])
			g_string_append_printf(text, "  %c  %s\n", lane_fate_letters[i],
					       lane_fate_words[i]);
}

/* A line of 32 letters for each round of all warps, in the order in which they begin. */
static void append_grid(GString *text, const ExplainRequest *request,
			const Explanation *explanation)
{
	const bool many = request->n_warps > 1;

	g_string_append_printf(text, "\n%6s %5s  %-13s %-32s  lasts\n", many ? "warp" : "",
			       explain_is_plain(request) ? "pass" : "round", "cycles",
			       "0...4...8...12..16..20..24..28..");
	for (guint i = 0; i < explanation->rounds->len; i++) {
		const ExplainRound *round =
			&g_array_index(explanation->rounds, ExplainRound, i);
		g_autofree char *span = g_strdup_printf(
			"%" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT, round->begin, round->end);
		char letters[TRACE_MAX_LANES + 1] = "";

		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			letters[lane] = lane_fate_letters[round->lanes[lane].fate];
		if (many)
			g_string_append_printf(text, "%6u", round->warp);
		else
			g_string_append(text, "      ");
		g_string_append_printf(text, " %5u  %-13s %s  %6" G_GUINT64_FORMAT "\n",
				       round->number + 1, span, letters,
				       round->end - round->begin);
	}
}

static void append_lane(GString *text, const Explanation *explanation, const ExplainWarp *warp,
			const ExplainRound *round, guint lane)
{
	const LaneOutcome *outcome = &round->lanes[lane];
	g_autofree char *lock = explanation->has_locks
					? g_strdup_printf(", lock %u", warp->lock[lane])
					: g_strdup("");

	g_string_append_printf(text, "  lane %2u  word %u%s, bank %u: ", lane, warp->word[lane],
			       lock, warp->bank[lane]);
	switch (outcome->fate) {
	case FATE_WINS:
		g_string_append(text, "wins");
		break;
	case FATE_POSITION:
		g_string_append_printf(text, "loses to lane %d: the same word",
				       outcome->by_lane);
		break;
	case FATE_ALIAS:
		g_string_append_printf(text, "loses to lane %d: word %u has the same lock",
				       outcome->by_lane, warp->word[outcome->by_lane]);
		break;
	case FATE_BANK:
		g_string_append_printf(text, "loses to lane %d: word %u is in the same bank",
				       outcome->by_lane, warp->word[outcome->by_lane]);
		break;
	default:
		g_string_append_printf(text, "loses: %s", lane_fate_words[outcome->fate]);
		if (outcome->by_warp >= 0)
			g_string_append_printf(text, " (warp %d)", outcome->by_warp);
	}
	g_string_append_c(text, '\n');
}

static void append_wait(GString *text, const char *words, Cycle from, Cycle until)
{
	if (until > from)
		g_string_append_printf(text, "%s %" G_GUINT64_FORMAT ", ", words, until - from);
}

/* What a round's cycles are of: its instructions, and the waits before, between and after them. */
static void append_costs(GString *text, const ExplainRound *round)
{
	Cycle at = round->begin;

	g_string_append(text, "  costs ");
	for (guint i = 0; i < round->n_instructions; i++) {
		const RoundInstruction *instruction = &round->instructions[i];

		append_wait(text, instruction->passes > 0 ? "wait for banks" : "wait", at,
			    instruction->start);
		g_string_append_printf(text, "%s %" G_GUINT64_FORMAT, instruction->name,
				       instruction->ready - instruction->start);
		if (instruction->passes > 1)
			g_string_append_printf(text, " (%u passes)", instruction->passes);
		g_string_append(text, ", ");
		at = instruction->ready;
	}
	append_wait(text, "wait", at, round->end);
	g_string_truncate(text, text->len - strlen(", "));
}

static void append_round(GString *text, const ExplainRequest *request,
			 const Explanation *explanation, const ExplainRound *round)
{
	const ExplainWarp *warp = &request->warps[round->warp];

	g_string_append_printf(text, "\n%s %u", explain_is_plain(request) ? "Pass" : "Round",
			       round->number + 1);
	if (request->n_warps > 1)
		g_string_append_printf(text, " of warp %u", round->warp);
	g_string_append_printf(text,
			       ", cycles %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
			       ": lanes that try: %d, that win: %d\n",
			       round->begin, round->end, __builtin_popcount(round->tried),
			       __builtin_popcount(round->won));
	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
		if (round->tried >> lane & 1)
			append_lane(text, explanation, warp, round, lane);
	if (round->n_instructions == 0)
		return;
	append_costs(text, round);
	if (round->freed > 0)
		g_string_append_printf(text,
				       "; locks are held from %" G_GUINT64_FORMAT
				       " to %" G_GUINT64_FORMAT,
				       round->locked, round->freed);
	g_string_append_c(text, '\n');
}

char *explanation_title(const ExplainRequest *request, const Explanation *explanation)
{
	g_autofree char *words =
		request->access == EXPLAIN_ATOMIC
			? cli_atomic_words(request->operation, request->type, request->result)
			: g_strdup(request->access == EXPLAIN_LOCK
					   ? "spin locks"
					   : explain_access_names[request->access]);

	return g_strdup_printf("%s, %u warp%s on a simulated %s%s%s: %" G_GUINT64_FORMAT
			       " cycle%s",
			       words, request->n_warps, request->n_warps == 1 ? "" : "s",
			       request->machine->name, explanation->mechanism ? ", by " : "",
			       explanation->mechanism ? explanation->mechanism->name : "",
			       explanation->cycles, explanation->cycles == 1 ? "" : "s");
}

char *explanation_to_text(const ExplainRequest *request, const Explanation *explanation,
			  bool lanes)
{
	g_autofree char *title = explanation_title(request, explanation);
	GString *text = g_string_new(title);

	g_string_append_c(text, '\n');
	append_grid(text, request, explanation);
	append_key(text, explanation);
	for (guint i = 0; lanes && i < explanation->rounds->len; i++)
		append_round(text, request, explanation,
			     &g_array_index(explanation->rounds, ExplainRound, i));
	return g_string_free(text, FALSE);
}
