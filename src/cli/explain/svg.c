/* SPDX-License-Identifier: MIT */
/* An explanation as a picture: rounds over time and what became of each lane. */
#include <string.h>

#include "cli/explain/explain.h"

#define LEFT	  PICTURE_LEFT
#define GRID	  PICTURE_GRID
#define MOST_ROWS 64

static const SvgFill fate_fills[N_LANE_FATES] = {
	[FATE_IDLE] = SVG_EMPTY,	  [FATE_DONE] = SVG_DIM,
	[FATE_WINS] = SVG_GOOD,		  [FATE_POSITION] = SVG_SAME,
	[FATE_ALIAS] = SVG_OTHER,	  [FATE_BANK] = SVG_FURTHER,
	[FATE_OTHER_POSITION] = SVG_SAME, [FATE_OTHER_ALIAS] = SVG_OTHER,
	[FATE_OVERTAKEN] = SVG_PART,	  [FATE_WAITS] = SVG_FURTHER,
	[FATE_QUEUED] = SVG_FURTHER,	  [FATE_MERGED] = SVG_GOOD,
	[FATE_FULL] = SVG_OTHER,
};

static const ExplainRound *round_at(const Explanation *explanation, guint i)
{
	return &g_array_index(explanation->rounds, ExplainRound, i);
}

/* --- Lanes --- */

static int cell_width(const ExplainRequest *request, guint *n_lanes)
{
	uint32_t mask = 0;

	for (guint w = 0; w < request->n_warps; w++)
		mask |= request->warps[w].mask;
	*n_lanes = MAX(4, 32 - (guint)__builtin_clz(mask));
	return MIN(GRID / (int)*n_lanes, 48);
}

/* What each lane has: its number, word, bank and lock; upward, where a column is too narrow for the longest. */
static int draw_numbers(Svg *svg, const char *name, const uint32_t *numbers, uint32_t mask,
			int width, int y)
{
	char *digits[TRACE_MAX_LANES] = {NULL};
	int longest = 0;

	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++) {
		if (!(mask >> lane & 1))
			continue;
		digits[lane] = g_strdup_printf("%u", numbers ? numbers[lane] : lane);
		longest = MAX(longest, 7 * (int)strlen(digits[lane]));
	}
	if (longest > width)
		y += longest - 6;
	svg_text(svg, LEFT - 8, y, 11, SVG_RIGHT, name);
	for (guint lane = 0; lane < TRACE_MAX_LANES; lane++) {
		const int x = LEFT + width * (int)lane + width / 2;

		if (digits[lane])
			svg_text(svg, longest > width ? x + 3 : x, y, 11,
				 longest > width ? SVG_UPWARD : SVG_MIDDLE, digits[lane]);
		g_free(digits[lane]);
	}
	return y + 15;
}

static int draw_heads(Svg *svg, const ExplainRequest *request, const Explanation *explanation,
		      guint w, int width, int y)
{
	const ExplainWarp *warp = &request->warps[w];

	if (request->n_warps > 1) {
		g_autofree char *name = g_strdup_printf("Warp %u", w);

		svg_text(svg, 8, y, 12, SVG_LEFT, name);
		y += 16;
	}
	y = draw_numbers(svg, "lane", NULL, warp->mask, width, y);
	y = draw_numbers(svg, "word", warp->word, warp->mask, width, y);
	if (explanation->has_locks)
		y = draw_numbers(svg, "lock", warp->lock, warp->mask, width, y);
	return draw_numbers(svg, "bank", warp->bank, warp->mask, width, y) - 9;
}

/* What became of a lane, in words; *by: to whom it lost, in short, or "". g_free both. */
static char *fate_words(const ExplainWarp *warp, guint lane, const LaneOutcome *outcome,
			char **by)
{
	*by = outcome->by_lane >= 0   ? g_strdup_printf("to %d", outcome->by_lane)
	      : outcome->by_warp >= 0 ? g_strdup_printf("to w%d", outcome->by_warp)
				      : g_strdup("");
	return g_strdup_printf("lane %u, word %u, bank %u: %s", lane, warp->word[lane],
			       warp->bank[lane], lane_fate_words[outcome->fate]);
}

static int draw_round(Svg *svg, const ExplainRequest *request, const ExplainRound *round,
		      guint n_lanes, int width, int y)
{
	const bool wide = width >= 34;
	const int height = wide ? 30 : 16;
	g_autofree char *name = g_strdup_printf("round %u", round->number + 1);

	svg_text(svg, LEFT - 8, y + height / 2 + 4, 11, SVG_RIGHT, name);
	for (guint lane = 0; lane < n_lanes; lane++) {
		const LaneOutcome *outcome = &round->lanes[lane];
		const SvgFill fill = fate_fills[outcome->fate];
		const char letter[] = {lane_fate_letters[outcome->fate], 0};
		const int x = LEFT + width * (int)lane;
		g_autofree char *by = NULL;
		g_autofree char *hint =
			fate_words(&request->warps[round->warp], lane, outcome, &by);
		const bool says = wide && outcome->fate != FATE_WINS && *by;

		svg_box(svg, x, y, width - 1, height - 1, fill,
			outcome->fate == FATE_IDLE ? NULL : hint);
		if (outcome->fate == FATE_IDLE || outcome->fate == FATE_DONE)
			continue;
		svg_label(svg, x + width / 2, y + (says ? 13 : height / 2 + 4), 12, letter);
		if (says)
			svg_label(svg, x + width / 2, y + 25, 10, by);
	}
	return y + height;
}

/* Of many warps those that win at once need no more than their bar in time. */
static bool has_losers(const ExplainRequest *request, const Explanation *explanation, guint w)
{
	guint n = 0;

	for (guint i = 0; i < explanation->rounds->len; i++)
		n += round_at(explanation, i)->warp == w;
	return n > 1 || request->n_warps <= 4;
}

/* Each warp's rounds, up to a number that a page can hold. */
static int draw_lanes(Svg *svg, const ExplainRequest *request, const Explanation *explanation,
		      int y)
{
	guint n_lanes, rows = 0;
	const int width = cell_width(request, &n_lanes);

	for (guint w = 0; w < request->n_warps && rows < MOST_ROWS; w++) {
		if (!has_losers(request, explanation, w))
			continue;
		y = draw_heads(svg, request, explanation, w, width, y);
		for (guint i = 0; i < explanation->rounds->len; i++) {
			const ExplainRound *round = round_at(explanation, i);

			if (round->warp == w && rows++ < MOST_ROWS)
				y = draw_round(svg, request, round, n_lanes, width, y);
		}
		y += 22;
	}
	if (explanation->rounds->len > MOST_ROWS) {
		g_autofree char *words = g_strdup_printf("%u further rounds are left out",
							 explanation->rounds->len - MOST_ROWS);

		svg_text(svg, 8, y, 11, SVG_LEFT, words);
		y += 20;
	}
	return y;
}

/* --- All of it --- */

static int draw_legend(Svg *svg, const Explanation *explanation, int y)
{
	bool fates[N_LANE_FATES] = {false};

	for (guint i = 0; i < explanation->rounds->len; i++)
		for (guint lane = 0; lane < TRACE_MAX_LANES; lane++)
			fates[round_at(explanation, i)->lanes[lane].fate] = true;
	for (guint fate = FATE_DONE; fate < N_LANE_FATES; fate++) {
		const char letter[] = {fate == FATE_DONE ? ' ' : lane_fate_letters[fate], 0};

		if (fates[fate])
			y = svg_key(svg, y, fate_fills[fate], 15, letter,
				    lane_fate_words[fate]);
	}
	return y;
}

char *explanation_to_svg(const ExplainRequest *request, const Explanation *explanation)
{
	g_autofree char *title = explanation_title(request, explanation);
	Svg *svg = svg_new();
	int y = svg_paragraph(svg, 8, 20, 13, title) + 10;

	if (explain_is_plain(request)) {
		y = picture_banks(svg, request, explanation, y);
	} else {
		y = picture_time(svg, request, explanation, y);
		y = draw_lanes(svg, request, explanation, y);
		y = draw_legend(svg, explanation, y);
	}
	return svg_finish(svg, y, title);
}
