/* SPDX-License-Identifier: MIT */
#include "transform/arrays.h"

bool record_has_shared_addresses(const Record *record)
{
	switch (record->kind) {
	case RECORD_LDS:
	case RECORD_STS:
	case RECORD_ATOM:
		return record->n_lanes > 0;
	case RECORD_LOCK:
	case RECORD_UNLOCK:
		return record->n_lanes > 0 && record->space == MEMORY_SHARED;
	default:
		return false;
	}
}

static void array_free(gpointer data)
{
	SharedArray *array = data;

	g_array_unref(array->sites);
	g_free(array);
}

static SharedArray *array_new(uint32_t site)
{
	SharedArray *array = g_new0(SharedArray, 1);

	array->first = UINT32_MAX;
	array->sites = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_array_append_val(array->sites, site);
	return array;
}

/* What a site reaches: keys are site numbers, and below 0 the kinds of records without one. */
static SharedArray *footprint_of(GHashTable *footprints, const Record *record)
{
	int key = record->site ? (int)record->site : -1 - (int)record->kind;
	SharedArray *footprint = g_hash_table_lookup(footprints, GINT_TO_POINTER(key));

	if (!footprint) {
		footprint = array_new(record->site);
		g_hash_table_insert(footprints, GINT_TO_POINTER(key), footprint);
	}
	return footprint;
}

static void add_record(GHashTable *footprints, const Record *record)
{
	SharedArray *array = footprint_of(footprints, record);

	for (uint32_t i = 0; i < record->n_lanes; i++) {
		array->first = MIN(array->first, record->address[i]);
		array->end = MAX(array->end, record->address[i] + record->width);
	}
	array->lane_operations += record->n_lanes;
	array->widest = MAX(array->widest, record->width);
	array->loads += record->kind == RECORD_LDS;
	array->stores += record->kind == RECORD_STS;
	array->locks += record->kind == RECORD_LOCK;
	if (record->kind == RECORD_ATOM) {
		array->atomics++;
		array->atomics_with_result += record->result;
		array->operations |= 1u << record->operation;
		array->types |= 1u << record->type;
	}
}

static bool add_warp(GHashTable *footprints, RecordSource *source, uint64_t block,
		     uint32_t warp)
{
	WarpStream *stream = source->open_warp(source, block, warp);
	StreamStatus status;
	Record record = {0};

	if (!stream)
		return false;
	while ((status = stream->next(stream, &record)) == STREAM_RECORD)
		if (record_has_shared_addresses(&record))
			add_record(footprints, &record);
	stream->close(stream);
	return status == STREAM_END;
}

static gint compare_sites(gconstpointer a, gconstpointer b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Adds what `more` counted to `sum`, whose bytes grow to hold both. */
static void merge(SharedArray *sum, const SharedArray *more)
{
	sum->first = MIN(sum->first, more->first);
	sum->end = MAX(sum->end, more->end);
	sum->loads += more->loads;
	sum->stores += more->stores;
	sum->atomics += more->atomics;
	sum->locks += more->locks;
	sum->atomics_with_result += more->atomics_with_result;
	sum->lane_operations += more->lane_operations;
	sum->operations |= more->operations;
	sum->types |= more->types;
	sum->widest = MAX(sum->widest, more->widest);
	g_array_append_vals(sum->sites, more->sites->data, more->sites->len);
	g_array_sort(sum->sites, compare_sites);
}

static gint compare_arrays(gconstpointer a, gconstpointer b)
{
	const SharedArray *x = *(SharedArray *const *)a, *y = *(SharedArray *const *)b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* Merges arrays that lie in ascending order and meet. */
static void merge_overlapping(GPtrArray *arrays)
{
	guint kept = 0;

	g_ptr_array_sort(arrays, compare_arrays);
	for (guint i = 1; i < arrays->len; i++) {
		SharedArray *last = arrays->pdata[kept], *next = arrays->pdata[i];

		if (next->first >= last->end) {
			arrays->pdata[i] = arrays->pdata[++kept];
			arrays->pdata[kept] = next;
			continue;
		}
		merge(last, next);
	}
	if (arrays->len > 0)
		g_ptr_array_set_size(arrays, (gint)kept + 1);
}

/* Makes one array of all that lie within [first, end). */
static void merge_within(GPtrArray *arrays, uint32_t first, uint32_t end)
{
	SharedArray *whole = NULL;

	for (guint i = 0; i < arrays->len;) {
		SharedArray *array = arrays->pdata[i];

		if (array->first < first || array->end > end) {
			i++;
		} else if (!whole) {
			whole = array;
			i++;
		} else {
			merge(whole, array);
			g_ptr_array_remove_index(arrays, i);
		}
	}
	if (whole) {
		whole->first = first;
		whole->end = end;
	}
}

static GPtrArray *find_footprints(RecordSource *source)
{
	g_autoptr(GHashTable) footprints = g_hash_table_new(NULL, NULL);
	GPtrArray *arrays = g_ptr_array_new_with_free_func(array_free);
	GHashTableIter iterator;
	gpointer footprint;
	bool good = true;

	for (uint64_t block = 0; good && block < source->n_blocks; block++) {
		BlockInfo info;

		source->block_info(source, block, &info);
		for (uint32_t warp = 0; good && warp < info.n_warps; warp++)
			good = add_warp(footprints, source, block, warp);
	}
	g_hash_table_iter_init(&iterator, footprints);
	while (g_hash_table_iter_next(&iterator, NULL, &footprint))
		g_ptr_array_add(arrays, footprint);
	if (!good)
		g_clear_pointer(&arrays, g_ptr_array_unref);
	return arrays;
}

GPtrArray *shared_arrays_find(RecordSource *source)
{
	GPtrArray *arrays = find_footprints(source);

	if (arrays)
		merge_overlapping(arrays);
	return arrays;
}

GPtrArray *shared_arrays_find_within(RecordSource *source, uint32_t first, uint32_t end)
{
	GPtrArray *arrays = find_footprints(source);

	if (!arrays)
		return NULL;
	g_ptr_array_sort(arrays, compare_arrays);
	merge_within(arrays, first, end);
	merge_overlapping(arrays);
	return arrays;
}
