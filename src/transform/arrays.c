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
	g_clear_pointer(&array->strides, g_hash_table_unref); /* a buffer's has none */
	g_free(array);
}

static SharedArray *array_new(uint32_t site)
{
	SharedArray *array = g_new0(SharedArray, 1);

	array->first = UINT32_MAX;
	array->sites = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	array->strides = g_hash_table_new(NULL, NULL);
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

static void add_stride(GHashTable *strides, gpointer stride, gsize n)
{
	const gsize had = GPOINTER_TO_SIZE(g_hash_table_lookup(strides, stride));

	g_hash_table_insert(strides, stride, GSIZE_TO_POINTER(had + n));
}

/* The distance of the first lanes, if it is the next ones', too. */
static uint32_t stride_of(const Record *record)
{
	const uint32_t *at = record->address;

	return record->n_lanes > 2 && at[1] > at[0] && at[2] - at[1] == at[1] - at[0]
		       ? at[1] - at[0]
		       : 0;
}

static bool lanes_meet(const Record *record)
{
	for (uint32_t i = 1; i < record->n_lanes; i++)
		for (uint32_t k = 0; k < i; k++)
			if (record->address[i] == record->address[k])
				return true;
	return false;
}

static SharedArray *add_record(GHashTable *footprints, const Record *record)
{
	SharedArray *array = footprint_of(footprints, record);
	const uint32_t stride = stride_of(record);

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
		array->meetings += lanes_meet(record);
		array->atomics_apart += record_lanes_part(record);
	}
	if (stride > record->width)
		add_stride(array->strides, GSIZE_TO_POINTER(stride), 1);
	return array;
}

/* What is written under a lock is of the lock's array. */
static void add_guarded(SharedArray *locks, const Record *record)
{
	locks->guards_global |= record->kind == RECORD_STG || record->kind == RECORD_ATOMG;
	if (record->kind != RECORD_STS && record->kind != RECORD_ATOM)
		return;
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		locks->first = MIN(locks->first, record->address[i]);
		locks->end = MAX(locks->end, record->address[i] + record->width);
	}
}

static bool add_warp(GHashTable *footprints, RecordSource *source, uint64_t block,
		     uint32_t warp)
{
	WarpStream *stream = source->open_warp(source, block, warp);
	StreamStatus status;
	Record record = {0};
	SharedArray *held = NULL;

	if (!stream)
		return false;
	while ((status = stream->next(stream, &record)) == STREAM_RECORD) {
		SharedArray *array = NULL;

		if (held)
			add_guarded(held, &record);
		if (record_has_shared_addresses(&record))
			array = add_record(footprints, &record);
		if (record.kind == RECORD_LOCK)
			held = array;
		else if (record.kind == RECORD_UNLOCK)
			held = NULL;
	}
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
	GHashTableIter iterator;
	gpointer stride, n;

	sum->first = MIN(sum->first, more->first);
	sum->end = MAX(sum->end, more->end);
	sum->loads += more->loads;
	sum->stores += more->stores;
	sum->atomics += more->atomics;
	sum->locks += more->locks;
	sum->atomics_with_result += more->atomics_with_result;
	sum->atomics_apart += more->atomics_apart;
	sum->lane_operations += more->lane_operations;
	sum->operations |= more->operations;
	sum->types |= more->types;
	sum->widest = MAX(sum->widest, more->widest);
	sum->meetings += more->meetings;
	sum->guards_global |= more->guards_global;
	g_hash_table_iter_init(&iterator, more->strides);
	while (g_hash_table_iter_next(&iterator, &stride, &n))
		add_stride(sum->strides, stride, GPOINTER_TO_SIZE(n));
	g_array_append_vals(sum->sites, more->sites->data, more->sites->len);
	g_array_sort(sum->sites, compare_sites);
}

uint32_t shared_array_stride(const SharedArray *array)
{
	GHashTableIter iterator;
	gpointer stride, n;
	gsize most = 0, best = 0;

	if (array->strides == NULL)
		return 0;
	g_hash_table_iter_init(&iterator, array->strides);
	while (g_hash_table_iter_next(&iterator, &stride, &n)) {
		if (GPOINTER_TO_SIZE(n) < most ||
		    (GPOINTER_TO_SIZE(n) == most && GPOINTER_TO_SIZE(stride) > best))
			continue;
		most = GPOINTER_TO_SIZE(n);
		best = GPOINTER_TO_SIZE(stride);
	}
	return (uint32_t)best;
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

	if (!arrays)
		return NULL;
	merge_overlapping(arrays);
	if (arrays->len == 1)
		array_take_size(arrays->pdata[0], &source->kernel);
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
