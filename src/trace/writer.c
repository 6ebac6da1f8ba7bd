/* SPDX-License-Identifier: MIT */
/*
 * Writes traces. Records collect in one buffer a warp; what is full becomes a segment of the file and a block that ends its
 * directory, unless it equals one that is stored: writer-same.c. What follows the blocks: writer-end.c.
 */
#include "trace/writer-internal.h"

#include "trace/codec.h"
#include "trace/format.h"

/* A block that takes more while it is open is stored as it comes, and so is the one that grows when all that are open take more. */
#define HELD_BLOCK_BYTES ((size_t)1 << 20)
#define HELD_BYTES	 ((size_t)64 << 20)

void writer_free(TraceWriter *writer)
{
	output_abandon(writer->output);
	if (writer->memory)
		g_byte_array_unref(writer->memory);
	ZSTD_freeCCtx(writer->context);
	g_hash_table_unref(writer->blocks);
	if (writer->same)
		writer_same_free(writer->same);
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
	writer->blocks =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, writer_block_free);
	writer->index = g_array_new(FALSE, FALSE, sizeof(TraceIndexEntry));
	writer->buffer_bytes = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	writer->dataflow = dataflow_builder_new();
	writer->rules = (TraceRules){
		.version = TRACE_VERSION, .lanes = 32, .n_buffers = TRACE_MAX_BUFFERS};
	return writer;
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
	/* Which version it is must be said at its begin when its end is known. */
	if (output_can_write_at(output))
		writer->same = writer_same_new();
	return writer;
}

TraceWriter *trace_writer_new_memory(void)
{
	TraceWriter *writer = writer_new();

	writer->memory = g_byte_array_new();
	writer->same = writer_same_new();
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
	block = writer_block_new(block_id, n_warps, shared_bytes, writer->same != NULL);
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
	EncodedBase base;
	Record decoded;
	size_t n;

	g_assert(warp_number < block->n_warps && !warp->ended);
	writer->rules.shared_bytes = block->shared_bytes;
	n = trace_encode_based(&writer->rules, record, bytes, &base);
	/* The decoder alone knows what a valid record is. */
	if (trace_decode_padded(&writer->rules, bytes, &decoded, &problem) != n)
		g_error("trace_writer_append: invalid record (kind %u, block %" G_GUINT64_FORMAT
			" of %u shared bytes, warp %u): %s",
			record->kind, block_id, block->shared_bytes, warp_number, problem);
	if (warp->bytes->len - warp->begin + n > WRITER_SEGMENT_BYTES)
		writer_end_segment(writer, block, warp_number);
	writer->held_bytes +=
		writer_block_append(block, warp_number, bytes, (uint32_t)n, &base);
	if (block->held &&
	    (block->n_bytes > HELD_BLOCK_BYTES || writer->held_bytes > HELD_BYTES))
		writer_hold_no_more(writer, block);
	warp->n_records++;
	warp->ended = record->kind == RECORD_EXIT;
	note_needs(writer, &decoded);
}

void trace_writer_end_block(TraceWriter *writer, uint64_t block_id)
{
	static const Record exit_record = {.kind = RECORD_EXIT};
	WriterBlock *block = find_block(writer, block_id);

	for (uint32_t w = 0; w < block->n_warps; w++)
		if (!block->warps[w].ended)
			trace_writer_append(writer, block_id, w, &exit_record);
	g_hash_table_steal(writer->blocks, &block_id);
	writer->last_block = NULL;
	if (block->held)
		writer->held_bytes -= block->n_bytes;
	if (block->held && writer_same_refer(writer->same, block)) {
		writer_block_free(block);
		return;
	}
	writer_store_block(writer, block);
	if (block->held)
		writer_same_take(writer->same, block);
	else
		writer_block_free(block);
}

void trace_writer_abandon(TraceWriter *writer)
{
	if (writer)
		writer_free(writer);
}
