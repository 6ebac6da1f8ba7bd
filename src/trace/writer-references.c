/* SPDX-License-Identifier: MIT */
#include "trace/writer-references.h"

#include <stdlib.h>
#include <string.h>

/* A span that takes no more room than it needs. */
typedef struct {
	WriterTemplate *template;
	uint64_t block_id, count;
	uint32_t n_classes;
	guint shifts; /* n_classes shifts, then as many steps */
} PackedSpan;

void writer_spans_init(WriterSpans *spans)
{
	spans->packed = g_array_new(FALSE, FALSE, sizeof(PackedSpan));
	/* With room from the start: a span without classes has a place in it all the same. */
	spans->shifts = g_array_sized_new(FALSE, FALSE, sizeof(int64_t), 1);
	spans->last.count = 0;
}

void writer_spans_clear(WriterSpans *spans)
{
	g_array_unref(spans->packed);
	g_array_unref(spans->shifts);
}

/* Whether b goes on where a ends, and is from here on a part of it. */
static bool join(WriterSpan *a, const WriterSpan *b)
{
	int64_t steps[TRACE_MAX_CLASSES];

	if (a->count == 0 || a->template != b->template || a->n_classes != b->n_classes ||
	    b->block_id != a->block_id + a->count)
		return false;
	for (uint32_t c = 0; c < a->n_classes; c++) {
		steps[c] = a->count > 1 ? a->steps[c] : b->shifts[c] - a->shifts[c];
		if (a->shifts[c] + (int64_t)a->count * steps[c] != b->shifts[c] ||
		    (b->count > 1 && b->steps[c] != steps[c]))
			return false;
	}
	memcpy(a->steps, steps, a->n_classes * sizeof *steps);
	a->count += b->count;
	return true;
}

static void pack(WriterSpans *spans, const WriterSpan *span)
{
	const PackedSpan packed = {span->template, span->block_id, span->count, span->n_classes,
				   spans->shifts->len};

	g_array_append_val(spans->packed, packed);
	g_array_append_vals(spans->shifts, span->shifts, span->n_classes);
	g_array_append_vals(spans->shifts, span->steps, span->n_classes);
}

/* With all the classes that its template has now: what was one class was moved as one. */
static WriterSpan unpack(const WriterSpans *spans, const PackedSpan *packed)
{
	const int64_t *shifts = &g_array_index(spans->shifts, int64_t, packed->shifts);
	WriterSpan span = {.template = packed->template,
			   .block_id = packed->block_id,
			   .count = packed->count,
			   .n_classes = packed->template->n_classes};

	for (uint32_t c = 0; c < span.n_classes; c++) {
		uint32_t class = c;

		while (class >= packed->n_classes)
			class = packed->template->parents[class];
		span.shifts[c] = shifts[class];
		span.steps[c] = shifts[packed->n_classes + class];
	}
	return span;
}

void writer_spans_add(WriterSpans *spans, const WriterSpan *span)
{
	if (join(&spans->last, span))
		return;
	if (spans->last.count > 0)
		pack(spans, &spans->last);
	spans->last = *span;
}

/* --- Bytes --- */

static void put(GByteArray *bytes, uint64_t value)
{
	do {
		const uint8_t byte = (uint8_t)((value & 0x7f) | (value >= 0x80 ? 0x80 : 0));

		g_byte_array_append(bytes, &byte, 1);
		value >>= 7;
	} while (value > 0);
}

static void put_shift(GByteArray *bytes, int64_t shift)
{
	const uint64_t twice = (uint64_t)shift << 1;

	put(bytes, shift < 0 ? ~twice : twice);
}

/* Equal classes one after the other as a piece, the warp's last one without its length. */
static void put_classes(GByteArray *bytes, const uint8_t *classes, uint32_t n)
{
	for (uint32_t k = 0; k < n;) {
		const uint32_t begin = k;

		while (k < n && classes[k] == classes[begin])
			k++;
		put(bytes, k < n ? k - begin : 0);
		put(bytes, classes[begin]);
	}
	if (n == 0) {
		put(bytes, 0);
		put(bytes, 0);
	}
}

static int compare_ids(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_template(const void *a, const void *b)
{
	return compare_ids((*(WriterTemplate *const *)a)->block_id,
			   (*(WriterTemplate *const *)b)->block_id);
}

static int by_block(const void *a, const void *b)
{
	return compare_ids(((const PackedSpan *)a)->block_id,
			   ((const PackedSpan *)b)->block_id);
}

static int by_entry(const void *key, const void *entry)
{
	return compare_ids(*(const uint64_t *)key, ((const TraceIndexEntry *)entry)->block_id);
}

static void put_templates(GByteArray *bytes, GPtrArray *templates, const GArray *index)
{
	const TraceIndexEntry *entries = (const TraceIndexEntry *)index->data, *entry;
	uint64_t next = 0;

	put(bytes, templates->len);
	for (guint t = 0; t < templates->len; t++) {
		const WriterTemplate *template = templates->pdata[t];
		uint32_t begin = 0;

		entry = bsearch(&template->block_id, entries, index->len, sizeof *entries,
				by_entry);
		put(bytes, (uint64_t)(entry - entries) - next);
		put(bytes, template->n_classes);
		for (uint32_t w = 0; template->n_classes > 1 && w < template->n_warps; w++) {
			put_classes(bytes, template->classes + begin,
				    template->ends[w] - begin);
			begin = template->ends[w];
		}
		next = (uint64_t)(entry - entries) + 1;
	}
}

/* next: no block that comes has a lower number. */
static void put_span(GByteArray *bytes, const WriterSpan *span, uint64_t *next,
		     const GPtrArray *templates)
{
	const WriterTemplate *const *found =
		bsearch(&span->template, templates->pdata, templates->len,
			sizeof *templates->pdata, by_template);

	put(bytes, span->block_id - *next);
	put(bytes, span->count);
	put(bytes, (uint64_t)(found - (const WriterTemplate *const *)templates->pdata));
	for (uint32_t c = 0; c < span->n_classes; c++)
		put_shift(bytes, span->shifts[c]);
	for (uint32_t c = 0; span->count > 1 && c < span->n_classes; c++)
		put_shift(bytes, span->steps[c]);
	*next = span->block_id + span->count;
}

GByteArray *writer_references_bytes(WriterSpans *spans, GPtrArray *templates,
				    const GArray *index)
{
	GByteArray *bytes = g_byte_array_new();
	g_autoptr(GByteArray) of_spans = g_byte_array_new();
	WriterSpan joined = {0};
	uint64_t next = 0, n = 0;

	pack(spans, &spans->last);
	g_array_sort(spans->packed, by_block);
	qsort(templates->pdata, templates->len, sizeof *templates->pdata, by_template);
	for (guint i = 0; i < spans->packed->len; i++) {
		const WriterSpan span =
			unpack(spans, &g_array_index(spans->packed, PackedSpan, i));

		if (join(&joined, &span))
			continue;
		n += joined.count > 0;
		if (joined.count > 0)
			put_span(of_spans, &joined, &next, templates);
		joined = span;
	}
	put_span(of_spans, &joined, &next, templates);
	put_templates(bytes, templates, index);
	put(bytes, n + 1);
	g_byte_array_append(bytes, of_spans->data, of_spans->len);
	return bytes;
}
