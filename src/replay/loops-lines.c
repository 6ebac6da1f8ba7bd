/* SPDX-License-Identifier: MIT */
/* Which batch is the first to ask for a line of global memory: caches have those that were asked for before. */
#include "replay/loops-internal.h"

#define CONTENT_BITS 24 /* of a number of a content; the batch is above them */

struct AskedLines {
	GHashTable *first;     /* of each line: batch and content */
	uint32_t *base;	       /* of each buffer: its first line */
	uint32_t local_buffer; /* whose lines are other ones for each warp; 0: none */
};

AskedLines *asked_lines_new(const KernelInfo *kernel)
{
	AskedLines *lines = g_new(AskedLines, 1);
	uint32_t end = 0;

	lines->first = g_hash_table_new(g_direct_hash, g_direct_equal);
	lines->base = g_new(uint32_t, kernel->n_buffers + 1);
	lines->local_buffer = kernel->local_buffer;
	for (uint32_t i = 0; i < kernel->n_buffers; i++) {
		lines->base[i] = end;
		end += (uint32_t)(kernel->buffer_bytes[i] / LINE_BYTES + 1);
	}
	return lines;
}

void asked_lines_free(AskedLines *lines)
{
	g_hash_table_unref(lines->first);
	g_free(lines->base);
	g_free(lines);
}

static void ask_for(AskedLines *lines, uint32_t line, uint32_t first)
{
	const gpointer key = GUINT_TO_POINTER(line);
	gpointer known;

	if (!g_hash_table_lookup_extended(lines->first, key, NULL, &known) ||
	    first < GPOINTER_TO_UINT(known))
		g_hash_table_insert(lines->first, key, GUINT_TO_POINTER(first));
}

uint32_t asked_lines_of(AskedLines *lines, uint32_t content, uint32_t batch,
			const Record *record)
{
	uint64_t last = UINT64_MAX;
	uint32_t n = 0;

	if (record->buffer == 0 || record->buffer == lines->local_buffer)
		return record->count;
	for (uint32_t i = 0; i < record->n_lanes; i++) {
		const uint64_t line = (record->offset + record->address[i]) / LINE_BYTES;

		if (line == last)
			continue;
		last = line;
		ask_for(lines, lines->base[record->buffer - 1] + (uint32_t)line,
			batch << CONTENT_BITS | content);
		n++;
	}
	return n;
}

void asked_lines_count_new(const AskedLines *lines, Contents *contents)
{
	GHashTableIter iter;
	gpointer first;

	g_hash_table_iter_init(&iter, lines->first);
	while (g_hash_table_iter_next(&iter, NULL, &first)) {
		const uint32_t where = GPOINTER_TO_UINT(first);
		BlockContent *content = g_ptr_array_index(contents->contents,
							  where & ((1u << CONTENT_BITS) - 1));

		content->batches[where >> CONTENT_BITS][CONTENT_NEW_LINES] += NEW_LINE_WEIGHT;
	}
}
