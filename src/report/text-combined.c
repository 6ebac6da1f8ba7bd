/* SPDX-License-Identifier: MIT */
/* The part of the text report that says what was merged of the program's atomics, and why not the rest. */
#include "report/format.h"
#include "report/lines.h"
#include "report/text.h"

#define ROWS 5

static void write_counts(GString *text, const char *label, const CombineCounters *combined)
{
	g_autofree char *place = format_name(label, 34);
	g_autofree char *merged = format_count_short(combined->merged);

	g_autofree char *buffered = format_count_short(combined->buffered);

	g_string_append_printf(text, "  %-34s %9s %9s", place, merged, buffered);
	for (guint k = 0; k < N_COMBINE_REFUSALS; k++) {
		g_autofree char *lanes = format_count_short(combined->refused[k]);

		g_string_append_printf(text, " %9s", lanes);
	}
	g_string_append_c(text, '\n');
}

void text_write_combined(GString *text, const RunReport *report)
{
	g_autoptr(GPtrArray) lines = report_lines(report);
	CombineCounters all = {0};
	guint n = 0;

	for (guint i = 0; report->sites != NULL && i < report->sites->len; i++)
		combine_counters_add(&all, &g_array_index(report->sites, HotSpot, i).combined,
				     1);
	if (!combine_counters_any(&all))
		return;
	g_string_append_printf(text, "%-36s %9s %9s %9s %9s %9s\n", "Lanes of atomics",
			       "merged", "buffered", "used", "operation", "few");
	for (guint i = 0; i < lines->len && n < ROWS; i++) {
		const ReportLine *line = lines->pdata[i];

		if (!combine_counters_any(&line->combined))
			continue;
		write_counts(text, line->label, &line->combined);
		n++;
	}
	write_counts(text, "all", &all);
	g_string_append(text, "  (neither: the program uses the result; the operation does "
			      "not commute; too\n  few lanes of a warp access the word)\n\n");
}
