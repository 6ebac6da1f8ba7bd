/* SPDX-License-Identifier: MIT */
#include "config/map.h"

#include <string.h>

#include "base/json.h"
#include "model/memory/slice-map.h"

#define MAX_LINE_BIT  13 /* a page has 2^14 lines at most */
#define MAX_WAY_BIT   40
#define MAX_GROUP_SMS 1024

/* What is wrong, and with which item. */
typedef struct {
	char *why;
	const cJSON *at;
} Fault;

static gboolean G_GNUC_PRINTF(3, 4)
	refuse(Fault *fault, const cJSON *at, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fault->why = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	fault->at = at;
	return FALSE;
}

static gboolean take_number(const cJSON *item, const char *name, guint min, guint max,
			    guint *number, Fault *fault)
{
	guint64 whole;

	if (!json_whole(item, min, max, &whole))
		return refuse(fault, item, "%s: allowed: whole numbers from %u to %u", name,
			      min, max);
	*number = (guint)whole;
	return TRUE;
}

/* At most `most` numbers of up to `max`; how many goes to *n. */
static gboolean take_list(const cJSON *list, const char *name, guint max, guint most,
			  guint *numbers, guint *n, Fault *fault)
{
	const cJSON *item;

	if (!cJSON_IsArray(list) || (guint)cJSON_GetArraySize(list) > most)
		return refuse(fault, list, "%s: allowed: an array of at most %u numbers", name,
			      most);
	*n = 0;
	cJSON_ArrayForEach(item, list)
	{
		if (!take_number(item, name, 0, max, &numbers[*n], fault))
			return FALSE;
		++*n;
	}
	return TRUE;
}

static const cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* Bits of a line's number: none twice. Without the member there are none. */
static gboolean take_bits(const cJSON *object, const char *name, guint max, guint most,
			  uint8_t *bits, uint32_t *n_bits, Fault *fault)
{
	const cJSON *list = member(object, name);
	g_autofree guint *numbers = g_new(guint, most);
	guint64 had = 0;
	guint n;

	if (list == NULL)
		return TRUE;
	if (!take_list(list, name, max, most, numbers, &n, fault))
		return FALSE;
	for (guint i = 0; i < n; i++) {
		if (had >> numbers[i] & 1)
			return refuse(fault, list, "%s: has %u twice", name, numbers[i]);
		had |= UINT64_C(1) << numbers[i];
		bits[i] = (uint8_t)numbers[i];
	}
	*n_bits = n;
	return TRUE;
}

/* Each slice up to the last one serves something: a number that is left out is a mistake. */
static gboolean check_slices(const SliceMap *map, const cJSON *pages, Fault *fault)
{
	const guint n = map->n_pages << map->n_line_bits;
	gboolean serves[MAX_SLICES] = {FALSE};
	guint last = 0;

	for (guint i = 0; i < n; i++) {
		serves[map->slices[i]] = TRUE;
		last = MAX(last, map->slices[i]);
	}
	for (guint slice = 0; slice < last; slice++)
		if (!serves[slice])
			return refuse(fault, pages,
				      "pages: no page has slice %u, but one has %u", slice,
				      last);
	return TRUE;
}

static gboolean take_pages(const cJSON *pages, SliceMap *map, Fault *fault)
{
	const guint n_picks = 1u << map->n_line_bits, most = SLICE_MAP_PICKS / n_picks;
	const guint n_pages = (guint)cJSON_GetArraySize(pages);
	guint slices[1 << SLICE_MAP_LINE_BITS], n, page = 0;
	const cJSON *row;

	if (!cJSON_IsArray(pages) || n_pages < 1 || n_pages > most || n_pages & (n_pages - 1))
		return refuse(
			fault, pages,
			"pages: allowed: an array of pages, a power of two and at most %u",
			most);
	cJSON_ArrayForEach(row, pages)
	{
		if (!take_list(row, "pages", MAX_SLICES - 1, n_picks, slices, &n, fault))
			return FALSE;
		if (n != n_picks)
			return refuse(
				fault, row,
				"pages: has %u slices; allowed: %u, one for each value of "
				"the %u line_bits",
				n, n_picks, map->n_line_bits);
		for (guint i = 0; i < n; i++)
			map->slices[page << map->n_line_bits | i] = (uint8_t)slices[i];
		page++;
	}
	map->n_pages = n_pages;
	return check_slices(map, pages, fault);
}

static gboolean take_groups(const cJSON *list, SliceMap *map, Fault *fault)
{
	guint sms[SLICE_MAP_GROUPS], n;

	if (!take_list(list, "group_sms", MAX_GROUP_SMS, SLICE_MAP_GROUPS, sms, &n, fault))
		return FALSE;
	for (guint g = 0; g < n; g++) {
		if (sms[g] == 0 || sms[g] % map->tpc_sms != 0)
			return refuse(fault, cJSON_GetArrayItem(list, (int)g),
				      "group_sms: allowed: multiples of tpc_sms, %u",
				      map->tpc_sms);
		map->group_sms[g] = (uint16_t)sms[g];
	}
	if (n == 0)
		return refuse(fault, list, "group_sms: allowed: a group and more");
	if (map->first_sms >= sms[0] || map->first_sms % map->tpc_sms != 0)
		return refuse(
			fault, list,
			"first_sms: found %u; allowed: a multiple of tpc_sms below the %u "
			"of the first group",
			map->first_sms, sms[0]);
	map->n_groups = n;
	return TRUE;
}

/* There need be none. */
static gboolean take_partitions(const cJSON *list, SliceMap *map, Fault *fault)
{
	guint of[SLICE_MAP_GROUPS], n;

	if (list == NULL)
		return TRUE;
	if (!take_list(list, "group_partition", MAX_PARTITIONS - 1, SLICE_MAP_GROUPS, of, &n,
		       fault))
		return FALSE;
	if (n != map->n_groups)
		return refuse(fault, list, "group_partition: has %u; allowed: %u, as group_sms",
			      n, map->n_groups);
	for (guint g = 0; g < n; g++)
		map->group_partition[g] = (uint8_t)of[g];
	return TRUE;
}

/* --- Members --- */

static gboolean check_members(const cJSON *object, Fault *fault)
{
	static const char *const needed[] = {"line_bits", "pages", "group_sms", NULL};
	static const char *const others[] = {"way_bits", "group_partition", "first_sms",
					     "tpc_sms",	 "clusters",	    "description",
					     NULL};
	const cJSON *item;

	cJSON_ArrayForEach(item, object) if (
		!g_strv_contains(needed, item->string) &&
		!g_strv_contains(
			others,
			item->string)) return refuse(fault, item,
						     "a map has no such member; allowed: "
						     "line_bits, pages, "
						     "way_bits, group_sms, group_partition, "
						     "first_sms, tpc_sms, "
						     "clusters, description");
	for (const char *const *name = needed; *name != NULL; name++)
		if (member(object, *name) == NULL)
			return refuse(fault, object, "a map without %s; allowed: with it",
				      *name);
	return TRUE;
}

/* A number that need not be there. */
static gboolean take_optional(const cJSON *object, const char *name, guint min,
			      guint default_value, uint16_t *field, Fault *fault)
{
	const cJSON *item = member(object, name);
	guint number = default_value;

	if (item != NULL && !take_number(item, name, min, MAX_GROUP_SMS, &number, fault))
		return FALSE;
	*field = (uint16_t)number;
	return TRUE;
}

static gboolean take_map(const cJSON *object, SliceMap *map, Fault *fault)
{
	const cJSON *description = member(object, "description");

	return check_members(object, fault) &&
	       (description == NULL || cJSON_IsString(description) ||
		refuse(fault, description, "description: allowed: a text")) &&
	       take_bits(object, "line_bits", MAX_LINE_BIT, SLICE_MAP_LINE_BITS, map->line_bits,
			 &map->n_line_bits, fault) &&
	       take_pages(member(object, "pages"), map, fault) &&
	       take_bits(object, "way_bits", MAX_WAY_BIT, SLICE_MAP_WAY_BITS, map->way_bits,
			 &map->n_way_bits, fault) &&
	       take_optional(object, "first_sms", 0, 0, &map->first_sms, fault) &&
	       take_optional(object, "tpc_sms", 1, 1, &map->tpc_sms, fault) &&
	       take_optional(object, "clusters", 1, 1, &map->clusters, fault) &&
	       take_groups(member(object, "group_sms"), map, fault) &&
	       take_partitions(member(object, "group_partition"), map, fault);
}

gboolean map_set(SliceMap *map, const cJSON *item, char **why, const cJSON **at)
{
	SliceMap read = {0};
	Fault fault = {NULL, NULL};

	if (cJSON_IsString(item) && strcmp(item->valuestring, MAP_WALK) == 0) {
		*map = read;
		return TRUE;
	}
	if (!cJSON_IsObject(item))
		return FALSE;
	if (take_map(item, &read, &fault)) {
		*map = read;
		return TRUE;
	}
	*why = fault.why;
	*at = fault.at;
	return FALSE;
}

/* --- Back --- */

static void add_bytes(cJSON *list, const uint8_t *bytes, guint n)
{
	for (guint i = 0; i < n; i++)
		cJSON_AddItemToArray(list, cJSON_CreateNumber(bytes[i]));
}

cJSON *map_get(const SliceMap *map)
{
	cJSON *object, *pages, *sms;

	if (map->n_pages == 0)
		return cJSON_CreateString(MAP_WALK);
	object = cJSON_CreateObject();
	add_bytes(cJSON_AddArrayToObject(object, "line_bits"), map->line_bits,
		  map->n_line_bits);
	pages = cJSON_AddArrayToObject(object, "pages");
	for (guint page = 0; page < map->n_pages; page++) {
		cJSON *row = cJSON_CreateArray();

		add_bytes(row, &map->slices[page << map->n_line_bits], 1u << map->n_line_bits);
		cJSON_AddItemToArray(pages, row);
	}
	add_bytes(cJSON_AddArrayToObject(object, "way_bits"), map->way_bits, map->n_way_bits);
	sms = cJSON_AddArrayToObject(object, "group_sms");
	for (guint g = 0; g < map->n_groups; g++)
		cJSON_AddItemToArray(sms, cJSON_CreateNumber(map->group_sms[g]));
	add_bytes(cJSON_AddArrayToObject(object, "group_partition"), map->group_partition,
		  map->n_groups);
	cJSON_AddNumberToObject(object, "first_sms", map->first_sms);
	cJSON_AddNumberToObject(object, "tpc_sms", map->tpc_sms);
	cJSON_AddNumberToObject(object, "clusters", map->clusters);
	return object;
}
