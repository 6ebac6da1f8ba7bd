/* SPDX-License-Identifier: MIT */
/*
 * Slices of lines: l2-slices.csv says of each line of some pages its side and its slice. A slice of one side and its mirror on the other
 * share a number; l2-pairs.csv says which two slow each other down. A page's side is the parity of some bits of its number: l2-pages.csv.
 */
#include "validate/frame/derive-internal.h"

#include <string.h>

#define SLICES	    "l2/l2-slices.csv"
#define NOT_EACH    " has not each line of each page once"
#define PAIRS	    "l2/l2-pairs.csv"
#define PAGES	    "l2/l2-pages.csv"
#define MIRROR_TIME 1.2 /* of the usual one, and longer: slices that mirror each other */
#define PIECE_PAGES 512 /* of 2 MiB in a row; how pieces follow each other varies by launch */
#define MOST_PAGES  4096
#define MOST_LINES  (1 << 13)
#define MOST_SLICES 512

typedef struct {
	L2Map *map;
	guint *slice, *side;	 /* of each line, page by page */
	guint n_found;		 /* slices */
	guint of[MOST_SLICES];	 /* each slice's side */
	int other[MOST_SLICES];	 /* and its mirror; -1: none */
	int number[MOST_SLICES]; /* as the map counts them; -1: none yet */
} Lines;

static guint at_of(const Lines *lines, guint page, guint line)
{
	return page * lines->map->page_lines + line;
}

static guint side_of(const Lines *lines, guint page)
{
	return lines->side[at_of(lines, page, 0)];
}

static guint largest_power(guint n)
{
	guint power = 1;

	while (power * 2 <= n)
		power *= 2;
	return power;
}

/* The largest number of each column; FALSE: not all are whole numbers of at least 0. */
static gboolean find_most(L2Map *map, const double *numbers, guint n, double most[4])
{
	for (guint c = 0; c < 4; c++)
		for (guint i = 0; i < n; i++) {
			const double number = numbers[(gsize)c * n + i];

			if (!(number >= 0 && number <= G_MAXUINT) || number != (guint)number)
				return l2_map_fail(map, SLICES " has no whole numbers");
			most[c] = MAX(most[c], number);
		}
	return TRUE;
}

/* Fills what is known of lines; FALSE: a line is there twice. */
static gboolean place_lines(Lines *lines, const double *numbers, guint n)
{
	const double *page = numbers, *line = page + n, *side = line + n, *slice = side + n;

	lines->side = g_new(guint, n);
	lines->slice = g_new0(guint, n);
	memset(lines->side, -1, n * sizeof(guint));
	for (guint i = 0; i < n; i++) {
		const guint at = at_of(lines, (guint)page[i], (guint)line[i]);

		if (lines->side[at] != G_MAXUINT)
			return FALSE;
		lines->side[at] = (guint)side[i];
		lines->slice[at] = (guint)slice[i];
		lines->of[(guint)slice[i]] = (guint)side[i];
	}
	return TRUE;
}

/* Each line of each page must be there once; bits of its number pick its slice, so a page has a power of two of lines. */
static gboolean take_lines(Lines *lines, const double *numbers, guint n)
{
	L2Map *map = lines->map;
	double most[4] = {0};

	if (!find_most(map, numbers, n, most))
		return FALSE;
	if (n == 0 || most[0] >= MOST_PAGES || most[1] >= MOST_LINES || most[2] > 1 ||
	    most[3] >= MOST_SLICES || n != (most[0] + 1) * (most[1] + 1))
		return l2_map_fail(map, SLICES NOT_EACH);
	if (largest_power((guint)most[1] + 1) != (guint)most[1] + 1)
		return l2_map_fail(map, SLICES " has %g lines a page; allowed: a power of two",
				   most[1] + 1);
	map->n_rows = n;
	map->n_pages = largest_power((guint)most[0] + 1);
	map->page_lines = (guint)most[1] + 1;
	map->partitions = (guint)most[2] + 1;
	lines->n_found = (guint)most[3] + 1;
	return place_lines(lines, numbers, n) || l2_map_fail(map, SLICES NOT_EACH);
}

/* A page lies on one side, and so does a slice. */
static gboolean check_sides(const Lines *lines)
{
	const L2Map *map = lines->map;

	for (guint page = 0; page < map->n_pages; page++)
		for (guint line = 0; line < map->page_lines; line++) {
			const guint at = at_of(lines, page, line);

			if (lines->side[at] != side_of(lines, page) ||
			    lines->side[at] != lines->of[lines->slice[at]])
				return l2_map_fail(lines->map,
						   SLICES " has page %u on two sides", page);
		}
	return TRUE;
}

/* Bits of a line's number without which its slice is another. */
static void find_line_bits(Lines *lines)
{
	L2Map *map = lines->map;

	for (guint bit = 0; 1u << bit < map->page_lines; bit++) {
		gboolean picks = FALSE;

		for (guint page = 0; page < map->n_pages && !picks; page++)
			for (guint line = 0; line < map->page_lines && !picks; line++)
				picks = lines->slice[at_of(lines, page, line)] !=
					lines->slice[at_of(lines, page, line ^ 1u << bit)];
		if (picks)
			map->line_bits[map->n_line_bits++] = bit;
	}
}

static gboolean is_slice(const Lines *lines, double number)
{
	return number >= 0 && number < lines->n_found && number == (guint)number;
}

static gboolean take_pair(Lines *lines, double one, double other)
{
	const gboolean good = is_slice(lines, one) && is_slice(lines, other);
	const guint a = good ? (guint)one : 0, b = good ? (guint)other : 0;

	if (!good || a == b || lines->other[a] >= 0 || lines->other[b] >= 0)
		return l2_map_fail(lines->map,
				   PAIRS " has slice %g or %g in two pairs, or it is none", one,
				   other);
	lines->other[a] = (int)b;
	lines->other[b] = (int)a;
	return TRUE;
}

/* Each slice has one mirror, on the other side. */
static gboolean find_mirrors(Lines *lines, const DeriveFiles *files)
{
	static const char *const columns[] = {"slice",	     "other", "side", "other_side",
					      "chip_cycles", "usual", NULL};
	g_autofree double *numbers = NULL;
	guint n;

	if (lines->map->partitions == 1)
		return TRUE;
	numbers = l2_map_read(lines->map, files, PAIRS, columns, &n);
	if (numbers == NULL)
		return FALSE;
	for (guint i = 0; i < n; i++) {
		const double *cell = &numbers[i];

		if (cell[2 * (gsize)n] != cell[3 * (gsize)n] &&
		    cell[4 * (gsize)n] > MIRROR_TIME * cell[5 * (gsize)n] &&
		    !take_pair(lines, cell[0], cell[n]))
			return FALSE;
	}
	for (guint slice = 0; slice < lines->n_found; slice++)
		if (lines->other[slice] < 0)
			return l2_map_fail(lines->map, PAIRS " has no mirror of slice %u",
					   slice);
	return TRUE;
}

static guint line_of_pick(const L2Map *map, guint pick)
{
	guint line = 0;

	for (guint i = 0; i < map->n_line_bits; i++)
		line |= (pick >> i & 1) << map->line_bits[i];
	return line;
}

/* Numbers slices as they appear, first those of the first page's side. */
static void number_slices(Lines *lines)
{
	L2Map *map = lines->map;
	const guint picks = 1u << map->n_line_bits;

	map->numbers = g_new0(guint, (gsize)map->n_pages * picks);
	for (guint i = 0; i < 2 * map->n_pages * picks; i++) {
		const guint turn = i / (map->n_pages * picks), pick = i % picks;
		const guint page = i / picks % map->n_pages;
		const guint slice = lines->slice[at_of(lines, page, line_of_pick(map, pick))];

		if ((side_of(lines, page) != side_of(lines, 0)) != turn)
			continue;
		if (lines->number[slice] < 0) {
			lines->number[slice] = (int)map->slices;
			if (lines->other[slice] >= 0)
				lines->number[lines->other[slice]] = (int)map->slices;
			map->slices++;
		}
		map->numbers[page * picks + pick] = (guint)lines->number[slice];
	}
}

/* Whether page numbers have odd many bits of the mask exactly where the side is another than the first page's. */
static gboolean find_mask(L2Map *map, const guint *sides, guint n, const char *file)
{
	guint64 mask = 0;

	for (guint bit = 0; 1u << bit < n; bit++)
		if (sides[1u << bit] != sides[0])
			mask |= UINT64_C(1) << bit;
	for (guint page = 0; page < n; page++)
		if ((guint)__builtin_parityll(page & mask) != (sides[page] != sides[0]))
			return l2_map_fail(map,
					   "%s: the side of page %u is no parity of its number",
					   file, page);
	map->partition_mask = mask;
	return TRUE;
}

/* The side of each page, as two SMs of each side see it; NULL: the file does not say. g_free. */
static guint *page_sides(const DeriveFiles *files, guint *n)
{
	const CsvTable *table = derive_table(files, PAGES, NULL);
	guint *sides;

	*n = table ? MIN(csv_rows(table), PIECE_PAGES) : 0;
	sides = g_new0(guint, *n + 1);
	for (guint row = 0; row < *n; row++) {
		double near[2] = {0}, cycles = 0;
		const char *name;

		for (guint c = 0; (name = csv_column_name(table, c)) != NULL; c++)
			if (g_str_has_suffix(name, "_side0") ||
			    g_str_has_suffix(name, "_side1")) {
				if (!csv_number(table, row, c, 0, &cycles, NULL))
					*n = 0;
				near[name[strlen(name) - 1] - '0'] += cycles;
			}
		sides[row] = near[0] > near[1];
	}
	*n = *n ? largest_power(*n) : 0;
	return sides;
}

static gboolean find_partitions(Lines *lines, const DeriveFiles *files)
{
	L2Map *map = lines->map;
	g_autofree guint *sides = NULL;
	guint n;

	if (map->partitions == 1)
		return TRUE;
	sides = page_sides(files, &n);
	if (n >= map->n_pages)
		return find_mask(map, sides, n, PAGES);
	g_free(sides);
	sides = g_new0(guint, map->n_pages);
	for (guint page = 0; page < map->n_pages; page++)
		sides[page] = side_of(lines, page);
	return find_mask(map, sides, map->n_pages, SLICES);
}

gboolean l2_map_slices(L2Map *map, const DeriveFiles *files, guint *side_of_first)
{
	static const char *const columns[] = {"page", "line", "side", "slice", NULL};
	Lines lines = {.map = map};
	g_autofree double *numbers = NULL;
	gboolean good;
	guint n;

	memset(lines.other, -1, sizeof(lines.other));
	memset(lines.number, -1, sizeof(lines.number));
	numbers = l2_map_read(map, files, SLICES, columns, &n);
	good = numbers && take_lines(&lines, numbers, n) && check_sides(&lines) &&
	       find_mirrors(&lines, files) && find_partitions(&lines, files);
	if (good) {
		find_line_bits(&lines);
		number_slices(&lines);
		*side_of_first = side_of(&lines, 0);
	}
	g_free(lines.side);
	g_free(lines.slice);
	return good;
}
