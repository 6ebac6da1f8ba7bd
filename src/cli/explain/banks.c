/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/explain/explain.h"

#define LEFT PICTURE_LEFT
#define GRID 512
#define BIT  16 /* of a matrix */

/* --- The hash --- */

static guint bits_of(uint32_t n)
{
	return 32 - (guint)__builtin_clz(n);
}

static void draw_row(Svg *svg, guint bit, uint32_t row, guint n_bits, int y)
{
	g_autofree char *name = g_strdup_printf("bank bit %u", bit);

	svg_text(svg, LEFT - 8, y + 12, 11, SVG_RIGHT, name);
	for (guint k = 0; k < n_bits; k++) {
		const bool counts = row >> (n_bits - 1 - k) & 1;

		svg_box(svg, LEFT + BIT * (int)k, y, BIT - 1, BIT - 1,
			counts ? SVG_PART : SVG_EMPTY, NULL);
	}
}

/* Of a hash that is no modulo: which bits of a word's index make each bit of its bank. */
static int draw_matrix(Svg *svg, const SharedParameters *shared, int y)
{
	const guint n_bits = bits_of(shared->bytes / 4 - 1);
	uint32_t rows[HASH_MAX_BITS], n_rows;
	Hash hash;

	hash_build(&shared->bank_hash, shared->banks, &hash);
	n_rows = hash_rows(&hash, rows);
	if (n_rows == UINT32_MAX || hash_is_modulo(&hash))
		return y;
	y = svg_paragraph(svg, 8, y, 12,
			  "The bank: each bit is the exclusive or of the word's filled bits");
	svg_text(svg, LEFT - 8, y, 11, SVG_RIGHT, "word bit");
	for (guint k = 0; k < n_bits; k++) {
		g_autofree char *digits = g_strdup_printf("%u", n_bits - 1 - k);

		svg_text(svg, LEFT + BIT * (int)k + BIT / 2, y, 10, SVG_MIDDLE, digits);
	}
	y += 5;
	for (guint bit = n_rows; bit-- > 0; y += BIT)
		draw_row(svg, bit, rows[bit], n_bits, y);
	return y + 24;
}

/* --- Passes --- */

/* The lanes that a pass serves in each bank: a box with the lowest, and + if there are more. */
static void draw_pass(Svg *svg, const ExplainWarp *warp, const ExplainRound *round,
		      guint n_banks, int height, int y)
{
	const int width = GRID / (int)n_banks;
	const SvgFill fill = round->number == 0 ? SVG_GOOD : SVG_FURTHER;

	for (guint bank = 0; bank < n_banks; bank++) {
		const int x = LEFT + width * (int)bank;
		guint n = 0, first = 0;
		g_autofree char *hint = NULL, *label = NULL;

		for (uint32_t left = round->won; left; left &= left - 1)
			if (warp->bank[__builtin_ctz(left)] == bank && n++ == 0)
				first = (guint)__builtin_ctz(left);
		if (n == 0)
			continue;
		hint = g_strdup_printf("bank %u, word %u: lane %u%s", bank, warp->word[first],
				       first, n > 1 ? " and others" : "");
		label = g_strdup_printf("%u%s", first, n > 1 ? "+" : "");
		svg_box(svg, x, y, width, height, fill, hint);
		if (height >= 14 && (int)strlen(label) * 6 <= width)
			svg_label(svg, x + width / 2, y + 12, strlen(label) > 2 ? 8 : 10,
				  label);
	}
}

/* "stride 2" of words that are as far from each other, lane by lane, as the first two; else "". g_free. */
static char *stride_words(const ExplainWarp *warp)
{
	uint32_t stride = 0;
	guint n = 0, last = 0;

	for (uint32_t left = warp->mask; left; left &= left - 1, n++) {
		const guint lane = (guint)__builtin_ctz(left);

		if (n == 1)
			stride = warp->word[lane] - warp->word[last];
		if (n > 0 &&
		    (lane != last + 1 || warp->word[lane] - warp->word[last] != stride))
			return g_strdup("");
		last = lane;
	}
	return n > 2 ? g_strdup_printf(", stride %d", (gint32)stride) : g_strdup("");
}

static int draw_warp(Svg *svg, const ExplainRequest *request, const Explanation *explanation,
		     guint w, int y)
{
	const guint n_banks = request->machine->shared.banks;
	const int width = GRID / (int)n_banks;
	guint passes = 0;
	int height;
	g_autofree char *title = NULL, *stride = stride_words(&request->warps[w]);

	for (guint i = 0; i < explanation->rounds->len; i++)
		passes += g_array_index(explanation->rounds, ExplainRound, i).warp == w;
	height = passes <= 8 ? 16 : 8;
	title = g_strdup_printf("Warp %u%s: %u pass%s", w, stride, passes,
				passes == 1 ? "" : "es");
	svg_text(svg, 8, y, 12, SVG_LEFT, title);
	for (guint bank = 0; bank < n_banks; bank += width >= 12 ? 4 : 8) {
		g_autofree char *digits = g_strdup_printf("%u", bank);

		svg_text(svg, LEFT + width * (int)bank + width / 2, y + 14, 10, SVG_MIDDLE,
			 digits);
	}
	svg_text(svg, LEFT - 8, y + 14, 11, SVG_RIGHT, "bank");
	y += 19;
	svg_box(svg, LEFT, y, width * (int)n_banks, height * (int)passes, SVG_EMPTY, NULL);
	for (guint bank = 1; bank < n_banks; bank++)
		svg_line(svg, LEFT + width * (int)bank, y, LEFT + width * (int)bank,
			 y + height * (int)passes);
	for (guint i = 0; i < explanation->rounds->len; i++) {
		const ExplainRound *round =
			&g_array_index(explanation->rounds, ExplainRound, i);
		g_autofree char *name = g_strdup_printf("pass %u", round->number + 1);

		if (round->warp != w)
			continue;
		if (height >= 14 || round->number % 4 == 3)
			svg_text(svg, LEFT - 8, y + height - 4 + (height < 14) * 3, 11,
				 SVG_RIGHT, name);
		draw_pass(svg, &request->warps[w], round, n_banks, height, y);
		y += height;
	}
	return y + 24;
}

int picture_banks(Svg *svg, const ExplainRequest *request, const Explanation *explanation,
		  int y)
{
	static const char *const words[] = {
		"served in the first pass; the number is the lane's, + more lanes of its word",
		"served later: the bank had another word to serve",
	};
	static const SvgFill legend[] = {SVG_GOOD, SVG_FURTHER};
	const bool conflict = explanation->rounds->len > request->n_warps;

	y = draw_matrix(svg, &request->machine->shared, y);
	for (guint w = 0; w < request->n_warps; w++)
		y = draw_warp(svg, request, explanation, w, y);
	for (guint i = 0; i < (conflict ? 2 : 1); i++)
		y = svg_key(svg, y, legend[i], 15, "", words[i]);
	return y;
}
