/* SPDX-License-Identifier: MIT */
#include "trace/writer-internal.h"

#include <string.h>
#include <xxhash.h>

#include "trace/writer-references.h"

/* Of blocks that others are compared with: those that were found equal last. */
#define KEPT_BYTES (UINT64_C(4) << 20)
#define WARP_BYTES 256 /* about, of a warp's arrays beside what is in them */

struct WriterSame {
	GHashTable *by_digest; /* WriterTemplate, which blocks are compared with */
	GQueue recent;	       /* the same, the last one referred to first */
	uint64_t n_bytes;      /* of these */
	GPtrArray *referred;   /* WriterTemplate */
	WriterSpans spans;
	uint64_t n_referring, n_referring_records;
};

static void template_free(void *data)
{
	WriterTemplate *template = data;

	if (template->block)
		writer_block_free(template->block);
	g_free(template->ends);
	g_free(template->classes);
	g_free(template);
}

WriterSame *writer_same_new(void)
{
	WriterSame *same = g_new0(WriterSame, 1);

	same->by_digest = g_hash_table_new(g_int64_hash, g_int64_equal);
	g_queue_init(&same->recent);
	same->referred = g_ptr_array_new_with_free_func(template_free);
	writer_spans_init(&same->spans);
	return same;
}

/* Compares nothing with it any more. */
static void let_go(WriterSame *same, WriterTemplate *template)
{
	same->n_bytes -= template->n_bytes;
	g_hash_table_remove(same->by_digest, &template->digest);
	g_queue_unlink(&same->recent, &template->link);
	g_clear_pointer(&template->block, writer_block_free);
	if (!template->referred)
		template_free(template);
}

void writer_same_free(WriterSame *same)
{
	while (same->recent.tail)
		let_go(same, same->recent.tail->data);
	g_hash_table_unref(same->by_digest);
	g_ptr_array_unref(same->referred);
	writer_spans_clear(&same->spans);
	g_free(same);
}

static const Base *bases_of(const WarpBuffer *warp)
{
	return (const Base *)warp->bases->data;
}

/* The k-th piece of a warp's bytes between its bases; the one behind the last, too. */
static const uint8_t *piece(const WarpBuffer *warp, guint k, size_t *length)
{
	const Base *bases = bases_of(warp);
	const uint32_t begin = k > 0 ? bases[k - 1].at + bases[k - 1].length : 0;
	const uint32_t end = k < warp->bases->len ? bases[k].at : warp->bytes->len;

	*length = end - begin;
	return warp->bytes->data + begin;
}

/* Of all that equal blocks have in common. */
static uint64_t digest_of(const WriterBlock *block)
{
	const uint32_t head[] = {block->n_warps, block->shared_bytes};
	uint64_t digest = XXH64(head, sizeof head, 0);

	for (uint32_t w = 0; w < block->n_warps; w++) {
		const WarpBuffer *warp = &block->warps[w];
		const uint64_t counts[] = {warp->n_records, warp->bases->len};

		digest = XXH64(counts, sizeof counts, digest);
		for (guint k = 0; k <= warp->bases->len; k++) {
			size_t length;
			const uint8_t *bytes = piece(warp, k, &length);

			digest = XXH64(bytes, length, digest);
		}
	}
	return digest;
}

static bool warps_equal(const WarpBuffer *a, const WarpBuffer *b)
{
	if (a->n_records != b->n_records || a->bases->len != b->bases->len)
		return false;
	for (guint k = 0; k <= a->bases->len; k++) {
		size_t of_a, of_b;
		const uint8_t *bytes_a = piece(a, k, &of_a), *bytes_b = piece(b, k, &of_b);

		if (of_a != of_b || memcmp(bytes_a, bytes_b, of_a) != 0)
			return false;
	}
	return true;
}

/* But for bases. */
static bool blocks_equal(const WriterBlock *a, const WriterBlock *b)
{
	bool equal = a->n_warps == b->n_warps && a->shared_bytes == b->shared_bytes;

	for (uint32_t w = 0; equal && w < a->n_warps; w++)
		equal = warps_equal(&a->warps[w], &b->warps[w]);
	return equal;
}

/* Classes as they come to be with one more block. */
typedef struct {
	uint32_t n;
	int64_t shifts[TRACE_MAX_CLASSES];
	bool known[TRACE_MAX_CLASSES];
	uint8_t parents[TRACE_MAX_CLASSES];
} Classes;

/* The class of a base that was of class `before` and is moved by `shift`: a new one if another base of that class is moved by
   another. TRACE_MAX_CLASSES: there are too many. */
static uint32_t class_of(Classes *classes, uint32_t n_before, uint32_t before, int64_t shift)
{
	if (!classes->known[before]) {
		classes->known[before] = true;
		classes->shifts[before] = shift;
	}
	if (classes->shifts[before] == shift)
		return before;
	for (uint32_t c = n_before; c < classes->n; c++)
		if (classes->parents[c] == before && classes->shifts[c] == shift)
			return c;
	if (classes->n == TRACE_MAX_CLASSES)
		return TRACE_MAX_CLASSES;
	classes->parents[classes->n] = (uint8_t)before;
	classes->shifts[classes->n] = shift;
	return classes->n++;
}

/* What the block's bases differ by from the template's, a class each. False: in too many ways. */
static bool find_shifts(WriterTemplate *template, const WriterBlock *block, Classes *classes)
{
	g_autofree uint8_t *after = g_malloc(template->n_bases + 1);
	uint32_t number = 0;

	*classes = (Classes){.n = template->n_classes};
	for (uint32_t w = 0; w < block->n_warps; w++) {
		const Base *own = bases_of(&block->warps[w]);
		const Base *other = bases_of(&template->block->warps[w]);

		for (guint k = 0; k < block->warps[w].bases->len; k++, number++) {
			const int64_t shift = (int64_t)(own[k].value - other[k].value);
			const uint32_t class = class_of(classes, template->n_classes,
							template->classes[number], shift);

			if (class == TRACE_MAX_CLASSES)
				return false;
			after[number] = (uint8_t) class;
		}
	}
	memcpy(template->classes, after, template->n_bases);
	for (uint32_t c = template->n_classes; c < classes->n; c++)
		template->parents[c] = classes->parents[c];
	template->n_classes = classes->n;
	return true;
}

static void add_reference(WriterSame *same, WriterTemplate *template, uint64_t block_id,
			  const Classes *classes)
{
	WriterSpan span = {.template = template,
			   .block_id = block_id,
			   .count = 1,
			   .n_classes = classes->n};

	memcpy(span.shifts, classes->shifts, sizeof span.shifts);
	writer_spans_add(&same->spans, &span);
	if (!template->referred)
		g_ptr_array_add(same->referred, template);
	template->referred = true;
	same->n_referring++;
	same->n_referring_records += template->n_records;
}

bool writer_same_refer(WriterSame *same, const WriterBlock *block)
{
	const uint64_t digest = digest_of(block);
	WriterTemplate *template = g_hash_table_lookup(same->by_digest, &digest);
	Classes classes;

	if (!template || same->n_referring == TRACE_MAX_REFERRING ||
	    same->n_referring_records + template->n_records > TRACE_MAX_REFERRING_RECORDS ||
	    !blocks_equal(template->block, block) || !find_shifts(template, block, &classes))
		return false;
	g_queue_unlink(&same->recent, &template->link);
	g_queue_push_head_link(&same->recent, &template->link);
	add_reference(same, template, block->block_id, &classes);
	return true;
}

static WriterTemplate *template_new(WriterBlock *block, uint64_t digest)
{
	WriterTemplate *template = g_new0(WriterTemplate, 1);

	template->digest = digest;
	template->block = block;
	template->block_id = block->block_id;
	template->n_warps = block->n_warps;
	template->ends = g_new(uint32_t, block->n_warps);
	for (uint32_t w = 0; w < block->n_warps; w++) {
		template->n_records += block->warps[w].n_records;
		template->n_bases += block->warps[w].bases->len;
		template->ends[w] = template->n_bases;
	}
	template->n_classes = template->n_bases > 0;
	template->classes = g_malloc0(template->n_bases + 1);
	template->link.data = template;
	template->n_bytes = sizeof *template + sizeof *block + block->n_bytes +
			    template->n_bases + block->n_warps *WARP_BYTES;
	return template;
}

void writer_same_take(WriterSame *same, WriterBlock *block)
{
	WriterTemplate *template = template_new(block, digest_of(block));
	WriterTemplate *before = g_hash_table_lookup(same->by_digest, &template->digest);

	/* One whose bases differ in too many ways, for which this one is as good. */
	if (before)
		let_go(same, before);
	g_hash_table_insert(same->by_digest, &template->digest, template);
	g_queue_push_head_link(&same->recent, &template->link);
	same->n_bytes += template->n_bytes;
	while (same->n_bytes > KEPT_BYTES)
		let_go(same, same->recent.tail->data);
}

uint64_t writer_same_n(const WriterSame *same)
{
	return same->n_referring;
}

GByteArray *writer_same_bytes(WriterSame *same, const GArray *index)
{
	return writer_references_bytes(&same->spans, same->referred, index);
}
