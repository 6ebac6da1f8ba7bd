/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "validate/frame/derive-internal.h"

#include <string.h>

#include <cjson/cJSON.h>

L2Map *l2_map_derive(const DeriveFiles *files)
{
	L2Map *map = g_new0(L2Map, 1);
	guint side_of_first;

	map->groups = g_array_new(FALSE, TRUE, sizeof(L2Group));
	if (l2_map_slices(map, files, &side_of_first))
		l2_map_groups(map, files, side_of_first);
	return map;
}

void l2_map_free(L2Map *map)
{
	if (map == NULL)
		return;
	g_array_unref(map->groups);
	g_free(map->numbers);
	g_free(map->why);
	g_free(map);
}

static gint compare_sms(gconstpointer a, gconstpointer b)
{
	const guint p = *(const guint *)a, q = *(const guint *)b;

	return (p > q) - (p < q);
}

/* The SMs that most groups have: the median. */
static guint usual_sms(const L2Map *map)
{
	g_autoptr(GArray) sms = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < map->groups->len; i++)
		g_array_append_val(sms, g_array_index(map->groups, L2Group, i).sms);
	g_array_sort(sms, compare_sms);
	return g_array_index(sms, guint, (sms->len - 1) / 2);
}

gboolean l2_map_number(const L2Map *map, const char *name, double *number)
{
	const struct {
		const char *name;
		double number;
	} numbers[] = {
		{"slices", map->slices},
		{"partitions", map->partitions},
		{"partition_mask", (double)map->partition_mask},
		{"page_slices", 1u << map->n_line_bits},
		{"channels", map->slices * map->partitions},
		{"group_sms", usual_sms(map)},
	};

	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		if (strcmp(numbers[i].name, name) == 0) {
			*number = numbers[i].number;
			return TRUE;
		}
	return FALSE;
}

/* --- As JSON --- */

static void append_list(GString *text, const char *name, const guint *numbers, guint n)
{
	g_string_append_printf(text, *name ? "  \"%s\": [" : "    [", name);
	for (guint i = 0; i < n; i++)
		g_string_append_printf(text, "%s%u", i ? ", " : "", numbers[i]);
	g_string_append(text, "]");
}

static void append_groups(GString *text, const L2Map *map)
{
	const guint n = map->groups->len;
	g_autofree guint *sms = g_new(guint, n), *sides = g_new(guint, n);

	for (guint i = 0; i < n; i++) {
		sms[i] = g_array_index(map->groups, L2Group, i).sms;
		sides[i] = g_array_index(map->groups, L2Group, i).side;
	}
	append_list(text, "group_sms", sms, n);
	if (map->partitions > 1) {
		g_string_append(text, ",\n");
		append_list(text, "group_partition", sides, n);
	}
	g_string_append_printf(text, ",\n  \"first_sms\": %u,\n  \"tpc_sms\": %u",
			       map->first_sms, map->tpc_sms);
}

/* What the config's map has of a group's ways to the network. */
static void append_ways(GString *text, const Config *config)
{
	static const char *const names[] = {"way_bits", "clusters"};
	g_autoptr(cJSON) root = config_to_cjson(config);
	const cJSON *l2 = cJSON_GetObjectItemCaseSensitive(root, "l2");
	const cJSON *has = cJSON_GetObjectItemCaseSensitive(l2, "map");

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(has, names[i]);
		char *printed = item ? cJSON_PrintUnformatted(item) : NULL;

		if (printed)
			g_string_append_printf(text, ",\n  \"%s\": %s", names[i], printed);
		cJSON_free(printed);
	}
}

char *l2_map_json(const L2Map *map, const Config *config)
{
	const guint picks = 1u << map->n_line_bits;
	GString *text;

	if (map->why)
		return NULL;
	text = g_string_new(
		"{\n  \"description\": \"Where lines and SMs are, by atomsim derive: pages by "
		"l2/l2-slices.csv and l2/l2-pairs.csv, group_sms and group_partition by "
		"l2/l2-sms.csv, first_sms by l2/placement.csv; way_bits and clusters are as in "
		"the config that this extends.\",\n");
	append_list(text, "line_bits", map->line_bits, map->n_line_bits);
	g_string_append(text, ",\n  \"pages\": [\n");
	for (guint page = 0; page < map->n_pages; page++) {
		append_list(text, "", &map->numbers[(gsize)page * picks], picks);
		g_string_append(text, page + 1 < map->n_pages ? ",\n" : "\n  ],\n");
	}
	append_groups(text, map);
	append_ways(text, config);
	g_string_append(text, "\n}\n");
	return g_string_free(text, FALSE);
}
