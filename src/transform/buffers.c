/* SPDX-License-Identifier: MIT */
/* The arrays of global memory that atomics reach. */
#include "transform/arrays.h"

/* The bytes that one site reaches of a buffer. */
typedef struct {
	uint64_t first, end; /* of the buffer */
	uint32_t buffer, site;
	uint8_t kind; /* RecordKind */
	uint64_t records, with_result, apart, lanes;
	uint32_t operations, types, widest;
	uint32_t behind; /* as SharedArray.behind */
} Footprint;

typedef struct {
	GHashTable *footprints;
	Record last; /* of the warp */
} Search;

static Footprint *footprint_of(GHashTable *footprints, const Record *record)
{
	const guint64 key =
		(guint64)record->buffer << 40 | (guint64)record->site << 8 | record->kind;
	Footprint *footprint = g_hash_table_lookup(footprints, &key);
	guint64 *own_key;

	if (footprint != NULL)
		return footprint;
	footprint = g_new0(Footprint, 1);
	*footprint = (Footprint){.first = UINT64_MAX,
				 .buffer = record->buffer,
				 .site = record->site,
				 .kind = record->kind};
	own_key = g_new(guint64, 1);
	*own_key = key;
	g_hash_table_insert(footprints, own_key, footprint);
	return footprint;
}

/* A site behind itself, or behind one that follows it in the program, has come round a loop. */
static uint32_t site_before(const Record *last, const Record *record)
{
	return last->kind == RECORD_ATOMG && last->buffer == record->buffer &&
			       last->mask == record->mask && last->site < record->site
		       ? last->site
		       : 0;
}

static void add_record(void *data, const Record *record)
{
	Search *search = data;
	Footprint *footprint;
	uint32_t before;

	if (record == NULL) {
		search->last = (Record){0};
		return;
	}
	footprint = footprint_of(search->footprints, record);
	before = site_before(&search->last, record);

	for (uint32_t i = 0; i < record->n_lanes; i++) {
		const uint64_t byte = record->offset + record->address[i];

		footprint->first = MIN(footprint->first, byte);
		footprint->end = MAX(footprint->end, byte + record->width);
	}
	if (footprint->records++ == 0)
		footprint->behind = before;
	else if (footprint->behind != before)
		footprint->behind = 0;
	search->last = *record;
	footprint->lanes += record->n_lanes;
	footprint->widest = MAX(footprint->widest, record->width);
	if (record->kind != RECORD_ATOMG)
		return;
	footprint->with_result += record->result;
	footprint->apart += record_lanes_part(record);
	footprint->operations |= 1u << record->operation;
	footprint->types |= 1u << record->type;
}

static bool visit_warp(WarpStream *stream, BufferVisitor visit, void *data)
{
	StreamStatus status;
	Record record = {0};

	if (stream == NULL)
		return false;
	visit(data, NULL);
	while ((status = stream->next(stream, &record)) == STREAM_RECORD)
		if (record_in_buffer(&record) && record.n_lanes > 0)
			visit(data, &record);
	stream->close(stream);
	return status == STREAM_END;
}

bool buffer_accesses_visit_block(RecordSource *source, uint64_t block, BufferVisitor visit,
				 void *data)
{
	BlockInfo info;

	source->block_info(source, block, &info);
	for (uint32_t warp = 0; warp < info.n_warps; warp++)
		if (!visit_warp(source->open_warp(source, block, warp), visit, data))
			return false;
	return true;
}

bool buffer_accesses_visit(RecordSource *source, BufferVisitor visit, void *data)
{
	for (uint64_t block = 0; block < source->n_blocks; block++)
		if (!buffer_accesses_visit_block(source, block, visit, data))
			return false;
	return true;
}

bool record_lanes_part(const Record *record)
{
	for (uint32_t i = 1; i < record->n_lanes; i++)
		if (record->address[i] != record->address[0])
			return true;
	return false;
}

static SharedArray *array_in(GPtrArray *arrays, uint32_t buffer)
{
	for (guint i = 0; i < arrays->len; i++) {
		SharedArray *array = arrays->pdata[i];

		if (array->buffer == buffer)
			return array;
	}
	return NULL;
}

static void add_atomics(GPtrArray *arrays, const Footprint *footprint)
{
	SharedArray *array = array_in(arrays, footprint->buffer);
	uint64_t end = footprint->end;

	if (array == NULL) {
		array = g_new0(SharedArray, 1);
		array->buffer = footprint->buffer;
		array->base = footprint->first;
		array->sites = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		array->behind = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		g_ptr_array_add(arrays, array);
	}
	end = MAX(end, array->base + array->end);
	array->base = MIN(array->base, footprint->first);
	array->end = (uint32_t)MIN(end - array->base, UINT32_MAX);
	array->atomics += footprint->records;
	array->atomics_with_result += footprint->with_result;
	array->atomics_apart += footprint->apart;
	array->lane_operations += footprint->lanes;
	array->operations |= footprint->operations;
	array->types |= footprint->types;
	array->widest = MAX(array->widest, footprint->widest);
	g_array_append_val(array->sites, footprint->site);
	g_array_append_val(array->behind, footprint->behind);
}

/* Loads, stores and locks in the bytes of an array of atomics. */
static void add_others(GPtrArray *arrays, const Footprint *footprint)
{
	SharedArray *array = array_in(arrays, footprint->buffer);

	if (array == NULL || footprint->end <= array->base ||
	    footprint->first >= array->base + array->end)
		return;
	array->loads += footprint->kind == RECORD_LDG ? footprint->records : 0;
	array->stores += footprint->kind == RECORD_STG ? footprint->records : 0;
	array->locks += footprint->kind == RECORD_LOCK ? footprint->records : 0;
}

static void array_free(gpointer data)
{
	SharedArray *array = data;

	g_array_unref(array->sites);
	g_array_unref(array->behind);
	g_free(array);
}

static gint compare_arrays(gconstpointer a, gconstpointer b)
{
	const SharedArray *x = *(SharedArray *const *)a, *y = *(SharedArray *const *)b;

	return (x->buffer > y->buffer) - (x->buffer < y->buffer);
}

static gint compare_footprints(gconstpointer a, gconstpointer b)
{
	const Footprint *x = a, *y = b;

	return (x->site > y->site) - (x->site < y->site);
}

GPtrArray *global_arrays_find(RecordSource *source)
{
	g_autoptr(GHashTable) footprints =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	Search search = {.footprints = footprints};
	GPtrArray *arrays;
	GList *all;

	if (!buffer_accesses_visit(source, add_record, &search))
		return NULL;
	arrays = g_ptr_array_new_with_free_func(array_free);
	all = g_list_sort(g_hash_table_get_values(footprints), compare_footprints);
	for (GList *at = all; at != NULL; at = at->next)
		if (((Footprint *)at->data)->kind == RECORD_ATOMG)
			add_atomics(arrays, at->data);
	for (GList *at = all; at != NULL; at = at->next)
		if (((Footprint *)at->data)->kind != RECORD_ATOMG)
			add_others(arrays, at->data);
	g_list_free(all);
	for (guint i = 0; i < arrays->len; i++)
		array_take_size(arrays->pdata[i], &source->kernel);
	g_ptr_array_sort(arrays, compare_arrays);
	return arrays;
}
