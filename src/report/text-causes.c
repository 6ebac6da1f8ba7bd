/* SPDX-License-Identifier: MIT */
/* The causes of the text report: what the run would take without each, costliest first. */
#include "base/text.h"
#include "report/format.h"
#include "report/text.h"

#define WIDTH 80

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

/* Which causes a line is of. */
typedef gboolean (*Takes)(const Cause *cause, uint64_t cycles);

static gboolean has_no_effect(const Cause *cause, uint64_t cycles)
{
	return cause->cycles == cycles && cause->order != ORDER_ORIGINAL;
}

static gboolean keeps_order(const Cause *cause, uint64_t cycles)
{
	(void)cycles;
	return cause->order != ORDER_OWN && cause->order != ORDER_ORIGINAL;
}

/* With less to wait for, warps meet more often elsewhere, whatever order is tried. */
static gboolean gains_nothing(const Cause *cause, uint64_t cycles)
{
	(void)cycles;
	return cause->order == ORDER_ORIGINAL;
}

/* Names of causes behind a heading, if there are any. */
static void write_names(GString *text, const RunReport *report, Takes takes,
			const char *heading)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 0; i < N_IDEALS; i++) {
		const Cause *cause = &report->causes->without[i];

		if (cause->known && takes(cause, report->result->statistics.cycles))
			g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "",
					       ideal_words[i]);
	}
	if (names->len == 0)
		return;
	g_string_append_printf(text, "  %s", heading);
	text_wrap(text, names->str, 4, WIDTH);
	g_string_append_c(text, '\n');
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
	Row rows[N_IDEALS];
	guint n = 0;

	if (causes == NULL)
		return;
	if (!causes->all.known) {
		g_string_append(text, "Causes   none: no contention, no wait for global "
				      "memory, barriers, issue\n         slots or results\n\n");
		return;
	}
	g_string_append_printf(text, "%-36s %20s %10s\n", "Causes", "without it", "saves");
	for (guint i = 0; i < N_IDEALS; i++) {
		const Row row = {ideal_words[i], &causes->without[i],
				 cause_saves(&causes->without[i], cycles)};

		if (row.saves > 0)
			rows[n++] = row;
	}
	qsort(rows, n, sizeof(Row), compare_rows);
	for (guint i = 0; i < n; i++)
		write_row(text, &rows[i], cycles);
	write_contention(text, report, cycles);
	write_row(text,
		  &(Row){"all of these together", &causes->all,
			 cause_saves(&causes->all, cycles)},
		  cycles);
	g_string_append(text,
			"  left then: instructions in program order, shared memory, loads "
			"of constants\n");
	write_names(text, report, has_no_effect, "no effect: ");
	write_names(text, report, keeps_order,
		    "in the warp order of the run, as a free order takes longer:\n  ");
	write_names(text, report, gains_nothing,
		    "no gain, as every warp order that was tried takes longer:\n  ");
	g_string_append_c(text, '\n');
}
