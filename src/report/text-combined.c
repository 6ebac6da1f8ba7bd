/* SPDX-License-Identifier: MIT */
/* The part of the text report that says what was merged of the program's atomics, and why not the rest. */
#include "report/format.h"
#include "report/lines.h"
#include "report/text.h"

#define ROWS 5

/* Whether lanes were merged where they were sent to, too: columns of their own. */
typedef struct {
	gboolean bank, slice;
} Places;

static void write_count(GString *text, uint64_t count)
{
	g_autofree char *lanes = format_count_short(count);

	g_string_append_printf(text, " %9s", lanes);
}

static void write_counts(GString *text, const char *label, const CombineCounters *combined,
			 const Places *places)
{
	g_autofree char *place = format_name(label, 34);

	g_string_append_printf(text, "  %-34s", place);
	write_count(text, combined->merged);
	if (places->bank)
		write_count(text, combined->bank_merged);
	if (places->slice)
		write_count(text, combined->slice_merged);
	write_count(text, combined->buffered);
	for (guint k = 0; k < N_COMBINE_REFUSALS; k++)
		write_count(text, combined->refused[k]);
	g_string_append_c(text, '\n');
}

static void write_head(GString *text, const Places *places)
{
	g_string_append_printf(text, "%-36s %9s", "Lanes of atomics", "merged");
	if (places->bank)
		g_string_append_printf(text, " %9s", "at bank");
	if (places->slice)
		g_string_append_printf(text, " %9s", "at slice");
	g_string_append_printf(text, " %9s %9s %9s %9s\n", "buffered", "used", "operation",
			       "few");
}

void text_write_combined(GString *text, const RunReport *report)
{
	g_autoptr(GPtrArray) lines = report_lines(report);
	CombineCounters all = {0};
	Places places;
	guint n = 0;

	for (guint i = 0; report->sites != NULL && i < report->sites->len; i++)
		combine_counters_add(&all, &g_array_index(report->sites, HotSpot, i).combined,
				     1);
	if (!combine_counters_any(&all))
		return;
	places = (Places){all.bank_merged > 0, all.slice_merged > 0};
	write_head(text, &places);
	for (guint i = 0; i < lines->len && n < ROWS; i++) {
		const ReportLine *line = lines->pdata[i];

		if (!combine_counters_any(&line->combined))
			continue;
		write_counts(text, line->label, &line->combined, &places);
		n++;
	}
	write_counts(text, "all", &all, &places);
	g_string_append(text, "  (neither: the program uses the result; the operation does "
			      "not commute; too\n  few lanes of a warp access the word)\n\n");
}
