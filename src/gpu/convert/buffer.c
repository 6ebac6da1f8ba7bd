/* SPDX-License-Identifier: MIT */
/*
 * The buffers of global memory that a kernel accesses, numbered in the order of their addresses. A
 * buffer is an allocation of the program. Memory that no allocation was seen for (variables of a
 * module, captures of version 1) is taken as one buffer for each run of pages with accesses.
 * Thread-local memory is one buffer more, the last: from the lowest byte of a thread that is accessed to the highest.
 */

#include "gpu/convert/internal.h"

#define PAGE_BYTES	(UINT64_C(2) << 20) /* the driver maps memory in these */
#define LOCAL_ALIGNMENT 16		    /* of the widest access */
#define MAX_LOCAL_BYTES 524288 /* of a thread (NVIDIA's CUDA C++ Programming Guide) */

typedef struct {
	uint64_t begin, end;
	bool used;
	uint8_t before; /* RawBefore */
	bool stored;	/* by the launch */
} Range;

#define BEFORE_UNKNOWN 0x7f

struct Buffers {
	GArray *allocations; /* Range, by address */
	GHashTable *pages;   /* number -> itself, of accesses in no allocation */
	GArray *buffers;     /* Range, by address, once they are numbered */
	Range local;	     /* of a thread; no bytes: none is accessed */
};

static int compare_ranges(gconstpointer a, gconstpointer b)
{
	const Range *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

Buffers *buffers_new(const RawRecording *recording)
{
	Buffers *buffers = g_new0(Buffers, 1);
	const uint8_t *before =
		recording->history ? (const uint8_t *)(recording->history + 1) : NULL;

	buffers->allocations = g_array_new(FALSE, FALSE, sizeof(Range));
	buffers->buffers = g_array_new(FALSE, FALSE, sizeof(Range));
	buffers->pages = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	for (guint i = 0; i < recording->n_memory; i++) {
		const RawMemory *memory = &recording->memory[i];
		Range range = {memory->address, memory->address + memory->bytes, false,
			       before ? before[i] : BEFORE_UNKNOWN, false};

		if (memory->bytes > 0 && memory->bytes <= TRACE_MAX_BUFFER_BYTES &&
		    range.end > range.begin)
			g_array_append_val(buffers->allocations, range);
	}
	g_array_sort(buffers->allocations, compare_ranges);
	return buffers;
}

void buffers_free(Buffers *buffers)
{
	g_array_unref(buffers->allocations);
	g_array_unref(buffers->buffers);
	g_hash_table_unref(buffers->pages);
	g_free(buffers);
}

static Range *find(const GArray *ranges, uint64_t address)
{
	guint low = 0, high = ranges->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		Range *range = &g_array_index(ranges, Range, middle);

		if (address < range->begin)
			high = middle;
		else if (address >= range->end)
			low = middle + 1;
		else
			return range;
	}
	return NULL;
}

void buffers_add(Buffers *buffers, uint64_t address, uint32_t bytes)
{
	Range *allocation = find(buffers->allocations, address);
	gint64 first = (gint64)(address / PAGE_BYTES);
	gint64 last = (gint64)((address + MAX(bytes, 1) - 1) / PAGE_BYTES);

	if (allocation) {
		allocation->used = true;
		return;
	}
	for (gint64 page = first; page <= last; page++)
		if (!g_hash_table_contains(buffers->pages, &page))
			g_hash_table_add(buffers->pages, g_memdup2(&page, sizeof(page)));
}

void buffers_add_local(Buffers *buffers, uint64_t byte, uint32_t bytes)
{
	Range *local = &buffers->local;
	const uint64_t begin = byte / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
	const uint64_t end = (byte + MAX(bytes, 1) + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT *
			     LOCAL_ALIGNMENT;

	local->begin = local->end == 0 ? begin : MIN(local->begin, begin);
	local->end = MAX(local->end, end);
}

static int compare_pages(gconstpointer a, gconstpointer b)
{
	gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

	return x < y ? -1 : x > y;
}

/* Runs of pages become ranges. */
static void add_pages(Buffers *buffers)
{
	g_autoptr(GArray) pages = g_array_new(FALSE, FALSE, sizeof(gint64));
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, buffers->pages);
	while (g_hash_table_iter_next(&iter, &key, NULL))
		g_array_append_vals(pages, key, 1);
	g_array_sort(pages, compare_pages);
	for (guint i = 0; i < pages->len; i++) {
		uint64_t begin = (uint64_t)g_array_index(pages, gint64, i) * PAGE_BYTES;
		Range range = {begin, begin + PAGE_BYTES, true, BEFORE_UNKNOWN, false};
		Range *before = buffers->buffers->len
					? &g_array_index(buffers->buffers, Range,
							 buffers->buffers->len - 1)
					: NULL;

		if (i > 0 && before && before->end == begin)
			before->end = range.end;
		else
			g_array_append_val(buffers->buffers, range);
	}
}

void buffers_number(Buffers *buffers)
{
	add_pages(buffers);
	for (guint i = 0; i < buffers->allocations->len; i++) {
		Range range = g_array_index(buffers->allocations, Range, i);

		if (range.used)
			g_array_append_val(buffers->buffers, range);
	}
	g_array_sort(buffers->buffers, compare_ranges);
	if (buffers->buffers->len > TRACE_MAX_BUFFERS)
		g_array_set_size(buffers->buffers, TRACE_MAX_BUFFERS);
	/* A page may reach into an allocation that begins within it, or begin with one. */
	for (guint i = 1; i < buffers->buffers->len; i++) {
		Range *before = &g_array_index(buffers->buffers, Range, i - 1);
		Range *range = &g_array_index(buffers->buffers, Range, i);

		if (before->begin == range->begin) {
			uint64_t end = MAX(before->end, range->end);

			before->end = MIN(before->end, range->end);
			*range = (Range){before->end, end, true, range->before, false};
		} else {
			before->end = MIN(before->end, range->begin);
		}
	}
}

uint16_t buffers_find(const Buffers *buffers, uint64_t address, uint64_t *base)
{
	const Range *range = find(buffers->buffers, address);

	if (!range)
		return 0;
	*base = range->begin;
	return (uint16_t)(range - (const Range *)(gpointer)buffers->buffers->data + 1);
}

uint16_t buffers_local(const Buffers *buffers, uint64_t *begin)
{
	*begin = buffers->local.begin;
	return buffers->local.end > 0 &&
			       buffers->local.end - buffers->local.begin <= MAX_LOCAL_BYTES &&
			       buffers->buffers->len < TRACE_MAX_BUFFERS
		       ? (uint16_t)(buffers->buffers->len + 1)
		       : 0;
}

void buffers_note_store(Buffers *buffers, uint16_t number)
{
	if (number <= buffers->buffers->len)
		g_array_index(buffers->buffers, Range, number - 1).stored = true;
}

guint buffers_count(const Buffers *buffers)
{
	uint64_t begin;

	return buffers->buffers->len + (buffers_local(buffers, &begin) > 0);
}

static ConvertBuffer local_buffer(const Buffers *buffers)
{
	return (ConvertBuffer){
		.bytes = (buffers->local.end - buffers->local.begin) * TRACE_MAX_LANES,
		.before = BUFFER_UNKNOWN,
		.local = true,
	};
}

ConvertBuffer buffers_get(const Buffers *buffers, guint i)
{
	static const BufferBefore known[] = {
		[RAW_BEFORE_FRESH] = BUFFER_FRESH,   [RAW_BEFORE_COPIED] = BUFFER_COPIED,
		[RAW_BEFORE_SET] = BUFFER_SET,	     [RAW_BEFORE_USED] = BUFFER_USED,
		[RAW_BEFORE_REUSED] = BUFFER_REUSED,
	};
	if (i == buffers->buffers->len)
		return local_buffer(buffers);

	const Range *range = &g_array_index(buffers->buffers, Range, i);
	const uint8_t raw = range->before & ~RAW_BEFORE_MANAGED;
	const BufferBefore before = raw < G_N_ELEMENTS(known) ? known[raw] : BUFFER_UNKNOWN;

	return (ConvertBuffer){
		.bytes = range->end - range->begin,
		.before = before == BUFFER_USED && range->stored ? BUFFER_WRITTEN : before,
		.managed = (range->before & RAW_BEFORE_MANAGED) != 0,
	};
}
