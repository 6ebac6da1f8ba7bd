/* SPDX-License-Identifier: MIT */
#include "report/counts.h"

#include "base/json.h"
#include "report/fields-internal.h"

#define BLOCKS "blocks" /* the one counter that is not of the statistics */

/* Distributions: bins of degrees. */
static const struct {
	const char *name;
	size_t offset; /* in Statistics */
} lists[] = {
	{"atomics.lock_degree", offsetof(Statistics, atomics.lock_degree)},
	{"shared.degree", offsetof(Statistics, shared.degree)},
};

/* The next field from *i on that is a counter of the statistics; NULL: there is none. */
static const Field *next_counter(guint *i)
{
	while (*i < n_report_fields) {
		const Field *field = &report_fields[(*i)++];

		if (report_field_is_counter(field))
			return field;
	}
	return NULL;
}

static uint64_t *counter_of(const Statistics *statistics, size_t offset)
{
	return (uint64_t *)(void *)((char *)statistics + offset);
}

cJSON *report_counts_names(void)
{
	cJSON *names = cJSON_CreateArray();
	const Field *field;

	for (guint i = 0; (field = next_counter(&i)) != NULL;)
		cJSON_AddItemToArray(names, cJSON_CreateString(field->path));
	cJSON_AddItemToArray(names, cJSON_CreateString(BLOCKS));
	for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
		cJSON_AddItemToArray(names, cJSON_CreateString(lists[i].name));
	return names;
}

/* --- Out --- */

static cJSON *list_of(const uint64_t *bins)
{
	cJSON *list = cJSON_CreateArray();

	for (guint degree = 0; degree < DEGREE_BINS; degree++) {
		if (bins[degree] == 0)
			continue;
		cJSON_AddItemToArray(list, field_count_item(degree));
		cJSON_AddItemToArray(list, field_count_item(bins[degree]));
	}
	return list;
}

cJSON *report_counts(const SimResult *result)
{
	const Statistics *statistics = &result->statistics;
	cJSON *counts = cJSON_CreateArray();
	const Field *field;

	for (guint i = 0; (field = next_counter(&i)) != NULL;)
		cJSON_AddItemToArray(counts,
				     field_count_item(*counter_of(statistics, field->offset)));
	cJSON_AddItemToArray(counts, field_count_item(result->blocks_done));
	for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
		cJSON_AddItemToArray(counts, list_of(counter_of(statistics, lists[i].offset)));
	return counts;
}

/* --- And in --- */

/* Takes the number at *item, and goes on to the next. */
static gboolean take(const cJSON **item, uint64_t *count)
{
	guint64 value;

	if (!json_uint64(*item, &value))
		return FALSE;
	*count = value;
	*item = (*item)->next;
	return TRUE;
}

static gboolean read_list(const cJSON *list, uint64_t *bins)
{
	const cJSON *item = cJSON_IsArray(list) ? list->child : NULL;
	uint64_t degree;

	while (item != NULL)
		if (!take(&item, &degree) || degree >= DEGREE_BINS ||
		    !take(&item, &bins[degree]))
			return FALSE;
	return cJSON_IsArray(list);
}

gboolean report_counts_read(const cJSON *counts, SimResult *result)
{
	const cJSON *item = cJSON_IsArray(counts) ? counts->child : NULL;
	const Field *field;

	for (guint i = 0; (field = next_counter(&i)) != NULL;)
		if (!take(&item, counter_of(&result->statistics, field->offset)))
			return FALSE;
	if (!take(&item, &result->blocks_done))
		return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(lists); i++, item = item->next)
		if (item == NULL ||
		    !read_list(item, counter_of(&result->statistics, lists[i].offset)))
			return FALSE;
	return item == NULL;
}
