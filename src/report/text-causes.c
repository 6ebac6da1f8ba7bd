/* SPDX-License-Identifier: MIT */
/* The causes of the text report: what the run would take without each, costliest first. */
#include "report/format.h"
#include "report/text.h"

/* Rows that cost something are shown. */
typedef struct {
	const char *words;
	const Cause *cause;
	uint64_t saves;
} Row;

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const Row *x = a, *y = b;

	return (x->saves < y->saves) - (x->saves > y->saves);
}

static void write_row(GString *text, const Row *row, uint64_t cycles)
{
	g_autofree char *without = format_count(row->cause->cycles);

	g_string_append_printf(text, "  %-34s %13s cycles %8.1f %%\n", row->words, without,
			       format_percent(row->saves, cycles));
}

/* Of those that cost nothing: their names on a line. */
static void write_idle(GString *text, const GPtrArray *names)
{
	g_autoptr(GString) line = g_string_new("  no effect: ");

	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(line, "%s%s", i > 0 ? ", " : "",
				       (const char *)g_ptr_array_index(names, i));
	if (names->len > 0)
		g_string_append_printf(text, "%s\n", line->str);
}

/* Where warps left to themselves take longer than the run: in its order. */
static void write_kept(GString *text, const RunReport *report)
{
	const uint64_t cycles = report->result->statistics.cycles;
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 0; i < N_IDEALS; i++) {
		const Cause *cause = &report->causes->without[i];

		if (cause->known && cause->order != ORDER_OWN && cause->cycles <= cycles)
			g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
					       ideal_words[i]);
	}
	if (names->len > 0)
		g_string_append_printf(
			text,
			"  in the warp order of the run, as a free order takes longer:\n  %s\n",
			names->str);
}

/* With less to wait for, warps meet more often elsewhere, whatever order is tried. */
static void write_slower(GString *text, const RunReport *report)
{
	const uint64_t cycles = report->result->statistics.cycles;

	for (guint i = 0; i < N_IDEALS; i++) {
		const Cause *cause = &report->causes->without[i];

		if (cause->known && cause->cycles > cycles)
			g_string_append_printf(text,
					       "  %s: cost unknown; the run without takes %.2f "
					       "%% longer\n  in every warp order tried\n",
					       ideal_words[i],
					       100.0 * (cause->cycles - cycles) / cycles);
	}
}

static void write_contention(GString *text, const RunReport *report, uint64_t cycles)
{
	const uint64_t without =
		report->baseline != NULL ? report->baseline->statistics.cycles : cycles;
	const Cause cause = {.known = true, .cycles = without};

	if (without < cycles)
		write_row(
			text,
			&(Row){"all contention together", &cause, cause_saves(&cause, cycles)},
			cycles);
}

void text_write_causes(GString *text, const RunReport *report)
{
	const uint64_t cycles = report->result->statistics.cycles;
	const Causes *causes = report->causes;
	g_autoptr(GPtrArray) idle = g_ptr_array_new();
	Row rows[N_IDEALS];
	guint n = 0;

	if (causes == NULL)
		return;
	if (!causes->all.known) {
		g_string_append(text, "Causes   none: no contention, no wait for global "
				      "memory, barriers or issue\n         slots; the rest is "
				      "the latency of the instructions\n\n");
		return;
	}
	g_string_append_printf(text, "%-36s %20s %10s\n", "Causes", "without it", "saves");
	for (guint i = 0; i < N_IDEALS; i++) {
		const Row row = {ideal_words[i], &causes->without[i],
				 cause_saves(&causes->without[i], cycles)};

		if (row.saves > 0)
			rows[n++] = row;
		else if (row.cause->known && row.cause->cycles == cycles)
			g_ptr_array_add(idle, (gpointer)ideal_words[i]);
	}
	qsort(rows, n, sizeof(Row), compare_rows);
	for (guint i = 0; i < n; i++)
		write_row(text, &rows[i], cycles);
	write_contention(text, report, cycles);
	if (causes->all.known)
		write_row(text,
			  &(Row){"all of these together", &causes->all,
				 cause_saves(&causes->all, cycles)},
			  cycles);
	write_idle(text, idle);
	write_kept(text, report);
	write_slower(text, report);
	g_string_append_c(text, '\n');
}
