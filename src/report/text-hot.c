/* SPDX-License-Identifier: MIT */
/* The part of the text report that names the culprits: words, locks, banks, lines. */
#include "report/text.h"

#include <string.h>

#include "report/format.h"

#define HOT_ROWS  3
#define SITE_ROWS 3

/* A table of those side by side. */
typedef struct {
	const char *name, *cost_name;
	const HotSpot *spots;
	guint n;
	gboolean of_passes; /* what it costs: passes, not lanes that lost */
} HotColumn;

static uint64_t cost_of(const HotColumn *column, guint k)
{
	if (k >= column->n)
		return 0;
	return column->of_passes ? column->spots[k].passes : column->spots[k].failures;
}

/* One cell: the k-th hot spot and what it cost, or blanks. */
static void write_hot_cell(GString *text, const HotColumn *column, guint k)
{
	uint64_t cost = cost_of(column, k);
	g_autofree char *count = format_count_short(cost);

	if (cost == 0)
		g_string_append_printf(text, "%26s", "");
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
		{"word", "retries", result->addresses, result->n_addresses, FALSE},
		{"lock", "retries", result->locks, result->n_locks, FALSE},
		{"bank", "extra passes", result->banks, result->n_banks, TRUE},
	};
	HotColumn columns[G_N_ELEMENTS(all)];
	guint n = 0;

	for (guint i = 0; i < G_N_ELEMENTS(all); i++)
		if (cost_of(&all[i], 0) > 0 &&
		    (i != 1 || atomic_has_locks(&report->machine->atomic)))
			columns[n++] = all[i];
	if (n == 0)
		return;
	for (guint i = 0; i < n; i++)
		g_string_append_printf(text, "%s %4s %14s ", i == 0 ? "Worst" : "     ",
				       columns[i].name, columns[i].cost_name);
	end_line(text);
	for (guint k = 0; k < HOT_ROWS; k++) {
		gsize before = text->len;
		bool any = false;

		for (guint i = 0; i < n; i++) {
			write_hot_cell(text, &columns[i], k);
			any = any || cost_of(&columns[i], k) > 0;
		}
		if (any)
			end_line(text);
		else
			g_string_truncate(text, before);
	}
	if (cost_of(&all[0], 0) > 0)
		g_string_append(
			text, "  (words of an SM's shared memory, in which its blocks lie side "
			      "by side)\n");
	g_string_append_c(text, '\n');
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

/* A line of the program, or an instruction of which no line is known. */
typedef struct {
	char *label;
	GString *instructions; /* "ATOMS.ADD, LDG" */
	guint n_instructions;
	uint64_t cycles, failures;
} HotLine;

static void line_free(gpointer data)
{
	HotLine *line = data;

	g_free(line->label);
	g_string_free(line->instructions, TRUE);
	g_free(line);
}

/* The name of a site's instruction up to its second dot; NULL: not known. g_free. */
static char *instruction_of(const RunReport *report, uint32_t site)
{
	const cJSON *sites = cJSON_GetObjectItemCaseSensitive(report->metadata, "sites");
	const cJSON *entry = cJSON_GetArrayItem(sites, (int)site - 1);
	const char *name =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "instruction"));
	const char *dot = name ? strchr(name, '.') : NULL;
	const char *second = dot ? strchr(dot + 1, '.') : NULL;

	return second ? g_strndup(name, (gsize)(second - name)) : g_strdup(name);
}

/* Adds what a site cost to its line. */
static void add_site(GPtrArray *lines, const RunReport *report, const HotSpot *spot)
{
	g_autofree char *label = report_site_label(report, spot->id);
	g_autofree char *instruction = instruction_of(report, spot->id);
	HotLine *line = NULL;

	for (guint i = 0; i < lines->len && !line; i++) {
		HotLine *other = g_ptr_array_index(lines, i);

		line = g_str_equal(other->label, label) ? other : NULL;
	}
	if (!line) {
		line = g_new0(HotLine, 1);
		line->label = g_steal_pointer(&label);
		line->instructions = g_string_new(NULL);
		g_ptr_array_add(lines, line);
	}
	line->cycles += spot->cycles;
	line->failures += spot->failures;
	if (instruction && !strstr(line->instructions->str, instruction)) {
		g_string_append_printf(line->instructions, "%s%s",
				       line->instructions->len ? ", " : "", instruction);
		line->n_instructions++;
	}
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	const HotLine *x = *(HotLine *const *)a, *y = *(HotLine *const *)b;

	return (x->cycles < y->cycles) - (x->cycles > y->cycles);
}

void text_write_sites(GString *text, const RunReport *report)
{
	const SimResult *result = report->result;
	uint64_t whole = result->statistics.resident_warp_cycles;
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(line_free);

	for (guint i = 0; i < result->n_sites; i++)
		if (result->sites[i].id > 0 && result->sites[i].cycles > 0)
			add_site(lines, report, &result->sites[i]);
	if (lines->len == 0)
		return;
	g_ptr_array_sort(lines, compare_lines);
	g_string_append_printf(text, "%-50s %13s %14s\n", "Costliest lines of the program",
			       "warps' time", "retries");
	for (guint i = 0; i < MIN(lines->len, SITE_ROWS); i++) {
		const HotLine *line = g_ptr_array_index(lines, i);
		g_autofree char *place = format_name(line->label, 48);
		g_autofree char *retries = format_count_short(line->failures);

		g_string_append_printf(text, "  %-48s %11.1f %% %14s\n", place,
				       format_percent(line->cycles, whole), retries);
		if (line->n_instructions > 1) {
			g_autofree char *names = format_name(line->instructions->str, 74);

			g_string_append_printf(text, "    %s\n", names);
		}
	}
	g_string_append_c(text, '\n');
}
