/* SPDX-License-Identifier: MIT */
/* The candidates of a search as a figure: cycles against what the hardware costs. */
#include "cli/search/search.h"

#include "report/series.h"

gboolean search_plot(const SearchReport *report, const char *svg, GError **error)
{
	g_autoptr(GArray) points = g_array_new(FALSE, TRUE, sizeof(SeriesPoint));
	g_autoptr(GStringChunk) texts = g_string_chunk_new(256);

	for (guint s = 0; s < report->n_steps; s++) {
		const SearchResult *result = &report->steps[s];

		for (guint i = 0; i < result->candidates->len; i++) {
			const SearchCandidate *candidate = result->candidates->pdata[i];
			g_autofree char *cost =
				g_strdup_printf("%" G_GUINT64_FORMAT, candidate->cost_bits);
			const SeriesPoint point = {
				.series = report->n_steps > 1 ? search_key(result->target) : "",
				.x = g_string_chunk_insert_const(texts, cost),
				.y = (double)candidate->cycles};

			g_array_append_val(points, point);
		}
	}
	series_part_front((SeriesPoint *)(gpointer)points->data, points->len, texts);
	return report_series(svg, "cycles over cost_bits", "cost of the hardware, in bits",
			     "cycles", (const SeriesPoint *)(gconstpointer)points->data,
			     points->len, error);
}
