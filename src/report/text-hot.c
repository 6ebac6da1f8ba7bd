/* SPDX-License-Identifier: MIT */
/* The part of the text report that names the culprits: words, locks, banks, lines. */
#include "report/text.h"

#include <string.h>

#include "report/format.h"
#include "report/lines.h"

#define HOT_ROWS  3
#define SITE_ROWS 3

/* Rankings side by side, each by its own cost: rows of one say nothing of those of another. */
typedef struct {
	const char *name, *cost_name;
	const HotSpot *spots;
	guint n;
	gboolean of_passes; /* what it costs: passes, not lanes that lost */
	gboolean of_words;
} HotColumn;

static uint64_t cost_of(const HotColumn *column, guint k)
{
	if (k >= column->n)
		return 0;
	return column->of_passes ? column->spots[k].passes : column->spots[k].failures;
}

/* A word of the block, and of the SM. */
static void write_word(GString *text, const HotSpot *spot, const char *count)
{
	g_autofree char *word = spot->block_word != UINT32_MAX
					? g_strdup_printf("%u (%u)", spot->block_word, spot->id)
					: g_strdup_printf("- (%u)", spot->id);

	g_string_append_printf(text, "  %13s %9s ", word, count);
}

/* One cell: the k-th hot spot and what it cost, or blanks. */
static void write_hot_cell(GString *text, const HotColumn *column, guint k)
{
	uint64_t cost = cost_of(column, k);
	g_autofree char *count = format_count_short(cost);

	if (cost == 0)
		g_string_append_printf(text, "%26s", "");
	else if (column->of_words)
		write_word(text, &column->spots[k], count);
	else
		g_string_append_printf(text, "  %8u %14s ", column->spots[k].id, count);
}

static void end_line(GString *text)
{
	while (text->len > 0 && text->str[text->len - 1] == ' ')
		g_string_truncate(text, text->len - 1);
	g_string_append_c(text, '\n');
}

void text_write_hot_spots(GString *text, const RunReport *report)
{
	const SimResult *result = report->result;
	const HotColumn all[] = {
		{"word (SM's)", "retries", result->addresses, result->n_addresses, FALSE, TRUE},
		{"lock", "retries", result->locks, result->n_locks, FALSE, FALSE},
		{"bank", "extra passes", result->banks, result->n_banks, TRUE, FALSE},
	};
	HotColumn columns[G_N_ELEMENTS(all)];
	guint n = 0;

	for (guint i = 0; i < G_N_ELEMENTS(all); i++)
		if (cost_of(&all[i], 0) > 0 &&
		    (i != 1 || atomic_has_lock_bits(&report->machine->atomic)))
			columns[n++] = all[i];
	if (n == 0)
		return;
	for (guint i = 0; i < n; i++) {
		g_autofree char *name =
			g_strdup_printf("%s %s", i == 0 ? "Hot" : "hot", columns[i].name);

		g_string_append(text, i == 0 ? "" : "|");
		g_string_append_printf(text, columns[i].of_words ? "%-15s %9s " : "%10s %14s ",
				       name, columns[i].cost_name);
	}
	end_line(text);
	for (guint k = 0; k < HOT_ROWS; k++) {
		gsize before = text->len;
		bool any = false;

		for (guint i = 0; i < n; i++) {
			g_string_append(text, i == 0 ? "" : "|");
			write_hot_cell(text, &columns[i], k);
			any = any || cost_of(&columns[i], k) > 0;
		}
		if (any)
			end_line(text);
		else
			g_string_truncate(text, before);
	}
	if (cost_of(&all[0], 0) > 0)
		g_string_append_printf(
			text,
			"  (%s most first; words of the block's shared memory, in "
			"parentheses the SM's)\n",
			n > 1 ? "each" : "all");
	g_string_append_c(text, '\n');
}

/* The names up to their second dot, each once: "LDS, ATOMS.CAST". g_free. */
static char *short_names(const ReportLine *line)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < line->instructions->len; i++) {
		const char *name = line->instructions->pdata[i];
		const char *dot = strchr(name, '.');
		const char *second = dot ? strchr(dot + 1, '.') : NULL;
		g_autofree char *start =
			second ? g_strndup(name, (gsize)(second - name)) : g_strdup(name);

		if (!g_ptr_array_find_with_equal_func(names, start, g_str_equal, NULL))
			g_ptr_array_add(names, g_steal_pointer(&start));
	}
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
}

static void write_line(GString *text, const ReportLine *line, uint64_t whole)
{
	g_autofree char *place = format_name(line->label, 48);
	g_autofree char *retries = format_count_short(line->failures);

	g_string_append_printf(text, "  %-48s %11.1f %% %14s\n", place,
			       format_percent(line->cycles, whole), retries);
}

/* Whether it is a line of the program. */
static bool is_line(const ReportLine *line)
{
	return !g_str_equal(line->label, LINE_NONE) && !g_str_equal(line->label, LINE_ENDED);
}

/* What is not among the first rows: what is no line, and all other lines. */
static void write_rest(GString *text, const GPtrArray *lines, guint n_shown, uint64_t whole)
{
	ReportLine others = {0};
	guint n = 0;

	for (guint i = 0; i < lines->len; i++) {
		const ReportLine *line = lines->pdata[i];

		if (!is_line(line)) {
			write_line(text, line, whole);
		} else if (n_shown > 0) {
			n_shown--;
		} else {
			others.cycles += line->cycles;
			others.failures += line->failures;
			n++;
		}
	}
	if (n == 0)
		return;
	others.label = g_strdup_printf("%u other line%s", n, n == 1 ? "" : "s");
	write_line(text, &others, whole);
	g_free(others.label);
}

void text_write_sites(GString *text, const RunReport *report)
{
	const uint64_t whole = report->result->statistics.resident_warp_cycles;
	g_autoptr(GPtrArray) lines = report_lines(report);
	guint n = 0;

	if (lines->len == 0)
		return;
	g_string_append_printf(text, "%-50s %13s %14s\n", "Hot source lines, by warp time",
			       "warp time", "retries");
	for (guint i = 0; i < lines->len && n < SITE_ROWS; i++) {
		const ReportLine *line = lines->pdata[i];
		g_autofree char *all = NULL;
		g_autofree char *names = NULL;

		if (!is_line(line))
			continue;
		write_line(text, line, whole);
		n++;
		if (line->instructions->len < 2)
			continue;
		all = short_names(line);
		names = format_name(all, 74);
		g_string_append_printf(text, "    %s\n", names);
	}
	write_rest(text, lines, n, whole);
	g_string_append_c(text, '\n');
}
