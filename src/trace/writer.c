/* SPDX-License-Identifier: MIT */
/*
 * Writes traces. Records collect in one buffer a warp; a full buffer becomes a segment of the file,
 * and a block that ends its directory. What follows the blocks: writer-end.c.
 */
#include "trace/writer-internal.h"

#include <string.h>
#include <xxhash.h>

#include "trace/codec.h"
#include "trace/format.h"
#include "trace/frame.h"

/* Half of what the format allows: a reader's memory is a segment for each resident warp, so shorter
   segments make it smaller, and the same for short traces and long ones. */
#define SEGMENT_BYTES (TRACE_MAX_SEGMENT_BYTES / 2)

typedef struct {
	GByteArray *bytes; /* of the segment that is being filled */
	uint64_t n_records;
	GArray *segments; /* TraceSegmentEntry */
	bool ended;
} WarpBuffer;

struct WriterBlock {
	uint64_t block_id; /* the key in the table of blocks */
	uint32_t n_warps;
	uint32_t shared_bytes;
	WarpBuffer warps[];
};

void writer_put(TraceWriter *writer, const void *bytes, size_t length)
{
	writer->offset += length;
	if (writer->memory)
		g_byte_array_append(writer->memory, bytes, (guint)length);
	else
		output_write(writer->output, bytes, length);
}

static void block_free(void *data)
{
	WriterBlock *block = data;

	for (uint32_t w = 0; w < block->n_warps; w++) {
		g_byte_array_unref(block->warps[w].bytes);
		g_array_unref(block->warps[w].segments);
	}
	g_free(block);
}

void writer_free(TraceWriter *writer)
{
	output_abandon(writer->output);
	if (writer->memory)
		g_byte_array_unref(writer->memory);
	ZSTD_freeCCtx(writer->context);
	g_hash_table_unref(writer->blocks);
	g_array_unref(writer->index);
	g_array_unref(writer->buffer_bytes);
	dataflow_builder_free(writer->dataflow);
	g_free(writer->path);
	g_free(writer);
}

static TraceWriter *writer_new(void)
{
	TraceWriter *writer = g_new0(TraceWriter, 1);

	writer->context = frame_context_new();
	writer->blocks = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, block_free);
	writer->index = g_array_new(FALSE, FALSE, sizeof(TraceIndexEntry));
	writer->buffer_bytes = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	writer->dataflow = dataflow_builder_new();
	writer->rules = (TraceRules){
		.version = TRACE_VERSION, .lanes = 32, .n_buffers = TRACE_MAX_BUFFERS};
	return writer;
}

/* The header waits for the first block, because the version is set before. */
void writer_put_header(TraceWriter *writer)
{
	TraceFileHeader header = {.version = writer->rules.version};

	if (writer->begun)
		return;
	writer->begun = true;
	memcpy(header.magic, TRACE_MAGIC, sizeof(header.magic));
	writer_put(writer, &header, sizeof(header));
}

/* How a trace that is there is known. */
static const OutputKind output_kind = {"a trace", {TRACE_MAGIC}};

TraceWriter *trace_writer_new(const char *path, GError **error)
{
	Output *output = output_open(path, &output_kind, error);
	TraceWriter *writer;

	if (!output)
		return NULL;
	writer = writer_new();
	writer->path = g_strdup(path);
	writer->output = output;
	return writer;
}

TraceWriter *trace_writer_new_memory(void)
{
	TraceWriter *writer = writer_new();

	writer->memory = g_byte_array_new();
	return writer;
}

void trace_writer_set_version_2(TraceWriter *writer, uint32_t warp_lanes)
{
	g_assert(!writer->begun && (warp_lanes == 32 || warp_lanes == 64));
	writer->rules.version = 2;
	writer->rules.lanes = warp_lanes;
}

uint32_t trace_writer_version(const TraceWriter *writer)
{
	return writer->rules.version;
}

uint32_t trace_writer_gap(TraceWriter *writer, const CodeOperation *operations, uint32_t n)
{
	g_assert(writer->rules.version > 1);
	return dataflow_builder_gap(writer->dataflow, operations, n);
}

void trace_writer_site_flow(TraceWriter *writer, uint32_t site, const SiteFlow *flow)
{
	g_assert(writer->rules.version > 1);
	dataflow_builder_site(writer->dataflow, site, flow);
}

void trace_writer_copy_kernel(TraceWriter *writer, uint32_t version, const KernelInfo *kernel)
{
	if (version == 1)
		return;
	trace_writer_set_version_2(writer, kernel->warp_lanes);
	if (kernel->dataflow)
		dataflow_builder_copy(writer->dataflow, kernel->dataflow);
}

void trace_writer_begin_block(TraceWriter *writer, uint64_t block_id, uint32_t n_warps,
			      uint32_t shared_bytes)
{
	WriterBlock *block;

	g_assert(n_warps >= 1 && n_warps <= TRACE_MAX_WARPS);
	g_assert(shared_bytes <= TRACE_MAX_SHARED_BYTES);
	g_assert(!g_hash_table_contains(writer->blocks, &block_id));
	writer_put_header(writer);
	block = g_malloc0(sizeof(*block) + n_warps * sizeof(WarpBuffer));
	block->block_id = block_id;
	block->n_warps = n_warps;
	block->shared_bytes = shared_bytes;
	for (uint32_t w = 0; w < n_warps; w++) {
		block->warps[w].bytes = g_byte_array_new();
		block->warps[w].segments = g_array_new(FALSE, FALSE, sizeof(TraceSegmentEntry));
	}
	g_hash_table_insert(writer->blocks, &block->block_id, block);
	writer->last_block = block;
}

static WriterBlock *find_block(TraceWriter *writer, uint64_t block_id)
{
	if (!writer->last_block || writer->last_block->block_id != block_id)
		writer->last_block = g_hash_table_lookup(writer->blocks, &block_id);
	g_assert(writer->last_block);
	return writer->last_block;
}

/* Makes a segment of what the warp has. */
static void flush_segment(TraceWriter *writer, WarpBuffer *warp)
{
	uint8_t stored[TRACE_MAX_STORED_BYTES];
	TraceSegmentEntry entry = {.offset = writer->offset, .raw_bytes = warp->bytes->len};
	size_t n = frame_compress(writer->context, warp->bytes->data, warp->bytes->len, stored);

	entry.stored_bytes = (uint32_t)n;
	entry.xxh64 = XXH64(stored, n, 0);
	writer_put(writer, stored, n);
	g_array_append_val(warp->segments, entry);
	g_byte_array_set_size(warp->bytes, 0);
}

/* Notes what the metadata will have to have for this record. */
static void note_needs(TraceWriter *writer, const Record *record)
{
	bool in_buffer = record->kind == RECORD_LDG || record->kind == RECORD_STG ||
			 record->kind == RECORD_ATOMG || record->kind == RECORD_LOCK ||
			 record->kind == RECORD_UNLOCK;
	uint64_t *end, largest = 0;

	writer->last_site = MAX(writer->last_site, record->site);
	g_assert(record->kind != RECORD_CODE ||
		 record->gap < dataflow_builder_n_gaps(writer->dataflow));
	if (!in_buffer || record->buffer == 0)
		return;
	for (unsigned i = 0; i < record->n_lanes; i++)
		largest = MAX(largest, record->address[i]);
	if (writer->buffer_bytes->len < record->buffer)
		g_array_set_size(writer->buffer_bytes, record->buffer);
	end = &g_array_index(writer->buffer_bytes, uint64_t, record->buffer - 1u);
	*end = MAX(*end, record->offset + largest + record->width);
}

void trace_writer_append(TraceWriter *writer, uint64_t block_id, uint32_t warp_number,
			 const Record *record)
{
	WriterBlock *block = find_block(writer, block_id);
	WarpBuffer *warp = &block->warps[warp_number];
	uint8_t bytes[TRACE_MAX_RECORD_BYTES] = {0};
	const char *problem = "its bytes say something else";
	Record decoded;
	size_t n;

	g_assert(warp_number < block->n_warps && !warp->ended);
	writer->rules.shared_bytes = block->shared_bytes;
	n = trace_encode_record(&writer->rules, record, bytes);
	/* The decoder alone knows what a valid record is. */
	if (trace_decode_padded(&writer->rules, bytes, &decoded, &problem) != n)
		g_error("trace_writer_append: invalid record (kind %u, block %" G_GUINT64_FORMAT
			" of %u shared bytes, warp %u): %s",
			record->kind, block_id, block->shared_bytes, warp_number, problem);
	if (warp->bytes->len + n > SEGMENT_BYTES)
		flush_segment(writer, warp);
	g_byte_array_append(warp->bytes, bytes, (guint)n);
	warp->n_records++;
	warp->ended = record->kind == RECORD_EXIT;
	note_needs(writer, &decoded);
}

/* The directory's bytes, and what the index says of them. */
static GByteArray *directory_bytes(const WriterBlock *block, TraceIndexEntry *entry)
{
	GByteArray *bytes = g_byte_array_new();
	TraceDirectoryHeader header = {.n_warps = block->n_warps};

	for (uint32_t w = 0; w < block->n_warps; w++)
		header.n_segments += block->warps[w].segments->len;
	g_byte_array_append(bytes, (const guint8 *)&header, sizeof(header));
	for (uint32_t w = 0; w < block->n_warps; w++) {
		TraceWarpEntry warp = {.n_records = block->warps[w].n_records,
				       .n_segments = block->warps[w].segments->len};
		g_byte_array_append(bytes, (const guint8 *)&warp, sizeof(warp));
		entry->n_records += warp.n_records;
	}
	for (uint32_t w = 0; w < block->n_warps; w++) {
		const GArray *segments = block->warps[w].segments;
		g_byte_array_append(bytes, (const guint8 *)segments->data,
				    segments->len * (guint)sizeof(TraceSegmentEntry));
	}
	return bytes;
}

void trace_writer_end_block(TraceWriter *writer, uint64_t block_id)
{
	static const Record exit_record = {.kind = RECORD_EXIT};
	WriterBlock *block = find_block(writer, block_id);
	TraceIndexEntry entry = {.block_id = block_id,
				 .n_warps = block->n_warps,
				 .shared_bytes = block->shared_bytes};
	g_autoptr(GByteArray) directory = NULL;

	for (uint32_t w = 0; w < block->n_warps; w++) {
		if (!block->warps[w].ended)
			trace_writer_append(writer, block_id, w, &exit_record);
		flush_segment(writer, &block->warps[w]);
	}
	directory = directory_bytes(block, &entry);
	entry.directory_offset = writer->offset;
	entry.directory_bytes = directory->len;
	entry.directory_xxh64 = XXH64(directory->data, directory->len, 0);
	writer_put(writer, directory->data, directory->len);
	g_array_append_val(writer->index, entry);
	g_hash_table_remove(writer->blocks, &block_id);
	writer->last_block = NULL;
}

void trace_writer_abandon(TraceWriter *writer)
{
	if (writer)
		writer_free(writer);
}
