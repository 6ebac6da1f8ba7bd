/* SPDX-License-Identifier: MIT */
/* The part of the text report that names the culprits: words, locks, banks, lines. */
#include "report/text.h"

#include "report/format.h"

#define HOT_ROWS  3
#define SITE_ROWS 3

/* One cell of the tables side by side: the k-th hot spot and what it cost, or blanks. */
static void write_hot_cell(GString *text, const HotSpot *spots, guint n, guint k, uint64_t cost)
{
	g_autofree char *count = NULL;

	if (k >= n || cost == 0) {
		g_string_append_printf(text, "%26s", "");
		return;
	}
	count = format_count_short(cost);
	g_string_append_printf(text, "  %8u %14s ", spots[k].id, count);
}

void text_write_hot_spots(GString *text, const SimResult *result)
{
	guint rows = 0;

	for (guint k = 0; k < HOT_ROWS; k++)
		if ((k < result->n_addresses && result->addresses[k].failures > 0) ||
		    (k < result->n_locks && result->locks[k].failures > 0) ||
		    (k < result->n_banks && result->banks[k].passes > 0))
			rows = k + 1;
	if (rows == 0)
		return;
	g_string_append_printf(text, "%10s %14s   %8s %14s   %8s %14s\n", "Worst word",
			       "retries", "lock", "retries", "bank", "extra passes");
	for (guint k = 0; k < rows; k++) {
		write_hot_cell(text, result->addresses, result->n_addresses, k,
			       k < result->n_addresses ? result->addresses[k].failures : 0);
		write_hot_cell(text, result->locks, result->n_locks, k,
			       k < result->n_locks ? result->locks[k].failures : 0);
		write_hot_cell(text, result->banks, result->n_banks, k,
			       k < result->n_banks ? result->banks[k].passes : 0);
		while (text->len > 0 && text->str[text->len - 1] == ' ')
			g_string_truncate(text, text->len - 1);
		g_string_append_c(text, '\n');
	}
	g_string_append(text,
			"  (words of an SM's shared memory, in which its blocks lie side by "
			"side)\n\n");
}

char *report_site_label(const RunReport *report, uint32_t site)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");
	const cJSON *entry = site > 0 ? cJSON_GetArrayItem(sites, site - 1) : NULL;
	const cJSON *line = cJSON_GetObjectItemCaseSensitive(entry, "line");
	const char *file =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "file"));
	const char *function =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "function"));
	const char *pc = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "pc"));
	GString *label = g_string_new(NULL);

	if (file != NULL)
		g_string_append(label, file);
	if (file != NULL && cJSON_IsNumber(line))
		g_string_append_printf(label, ":%.0f", line->valuedouble);
	if (pc != NULL && file == NULL)
		g_string_append_printf(label, "pc %s", pc);
	if (function != NULL)
		g_string_append_printf(label, "%s%s", label->len > 0 ? " " : "", function);
	if (label->len == 0)
		g_string_append_printf(label, "site %u", site);
	return g_string_free(label, FALSE);
}

void text_write_sites(GString *text, const RunReport *report)
{
	const SimResult *result = report->result;
	uint64_t whole = result->statistics.resident_warp_cycles;
	guint written = 0;

	for (guint i = 0; i < result->n_sites && written < SITE_ROWS; i++) {
		const HotSpot *spot = &result->sites[i];
		g_autofree char *label = NULL;
		g_autofree char *place = NULL;
		g_autofree char *retries = NULL;

		if (spot->id == 0 || spot->cycles == 0)
			continue;
		if (written++ == 0)
			g_string_append_printf(text, "%-50s %13s %14s\n",
					       "Dearest lines of the program", "warps' time",
					       "retries");
		label = report_site_label(report, spot->id);
		place = format_name(label, 48);
		retries = format_count_short(spot->failures);
		g_string_append_printf(text, "  %-48s %11.1f %% %14s\n", place,
				       format_percent(spot->cycles, whole), retries);
	}
	if (written > 0)
		g_string_append_c(text, '\n');
}
