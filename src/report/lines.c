/* SPDX-License-Identifier: MIT */
#include "report/lines.h"

#include <string.h>

#include "base/text.h"

GPtrArray *report_site_entries(const RunReport *report)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");
	GPtrArray *entries = g_ptr_array_new();
	cJSON *entry;

	cJSON_ArrayForEach(entry, sites)
	{
		g_ptr_array_add(entries, entry);
	}
	return entries;
}

static const char *text_of(const cJSON *entry, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, name));
}

/* From 1; 0: not known. */
static guint line_number(const cJSON *entry)
{
	const cJSON *line = cJSON_GetObjectItemCaseSensitive(entry, "line");

	return cJSON_IsNumber(line) && line->valuedouble >= 1 && line->valuedouble <= 1e9
		       ? (guint)line->valuedouble
		       : 0;
}

/* entry: NULL: there is none. g_free. */
static char *label_of(const cJSON *entry, uint32_t site)
{
	const char *file = text_of(entry, "file"), *function = text_of(entry, "function");
	const char *pc = text_of(entry, "pc");
	GString *label = g_string_new(file);

	if (file != NULL && line_number(entry) > 0)
		g_string_append_printf(label, ":%u", line_number(entry));
	if (pc != NULL && file == NULL)
		g_string_append_printf(label, "pc %s", pc);
	if (function != NULL)
		g_string_append_printf(label, "%s%s", label->len > 0 ? " " : "", function);
	if (label->len == 0)
		g_string_append_printf(label, "site %u", site);
	return g_string_free(label, FALSE);
}

char *report_site_label(const RunReport *report, uint32_t site)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");

	return label_of(site > 0 ? cJSON_GetArrayItem(sites, (int)site - 1) : NULL, site);
}

GPtrArray *report_site_names(const cJSON *metadata)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(metadata, "sites"), *entry;
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(names, g_strdup("no site"));
	cJSON_ArrayForEach(entry, sites)
	{
		const char *instruction = text_of(entry, "instruction");
		g_autofree char *label = label_of(entry, names->len);
		g_autofree char *name = instruction != NULL
						? g_strdup_printf("%s: %s", label, instruction)
						: g_strdup(label);

		g_ptr_array_add(names, text_printable(name));
	}
	return names;
}

/* --- Lines --- */

static void line_free(gpointer data)
{
	ReportLine *line = data;

	g_free(line->label);
	g_ptr_array_unref(line->instructions);
	g_free(line);
}

typedef struct {
	GPtrArray *entries;
	GPtrArray *lines;
	GHashTable *by_label; /* to ReportLine */
	GHashTable *costly;   /* sites that cost anything */
} Summing;

static const cJSON *entry_of(const Summing *summing, uint32_t site)
{
	return site > 0 && site <= summing->entries->len ? summing->entries->pdata[site - 1]
							 : NULL;
}

/* Takes the label. entry: of an instruction of the line; NULL: there is none. */
static ReportLine *add_line(Summing *summing, char *label, const cJSON *entry)
{
	ReportLine *line = g_new0(ReportLine, 1);

	line->label = label;
	line->file = text_of(entry, "file");
	line->line = line->file != NULL ? line_number(entry) : 0;
	line->instructions = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(summing->lines, line);
	g_hash_table_insert(summing->by_label, line->label, line);
	return line;
}

static void add_spot(Summing *summing, const HotSpot *spot)
{
	const cJSON *entry = entry_of(summing, spot->id);
	g_autofree char *label = spot->id > 0 ? label_of(entry, spot->id) : g_strdup(LINE_NONE);
	ReportLine *line = g_hash_table_lookup(summing->by_label, label);

	if (line == NULL)
		line = add_line(summing, g_steal_pointer(&label), entry);
	line->cycles += spot->cycles;
	line->failures += spot->failures;
	line->passes += spot->passes;
	line->lane_operations += spot->lane_operations;
	line->local_segments += spot->local_segments;
	combine_counters_add(&line->combined, &spot->combined, 1);
	g_hash_table_add(summing->costly, GUINT_TO_POINTER(spot->id));
}

static void add_instruction(ReportLine *line, const cJSON *entry)
{
	const char *name = text_of(entry, "instruction");

	if (name != NULL && *name != '\0' &&
	    !g_ptr_array_find_with_equal_func(line->instructions, name, g_str_equal, NULL))
		g_ptr_array_add(line->instructions, g_strdup(name));
}

static bool is_atomic(const cJSON *entry)
{
	const char *name = text_of(entry, "instruction");

	return name != NULL && g_str_has_prefix(name, "ATOM");
}

/* All instructions of the lines, also those that cost nothing. A loop that stands for an atomic has one record, at its
   first load: the swap behind that, which has none, is named with it. */
static void add_instructions(Summing *summing)
{
	for (uint32_t site = 1; site <= summing->entries->len; site++) {
		const cJSON *entry = entry_of(summing, site);
		g_autofree char *label = label_of(entry, site);
		ReportLine *line = g_hash_table_lookup(summing->by_label, label);
		const cJSON *next = entry_of(summing, site + 1);

		if (line == NULL)
			continue;
		add_instruction(line, entry);
		if (line->lane_operations > 0 && !is_atomic(entry) && is_atomic(next) &&
		    !g_hash_table_contains(summing->costly, GUINT_TO_POINTER(site + 1)))
			add_instruction(line, next);
	}
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	const ReportLine *x = *(ReportLine *const *)a, *y = *(ReportLine *const *)b;

	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? 1 : -1;
	return strcmp(x->label, y->label);
}

GPtrArray *report_lines(const RunReport *report)
{
	const uint64_t ended = report->result->statistics.warp_cycles[STATE_DONE];
	g_autoptr(GPtrArray) entries = report_site_entries(report);
	Summing summing = {entries, g_ptr_array_new_with_free_func(line_free),
			   g_hash_table_new(g_str_hash, g_str_equal),
			   g_hash_table_new(NULL, NULL)};

	for (guint i = 0; report->sites != NULL && i < report->sites->len; i++)
		add_spot(&summing, &g_array_index(report->sites, HotSpot, i));
	g_hash_table_remove(summing.costly, NULL); /* of no instruction */
	if (g_hash_table_size(summing.costly) > 0) {
		add_instructions(&summing);
		if (ended > 0)
			add_line(&summing, g_strdup(LINE_ENDED), NULL)->cycles = ended;
	} else { /* the trace knows no instruction */
		g_ptr_array_set_size(summing.lines, 0);
	}
	g_ptr_array_sort(summing.lines, compare_lines);
	g_hash_table_unref(summing.by_label);
	g_hash_table_unref(summing.costly);
	return summing.lines;
}
