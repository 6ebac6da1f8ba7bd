/* SPDX-License-Identifier: MIT */
/*
 * Groups of SMs (GPCs): l2-sms.csv names the group of an SM that a cluster of blocks spans. SMs that are in none of these get a launch's
 * blocks behind those of a group, or before all others: placement.csv.
 */
#include "validate/frame/derive-internal.h"

#include <stdlib.h>
#include <string.h>

#define SMS	  "l2/l2-sms.csv"
#define PLACEMENT "l2/placement.csv"
#define MOST_SMS  1024

typedef struct {
	L2Map *map;
	guint n_sms;
	guint group[MOST_SMS], side[MOST_SMS];
} Sms;

static L2Group *find_group(const L2Map *map, guint name)
{
	for (guint i = 0; i < map->groups->len; i++)
		if (g_array_index(map->groups, L2Group, i).name == name)
			return &g_array_index(map->groups, L2Group, i);
	return NULL;
}

/* SMs by number; where the file has no groups, a side is one. */
static gboolean read_sms(Sms *sms, const DeriveFiles *files)
{
	static const char *const with[] = {"sm", "side", "group", NULL}, *const without[] = {
										 "sm", "side",
										 "side", NULL};
	const CsvTable *table = derive_table(files, SMS, NULL);
	const gboolean grouped = table && csv_column(table, "group") >= 0;
	guint n;
	g_autofree double *numbers =
		l2_map_read(sms->map, files, SMS, grouped ? with : without, &n);

	if (numbers == NULL)
		return FALSE;
	for (guint i = 0; i < n && i < MOST_SMS; i++) {
		const double side = numbers[n + i], group = numbers[2 * (gsize)n + i];

		if (numbers[i] != i || !(side >= 0 && side < sms->map->partitions) ||
		    !(group >= 0 && group <= G_MAXUINT))
			return l2_map_fail(
				sms->map, SMS ": allowed: each SM in a row, on one of %u sides",
				sms->map->partitions);
		sms->side[i] = (guint)side;
		sms->group[i] = (guint)group;
	}
	sms->n_sms = MIN(n, MOST_SMS);
	return n > 0 || l2_map_fail(sms->map, SMS " has no SM");
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	const L2Group *p = a, *q = b;

	return (p->name > q->name) - (p->name < q->name);
}

/* Groups that have half of what the largest has, and more; the others are SMs that no cluster spans. */
static void collect_groups(Sms *sms)
{
	GArray *groups = sms->map->groups;
	guint most = 0;

	for (guint sm = 0; sm < sms->n_sms; sm++) {
		L2Group *group = find_group(sms->map, sms->group[sm]);
		const L2Group new = {sms->group[sm], sms->side[sm], 1};

		if (group)
			group->sms++;
		else
			g_array_append_val(groups, new);
	}
	for (guint i = 0; i < groups->len; i++)
		most = MAX(most, g_array_index(groups, L2Group, i).sms);
	for (guint i = groups->len; i-- > 0;)
		if (2 * g_array_index(groups, L2Group, i).sms < most)
			g_array_remove_index(groups, i);
	g_array_sort(groups, compare_names);
}

static gboolean check_sides(const Sms *sms)
{
	for (guint sm = 0; sm < sms->n_sms; sm++) {
		const L2Group *group = find_group(sms->map, sms->group[sm]);

		if (group && group->side != sms->side[sm])
			return l2_map_fail(sms->map, SMS " has group %u on two sides",
					   group->name);
	}
	return TRUE;
}

/* The SMs of a launch with a block for each, in the blocks' order; NULL: there is none. g_strfreev. */
static char **launch_order(const Sms *sms, const DeriveFiles *files)
{
	const CsvTable *table = derive_table(files, PLACEMENT, NULL);
	const int blocks = table ? csv_column(table, "blocks") : -1;
	const int order = table ? csv_column(table, "sms") : -1;

	for (guint row = 0; blocks >= 0 && order >= 0 && row < csv_rows(table); row++) {
		char **list;

		if (strtoul(csv_cell(table, row, (guint)blocks), NULL, 10) != sms->n_sms)
			continue;
		list = g_strsplit(csv_cell(table, row, (guint)order), ".", -1);
		if (g_strv_length(list) == sms->n_sms)
			return list;
		g_strfreev(list);
	}
	return NULL;
}

/* The smallest group of the side; first SMs make it up. */
static guint smallest_group(const L2Map *map, guint side)
{
	guint least = map->groups->len;

	for (guint i = 0; i < map->groups->len; i++) {
		const L2Group *group = &g_array_index(map->groups, L2Group, i);

		if (group->side == side &&
		    (least == map->groups->len ||
		     group->sms < g_array_index(map->groups, L2Group, least).sms))
			least = i;
	}
	return least;
}

/* The group that has the first SMs comes first: blocks go round robin from there. */
static void begin_with(L2Map *map, guint first)
{
	while (first-- > 0) {
		const L2Group group = g_array_index(map->groups, L2Group, 0);

		g_array_remove_index(map->groups, 0);
		g_array_append_val(map->groups, group);
	}
}

/* SMs of no group so far: those behind a group's in the order of blocks are of it, those before all others of the smallest. */
static gboolean place_others(Sms *sms, const DeriveFiles *files)
{
	g_auto(GStrv) order = launch_order(sms, files);
	L2Map *map = sms->map;
	L2Group *behind = NULL;
	guint first;

	if (order == NULL)
		return l2_map_fail(map,
				   PLACEMENT " has no launch of %u blocks, and " SMS
					     " has SMs in no group",
				   sms->n_sms);
	for (guint i = 0; order[i]; i++) {
		const guint sm = (guint)strtoul(order[i], NULL, 10);
		L2Group *group = sm < sms->n_sms ? find_group(map, sms->group[sm]) : NULL;

		if (group)
			behind = group;
		else if (behind)
			behind->sms++;
		else
			map->first_sms++;
	}
	if (map->first_sms == 0)
		return TRUE;
	first = smallest_group(map, sms->side[strtoul(order[0], NULL, 10) % sms->n_sms]);
	if (first == map->groups->len)
		return l2_map_fail(map, PLACEMENT ": no group is on the side of the first SMs");
	begin_with(map, first);
	g_array_index(map->groups, L2Group, 0).sms += map->first_sms;
	return TRUE;
}

/* SMs whose numbers go together: 2 if each pair of them is in one group. */
static guint find_tpc_sms(const Sms *sms)
{
	for (guint sm = 0; sm + 1 < sms->n_sms; sm += 2)
		if (sms->group[sm] != sms->group[sm + 1] &&
		    (find_group(sms->map, sms->group[sm]) ||
		     find_group(sms->map, sms->group[sm + 1])))
			return 1;
	for (guint i = 0; i < sms->map->groups->len; i++)
		if (g_array_index(sms->map->groups, L2Group, i).sms % 2)
			return 1;
	return sms->map->first_sms % 2 ? 1 : 2;
}

gboolean l2_map_groups(L2Map *map, const DeriveFiles *files, guint side_of_first)
{
	Sms sms = {.map = map};
	guint n = 0;

	if (!read_sms(&sms, files))
		return FALSE;
	collect_groups(&sms);
	for (guint i = 0; i < map->groups->len; i++)
		n += g_array_index(map->groups, L2Group, i).sms;
	if (!check_sides(&sms) || (n < sms.n_sms && !place_others(&sms, files)))
		return FALSE;
	for (guint i = 0; i < map->groups->len; i++)
		g_array_index(map->groups, L2Group, i).side ^= side_of_first;
	map->tpc_sms = find_tpc_sms(&sms);
	return TRUE;
}
