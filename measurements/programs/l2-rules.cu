/* SPDX-License-Identifier: MIT */
/*
 * Which rule of the L2 sets the pace: atomics and loads of chosen SMs to chosen words.
 *
 *   l2-rules > l2-rules.csv
 *
 * A row is one case: `sms` SMs of `warps` warps run `instructions` warp instructions each warp;
 * cycles are those of the slowest SM (median, least and most of RUNS), `chip_cycles` what one warp
 * instruction costs the whole chip. What a case does is said where it is made. Sides are found
 * anew in each run (l2.h), since addresses differ from run to run.
 */
#include "contend.h"

#define MAP_PAGES 128

/* Line 0 of the n-th page of a side; -1 if there is none. */
static int side_line(int side, int n)
{
	for (int page = 0; page < MAP_PAGES; page++)
		if (bench.map.line_side[page * PAGE_LINES] == side && n-- == 0)
			return page * PAGE_LINES;
	return -1;
}

/* Lanes on m of the words of one sector: is a part of a sector dearer than a whole? */
static void partial_sectors(void)
{
	static const int operations[] = {RED, ATOM, FLOAT, CAS, RED64};
	char name[64];

	for (int i = 0; i < 5; i++) {
		int bytes = operations[i] == RED64 ? 8 : 4;

		for (int m = 1; m <= 32 / bytes; m++) {
			clear_roles();
			assign(-1, MAX_SMS, operations[i], 32, 32, 0,
			       spread_row(0, m, m, bytes));
			snprintf(name, sizeof(name), "words=%d", m);
			run_case("partial-sector", name);
		}
	}
}

/* A line of no pattern, for warp, step and number; lines of a warp's steps differ. */
static uint32_t scattered_line(int warp, int step, int i)
{
	return ((warp * STEPS + step) * 37 + i * 61) * 29 % (MAP_PAGES * PAGE_LINES) *
	       LINE_BYTES;
}

/* One SM, each warp on lines of its own; lanes on the sectors of a line that the mask names, on
   one or more words of each. */
static void packet(int operation, int mask, int words)
{
	char name[64];
	int row;

	clear_roles();
	row = new_row();
	for (int step = 0; step < STEPS; step++)
		for (int warp = 0; warp < 32; warp++)
			for (int i = 0, lane = 0; i < 4 * words; i++)
				if (mask >> i / words & 1)
					row_at(row, step)[warp * 32 + lane++] =
						scattered_line(warp, step, 0) + i / words * 32 +
						i % words * 4;
	assign(-1, 1, operation, 32, 64, 0, row);
	snprintf(name, sizeof(name), "sectors=%d%d%d%d words=%d", mask & 1, mask >> 1 & 1,
		 mask >> 2 & 1, mask >> 3 & 1, words);
	run_case("packets", name);
}

/* One SM; each warp's lanes on so many lines, sectors of each, words of each sector. */
static void reply(int operation, int lines, int sectors, int words)
{
	char name[64];
	int row;

	clear_roles();
	row = new_row();
	for (int step = 0; step < STEPS; step++)
		for (int i = 0; i < N_THREADS; i++) {
			int lane = i % 32, line = lane / (sectors * words);

			if (line < lines)
				row_at(row, step)[i] = scattered_line(i / 32, step, line) +
						       lane / words % sectors * 32 +
						       lane % words * 4;
		}
	assign(-1, 1, operation, 32, 32, 0, row);
	snprintf(name, sizeof(name), "lines=%d sectors=%d words=%d", lines, sectors, words);
	run_case("replies", name);
}

/* n lanes on each word, of one SM on lines of the warps' own or of all SMs on one line: are equal
   words merged? */
static void equal_words(int operation, int equal, bool all)
{
	char name[64];
	int row;

	clear_roles();
	row = new_row();
	for (int step = 0; step < STEPS; step++)
		for (int i = 0; i < N_THREADS; i++)
			row_at(row, step)[i] =
				scattered_line(all ? 0 : i / 32, all ? 0 : step, 0) +
				i % 32 / equal * 4;
	assign(-1, all ? MAX_SMS : 1, operation, 32, 16, 0, row);
	snprintf(name, sizeof(name), "lanes-a-word=%d %s", equal,
		 all ? "one-line" : "own-lines");
	run_case("equal-words", name);
}

/* One SM, so many warps, loads of a line a lane or of a line a warp: the same lines for all warps,
   or lines of their own. */
static void loads_of_an_sm(int warps, int lines, bool own)
{
	char name[64];
	int row;

	clear_roles();
	row = new_row();
	for (int step = 0; step < STEPS; step++)
		for (int i = 0; i < N_THREADS; i++)
			row_at(row, step)[i] =
				scattered_line(own ? i / 32 : 0, step, i % 32 / (32 / lines)) +
				i % (32 / lines) * 4;
	assign(-1, 1, LOAD, warps, 64, 0, row);
	snprintf(name, sizeof(name), "lines=%d %s", lines, own ? "own" : "common");
	run_case("loads-of-an-sm", name);
}

/* All SMs load one line: the same sector, or sectors that differ by SM, by warp or by both. */
static void load_sectors(void)
{
	static const char *const cases[] = {"sector=0", "sector=by-warp", "sector=by-sm",
					    "sectors=4", "sectors=1-or-4-by-warp"};

	for (int c = 0; c < 10; c++) {
		clear_roles();
		for (int sm = 0; sm < bench.map.n_sms; sm++) {
			int row = new_row();

			for (int step = 0; step < STEPS; step++)
				for (int i = 0; i < N_THREADS; i++) {
					int warp = i / 32, lane = i % 32;
					uint32_t *offset = &row_at(row, step)[i];

					if (c / 2 == 3 || (c / 2 == 4 && warp % 2))
						*offset = lane * 4;
					else
						*offset = (c / 2 == 1	? warp % 4
							   : c / 2 == 2 ? sm % 4
									: 0) *
								  32 +
							  lane % 8 * 4;
				}
			bench.roles[sm] = (Role){LOAD, c % 2 ? 32 : 1, 64, 0, row};
		}
		run_case("load-sectors", cases[c / 2]);
	}
}

/* How far requests of one side, of the other and of both get: one line from m SMs. */
static void ports(void)
{
	static const int words[] = {1, 2, 8, 32};
	static const int counts[] = {1, 2, 4, 8, 16, 32, 60};
	char name[64];

	for (int w = 0; w < 4; w++)
		for (int c = 0; c < 7; c++)
			for (int side = 0; side < 3; side++) {
				uint32_t offset = side_line(0, 0) * LINE_BYTES;
				int row;

				clear_roles();
				row = spread_row(offset, 32, words[w], 4);
				if (side < 2) {
					assign(side, counts[c], RED, 32, 16, 0, row);
				} else {
					assign(0, counts[c] / 2, RED, 32, 16, 0, row);
					assign(1, counts[c] - counts[c] / 2, RED, 32, 16, 0,
					       row);
				}
				snprintf(name, sizeof(name), "words=%d side=%s", words[w],
					 side == 2 ? "both"
					 : side	   ? "far"
						   : "near");
				run_case("ports", name);
			}
}

static void one_sm(void)
{
	static const int operations[] = {RED, ATOM, CAS, FLOAT, LOAD};

	for (int o = 0; o < 3; o++)
		for (int words = 1; words <= 8; words *= 2)
			for (int mask = 1; mask < 16; mask++)
				packet(operations[o], mask, words);
	for (int o = 0; o < 5; o++)
		for (int lines = 1; lines <= 32; lines *= 2)
			for (int sectors = 1; sectors <= 4; sectors *= 2)
				for (int words = 1; words <= 8; words *= 8)
					if (lines * sectors * words <= 32)
						reply(operations[o], lines, sectors, words);
	for (int warps = 1; warps <= 32; warps *= 2)
		for (int lines = 1; lines <= 32; lines *= 32)
			for (int own = 0; own < 2; own++)
				loads_of_an_sm(warps, lines, own);
}

int main(void)
{
	static const int operations[] = {RED, ATOM, CAS, FLOAT};

	bench_begin(MAP_PAGES);
	print_header();
	one_sm();
	partial_sectors();
	for (int o = 0; o < 4; o++)
		for (int equal = 1; equal <= 32; equal *= 2)
			for (int all = 0; all < 2; all++)
				equal_words(operations[o], equal, all);
	load_sectors();
	ports();
	return 0;
}
