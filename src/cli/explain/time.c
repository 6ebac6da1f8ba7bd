/* SPDX-License-Identifier: MIT */
/* Rounds over time: a row for each warp. */
#include "cli/explain/explain.h"

#include <string.h>

#define LEFT PICTURE_LEFT
#define GRID PICTURE_GRID
#define BAR  24 /* a warp's row */

static const ExplainRound *round_at(const Explanation *explanation, guint i)
{
	return &g_array_index(explanation->rounds, ExplainRound, i);
}

static int x_of(const Explanation *explanation, Cycle cycle)
{
	return LEFT + (int)(cycle * GRID / MAX(explanation->cycles, 1));
}

/* Ticks at multiples of 1, 2 or 5 times a power of ten, four to ten of them. */
static void draw_axis(Svg *svg, const Explanation *explanation, int top, int bottom)
{
	static const unsigned factors[] = {2, 5, 10};
	uint64_t unit = 1, step = 1;

	for (guint i = 0; explanation->cycles / step > 9; i++) {
		step = unit * factors[i % 3];
		unit *= i % 3 == 2 ? 10 : 1;
	}
	for (uint64_t cycle = 0; cycle <= explanation->cycles; cycle += step) {
		g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, cycle);

		svg_line(svg, x_of(explanation, cycle), top, x_of(explanation, cycle), bottom);
		svg_text(svg, x_of(explanation, cycle), bottom + 13, 11, SVG_MIDDLE, digits);
	}
	svg_text(svg, LEFT - 8, bottom + 13, 11, SVG_RIGHT, "cycles");
}

/* Of a round as a whole. */
enum { ALL_WIN, SOME_WIN, NONE_WINS, N_OUTCOMES };
static const SvgFill outcome_fills[N_OUTCOMES] = {SVG_GOOD, SVG_PART, SVG_SAME};
static const char *const outcome_words[N_OUTCOMES] = {
	"round in which all lanes win that are left",
	"round in which some lanes win",
	"round in which no lane wins",
};

static int outcome_of(const ExplainRound *round)
{
	return round->won == 0 ? NONE_WINS : round->won == round->tried ? ALL_WIN : SOME_WIN;
}

static void draw_bar(Svg *svg, const Explanation *explanation, const ExplainRound *round, int y)
{
	const int from = x_of(explanation, round->begin), to = x_of(explanation, round->end);
	g_autofree char *hint = g_strdup_printf("round %u, cycles %" G_GUINT64_FORMAT
						" to %" G_GUINT64_FORMAT ": %d of %d lanes win",
						round->number + 1, round->begin, round->end,
						__builtin_popcount(round->won),
						__builtin_popcount(round->tried));

	svg_box(svg, from, y, to - from, BAR - 7, outcome_fills[outcome_of(round)], hint);
	for (guint i = 0; i < round->n_instructions; i++) {
		const RoundInstruction *instruction = &round->instructions[i];
		const int begin = x_of(explanation, instruction->start);
		const int end = x_of(explanation, instruction->ready);

		if (i > 0)
			svg_line(svg, begin, y, begin, y + BAR - 7);
		if (end - begin >= 7 * (int)strlen(instruction->name) + 2)
			svg_label(svg, (begin + end) / 2, y + 12, 11, instruction->name);
	}
	if (round->freed > 0)
		svg_box(svg, x_of(explanation, round->locked), y + BAR - 7,
			x_of(explanation, round->freed) - x_of(explanation, round->locked), 4,
			SVG_OTHER, "holds its locks");
}

int picture_time(Svg *svg, const ExplainRequest *request, const Explanation *explanation, int y)
{
	const int bottom = y + BAR * (int)request->n_warps;
	bool outcomes[N_OUTCOMES] = {false}, holds = false;

	svg_text(svg, 8, y, 12, SVG_LEFT, "Rounds over time");
	y += 8;
	draw_axis(svg, explanation, y, bottom + 8);
	for (guint w = 0; w < request->n_warps; w++) {
		g_autofree char *name = g_strdup_printf("warp %u", w);

		svg_text(svg, LEFT - 8, y + BAR * (int)w + 13, 11, SVG_RIGHT, name);
	}
	for (guint i = 0; i < explanation->rounds->len; i++) {
		const ExplainRound *round = round_at(explanation, i);

		draw_bar(svg, explanation, round, y + BAR * (int)round->warp + 2);
		holds |= round->freed > 0;
		outcomes[outcome_of(round)] = true;
	}
	y = bottom + 42;
	for (guint k = 0; k < N_OUTCOMES; k++)
		if (outcomes[k])
			y = svg_key(svg, y, outcome_fills[k], 8, "", outcome_words[k]);
	if (holds)
		y = svg_key(svg, y, SVG_OTHER, 4, "",
			    "below a round: its lanes that win hold their locks");
	return y + 10;
}
