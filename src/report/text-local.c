/* SPDX-License-Identifier: MIT */
/* Thread-local memory in the text report: how much of global memory's traffic it is, why there is any, and what helps. */
#include "base/text.h"
#include "report/format.h"
#include "report/lines.h"
#include "report/text.h"

#define COLUMN 9 /* of what follows a section's name */
#define WIDTH  80

/* The line that moves most of it, if the trace knows any. */
static void append_place(GString *words, const RunReport *report)
{
	g_autoptr(GPtrArray) lines = report_lines(report);
	const ReportLine *most = NULL;
	g_autofree char *place = NULL;

	for (guint i = 0; i < lines->len; i++) {
		const ReportLine *line = lines->pdata[i];

		if (line->local_segments > (most ? most->local_segments : 0))
			most = line;
	}
	if (most == NULL)
		return;
	place = format_name(most->label, 48);
	g_string_append_printf(words, "most at %s (%.1f %%)\n", place,
			       format_percent(most->local_segments,
					      report->result->statistics.local_segments));
}

void text_write_local(GString *text, const RunReport *report)
{
	const Statistics *s = &report->result->statistics;
	g_autoptr(GString) words = g_string_new(NULL);
	g_autofree char *loads = format_count_short(s->local_loads);
	g_autofree char *all_loads = format_count_short(s->records[RECORD_LDG]);
	g_autofree char *stores = format_count_short(s->local_stores);
	g_autofree char *all_stores = format_count_short(s->records[RECORD_STG]);

	if (s->local_loads + s->local_stores == 0)
		return;
	g_string_append_printf(
		words,
		"%s of %s loads, %s of %s stores are thread-local, %.1f %% of segments\n",
		loads, all_loads, stores, all_stores,
		format_percent(s->local_segments, s->global_segments));
	append_place(words, report);
	g_string_append(words,
			"arrays indexed at run time: use constant indices or shared memory;\n"
			"spilled registers: allow more a thread; nvcc -Xptxas -v shows which");
	g_string_append(text, "Local    ");
	text_wrap(text, words->str, COLUMN, WIDTH);
	g_string_append_c(text, '\n');
}
