/* SPDX-License-Identifier: MIT */
/* Two runs side by side, as text and CSV. */
#include "report/diff.h"

#include <math.h>
#include <string.h>

#include "base/csv-cell.h"
#include "report/format.h"
#include "report/report.h"

#define WIDTH	    80
#define STATE_ROWS  8
#define LINE_ROWS   5
#define CONFIG_ROWS 6
#define SAME	    0.05 /* per cent: what prints as 0.0 */

/* "is 1.52x faster", "takes the same time". g_free. */
static char *words_of(double speedup)
{
	if (fabs(speedup - 1) < SAME / 100)
		return g_strdup("takes the same time");
	return g_strdup_printf("is %.2fx %s", speedup > 1 ? speedup : 1 / speedup,
			       speedup > 1 ? "faster" : "slower");
}

/* Sums of lines may have more than 64 bits. g_free. */
static char *count_text(double count)
{
	return format_count_short(count < 0x1p64 ? (uint64_t)count : UINT64_MAX);
}

static void append_row(GString *text, const DiffRow *row)
{
	g_autofree char *name = format_name(row->name, 36);
	g_autofree char *before = count_text(row->before);
	g_autofree char *after = count_text(row->after);

	g_string_append_printf(text, "  %-36s %13s %13s", name, before, after);
	if (row->before > 0)
		g_string_append_printf(text, "  %+9.1f %%",
				       100 * (row->after - row->before) / row->before);
	else
		g_string_append(text, "        new");
	g_string_append_c(text, '\n');
}

/* The rows that differ, at most `max`, under a heading; nothing if all is as it was. */
static void append_part(GString *text, const char *heading, const GPtrArray *rows, guint max)
{
	guint n = 0;

	for (guint i = 0; i < rows->len; i++) {
		if (!diff_row_differs(g_ptr_array_index(rows, i)) || n >= max)
			continue;
		if (n++ == 0)
			g_string_append_printf(text, "\n%s\n", heading);
		append_row(text, g_ptr_array_index(rows, i));
	}
}

static void append_same(GString *text, const GPtrArray *rows)
{
	glong column = WIDTH;
	gboolean any = FALSE;

	for (guint i = 0; i < rows->len; i++) {
		const DiffRow *row = g_ptr_array_index(rows, i);
		g_autofree char *count = count_text(row->before);
		g_autofree char *word = g_strdup_printf("%s %s", row->name, count);
		glong width = g_utf8_strlen(word, -1) + 2;

		if (diff_row_differs(row))
			continue;
		if (!any)
			g_string_append(text, "\nUnchanged");
		if (any)
			g_string_append(text, column + width > WIDTH ? "," : ", ");
		if (column + width > WIDTH) {
			g_string_append(text, "\n  ");
			column = 2;
		}
		g_string_append(text, word);
		column += width;
		any = TRUE;
	}
	if (any)
		g_string_append_c(text, '\n');
}

static void append_config(GString *text, const DiffPair *pair)
{
	g_autoptr(GPtrArray) lines = diff_config(pair);

	if (lines->len > 0)
		g_string_append(text, "\nChanges of the config\n");
	for (guint i = 0; i < MIN(lines->len, CONFIG_ROWS); i++) {
		g_autofree char *line = format_name(g_ptr_array_index(lines, i), WIDTH - 2);

		g_string_append_printf(text, "  %s\n", line);
	}
	if (lines->len > CONFIG_ROWS)
		g_string_append_printf(text, "  and %u more keys\n", lines->len - CONFIG_ROWS);
}

/* How sure estimates are, and whether that is enough to tell the two apart. */
static void append_intervals(GString *text, const DiffPair *pair)
{
	double low[2], high[2];
	const gboolean estimated[] = {diff_interval(pair->before, &low[0], &high[0]),
				      diff_interval(pair->after, &low[1], &high[1])};

	for (guint i = 0; i < 2; i++) {
		g_autofree char *from = count_text(low[i]), *to = count_text(high[i]);

		if (estimated[i])
			g_string_append_printf(text,
					       "%c is an estimate: %s to %s cycles (95 %%).\n",
					       "AB"[i], from, to);
	}
	if ((estimated[0] || estimated[1]) && low[0] <= high[1] && low[1] <= high[0])
		g_string_append(text, "The intervals overlap: A and B may be equal.\n");
}

static void append_cost(GString *text, const DiffPair *pair)
{
	static const char *const paths[] = {"cycles", "contention_free.cycles"};
	g_autofree char *before = format_time_us(diff_number(pair->before, "time_us"));
	g_autofree char *after = format_time_us(diff_number(pair->after, "time_us"));
	g_autofree char *words = words_of(diff_speedup(pair));

	g_string_append_printf(text, "%-38s %13s %13s %11s\n", "", "A", "B", "change");
	for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
		const DiffRow row = {(char *)paths[i], diff_number(pair->before, paths[i]),
				     diff_number(pair->after, paths[i])};

		if (row.before > 0 && row.after > 0)
			append_row(text, &row);
	}
	g_string_append_printf(text, "  %-36s %13s %13s  %+9.1f %%\n", "time", before, after,
			       diff_percent(pair));
	g_string_append_printf(text, "B %s.\n", words);
	append_intervals(text, pair);
}

/* The words for it that people read; of all together too. */
static const char *cause_words(const char *name)
{
	for (guint i = 0; i < N_IDEALS; i++)
		if (strcmp(ideal_names[i], name) == 0)
			return ideal_words[i];
	return strcmp(name, CAUSES_ALL) == 0 ? "all of these together" : name;
}

static void append_causes(GString *text, const DiffPair *pair)
{
	g_autoptr(GPtrArray) rows = diff_rows(pair, DIFF_CAUSES);

	for (guint i = 0; i < rows->len; i++) {
		DiffRow *row = g_ptr_array_index(rows, i);
		char *words = g_strdup(cause_words(row->name));

		g_free(row->name);
		row->name = words;
	}
	append_part(text, "Causes, cycles of each alone; largest change first", rows,
		    rows->len);
}

static char *one_pair(const DiffPair *pair)
{
	g_autoptr(GPtrArray) states = diff_rows(pair, DIFF_STATES);
	g_autoptr(GPtrArray) counts = diff_rows(pair, DIFF_COUNTS);
	g_autoptr(GPtrArray) lines = diff_rows(pair, DIFF_LINES);
	GString *text = g_string_new(NULL);

	append_cost(text, pair);
	append_causes(text, pair);
	append_part(text, "Warp states, in warp cycles; largest change first", states,
		    STATE_ROWS);
	append_part(text, "Source lines, in warp cycles; largest change first", lines,
		    LINE_ROWS);
	append_part(text, "Counters", counts, counts->len);
	append_config(text, pair);
	append_same(text, counts);
	return g_string_free(text, FALSE);
}

/* The state whose change is largest: "lock_retry -12,345"; "-" if none changed. g_free. */
static char *cause_of(const DiffPair *pair)
{
	g_autoptr(GPtrArray) states = diff_rows(pair, DIFF_STATES);
	const DiffRow *row = states->len > 0 ? g_ptr_array_index(states, 0) : NULL;
	g_autofree char *count = NULL;

	if (row == NULL || !diff_row_differs(row))
		return g_strdup("-");
	count = count_text(fabs(row->after - row->before));
	return g_strdup_printf("%s %s%s", strrchr(row->name, '.') + 1,
			       row->after > row->before ? "+" : "-", count);
}

static char *many_pairs(const GPtrArray *pairs)
{
	GString *text = g_string_new(NULL);
	double sum = 0;

	g_string_append_printf(text, "%-28s %12s %12s %9s  %s\n", "", "A", "B", "change",
			       "largest change");
	for (guint i = 0; i < pairs->len; i++) {
		const DiffPair *pair = g_ptr_array_index(pairs, i);
		g_autofree char *label = format_name(pair->label, 28);
		g_autofree char *before = format_time_us(diff_number(pair->before, "time_us"));
		g_autofree char *after = format_time_us(diff_number(pair->after, "time_us"));
		g_autofree char *cause = cause_of(pair);

		sum += log(diff_speedup(pair));
		g_string_append_printf(text, "%-28s %12s %12s %+7.1f %%  %s\n", label, before,
				       after, diff_percent(pair), cause);
	}
	g_autofree char *words = words_of(exp(sum / pairs->len));
	g_string_append_printf(text, "\n%u runs; geometric mean: B %s.\n", pairs->len, words);
	return g_string_free(text, FALSE);
}

char *diff_text(const GPtrArray *pairs, const char *const names[2], const DiffLeftOut *left_out)
{
	g_autofree char *a = format_name(names[0], WIDTH - 4);
	g_autofree char *b = format_name(names[1], WIDTH - 4);
	g_autofree char *body =
		pairs->len == 1 ? one_pair(g_ptr_array_index(pairs, 0)) : many_pairs(pairs);
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "A   %s\nB   %s\n\n%s", a, b, body);
	if (left_out->unpaired > 0)
		g_string_append_printf(text, "%u run%s of A or B without a counterpart.\n",
				       left_out->unpaired, left_out->unpaired == 1 ? "" : "s");
	if (left_out->incomplete > 0)
		g_string_append_printf(text, "%u more that did not finish in A or B.\n",
				       left_out->incomplete);
	return g_string_free(text, FALSE);
}

char *diff_csv(const GPtrArray *pairs)
{
	GString *text = g_string_new(DIFF_COLUMNS "\n");

	for (guint i = 0; i < pairs->len; i++) {
		const DiffPair *pair = g_ptr_array_index(pairs, i);
		g_autofree char *cause = cause_of(pair);

		csv_append_cell(text, pair->label);
		g_string_append_printf(text, ",%.0f,%.0f,%.6g,%.6g,%.3f,",
				       diff_number(pair->before, "cycles"),
				       diff_number(pair->after, "cycles"),
				       diff_number(pair->before, "time_us"),
				       diff_number(pair->after, "time_us"), diff_percent(pair));
		csv_append_cell(text, cause);
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}
