/* SPDX-License-Identifier: MIT */
#include "cli/validate/validate.h"

#include "report/format.h"

static gboolean is_published(const ValidationPoint *point)
{
	return g_str_equal(point->operation, VALIDATE_PUBLISHED);
}

const char *validate_verdict_name(Verdict verdict)
{
	static const char *const names[] = {"shown", "holds", "misses"};

	return names[verdict];
}

static void append_point(GString *text, const ValidationPoint *point)
{
	g_autofree char *name = format_name(point->pattern, 40);
	g_autofree char *unit = format_name(point->unit, 8);

	g_string_append_printf(
		text, "%-40s %9.4g %9.4g %-6s %-18s %s%s\n", name, point->measured_cycles,
		point->simulated_cycles, unit, point->allowed ? point->allowed : "",
		validate_verdict_name(point->verdict), point->held_back ? ", held out" : "");
}

void validate_append_published(GString *text, const GPtrArray *points)
{
	guint judged[2] = {0}, good[2] = {0}, n = 0;

	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);

		if (!is_published(point))
			continue;
		if (n++ == 0)
			g_string_append_printf(text, "\n%-40s %9s %9s %-6s %-18s %s\n",
					       "Published figure", "published", "simulated", "",
					       "allowed", "verdict");
		append_point(text, point);
		judged[point->held_back] += point->verdict != VERDICT_NONE;
		good[point->held_back] += point->verdict == VERDICT_HOLDS;
	}
	if (n > 0)
		g_string_append_printf(text,
				       "Of %u held out %u hold; of %u others %u; %u are "
				       "shown without a verdict\n",
				       judged[1], good[1], judged[0], good[0],
				       n - judged[0] - judged[1]);
}

void validate_add_published(cJSON *root, const GPtrArray *points)
{
	cJSON *rows = NULL;

	for (guint i = 0; i < points->len; i++) {
		const ValidationPoint *point = g_ptr_array_index(points, i);
		cJSON *row;

		if (!is_published(point))
			continue;
		if (rows == NULL)
			rows = cJSON_AddArrayToObject(root, "published");
		row = cJSON_CreateObject();
		cJSON_AddStringToObject(row, "figure", point->pattern);
		cJSON_AddNumberToObject(row, "published", point->measured_cycles);
		cJSON_AddNumberToObject(row, "simulated", point->simulated_cycles);
		cJSON_AddStringToObject(row, "unit", point->unit);
		cJSON_AddStringToObject(row, "allowed", point->allowed ? point->allowed : "");
		cJSON_AddStringToObject(row, "verdict", validate_verdict_name(point->verdict));
		cJSON_AddBoolToObject(row, "held_back", point->held_back);
		cJSON_AddItemToArray(rows, row);
	}
}
