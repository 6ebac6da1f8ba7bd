/* SPDX-License-Identifier: MIT */
/* Blocks as the file has them: segments, directories and entries of the index, and the header before all of them. */
#include <string.h>
#include <xxhash.h>

#include "base/little.h"
#include "trace/writer-internal.h"

void writer_put(TraceWriter *writer, const void *bytes, size_t length)
{
	writer->offset += length;
	if (writer->memory)
		g_byte_array_append(writer->memory, bytes, (guint)length);
	else
		output_write(writer->output, bytes, length);
}

void writer_set_file_version(TraceWriter *writer, uint32_t version)
{
	const size_t at = G_STRUCT_OFFSET(TraceFileHeader, version);

	version = little_32(version);
	if (writer->memory)
		memcpy(writer->memory->data + at, &version, sizeof version);
	else
		output_write_at(writer->output, at, &version, sizeof version);
}

/* The header waits for the first block, because the version is set before. */
void writer_put_header(TraceWriter *writer)
{
	TraceFileHeader header = {.version = writer->rules.version};

	if (writer->begun)
		return;
	writer->begun = true;
	memcpy(header.magic, TRACE_MAGIC, sizeof(header.magic));
	little_fields(&header, TRACE_FILE_HEADER_LAYOUT);
	writer_put(writer, &header, sizeof(header));
}

/* Makes a segment of bytes of a warp. */
static void put_segment(TraceWriter *writer, WarpBuffer *warp, uint32_t from, uint32_t to)
{
	uint8_t stored[TRACE_MAX_STORED_BYTES];
	TraceSegmentEntry entry = {.offset = writer->offset, .raw_bytes = to - from};
	size_t n = frame_compress(writer->context, warp->bytes->data + from, to - from, stored);

	entry.stored_bytes = (uint32_t)n;
	entry.xxh64 = XXH64(stored, n, 0);
	writer_put(writer, stored, n);
	g_array_append_val(warp->segments, entry);
}

void writer_end_segment(TraceWriter *writer, WriterBlock *block, uint32_t w)
{
	WarpBuffer *warp = &block->warps[w];
	const HeldSegment held = {w, warp->begin, warp->bytes->len};

	if (block->held) {
		g_array_append_val(block->segments, held);
		warp->begin = warp->bytes->len;
	} else {
		put_segment(writer, warp, 0, warp->bytes->len);
		g_byte_array_set_size(warp->bytes, 0);
	}
}

/* Stores what is full of a block that was held. */
static void put_held(TraceWriter *writer, WriterBlock *block)
{
	for (guint s = 0; s < block->segments->len; s++) {
		const HeldSegment *held = &g_array_index(block->segments, HeldSegment, s);

		put_segment(writer, &block->warps[held->warp], held->from, held->to);
	}
}

void writer_hold_no_more(TraceWriter *writer, WriterBlock *block)
{
	put_held(writer, block);
	for (uint32_t w = 0; w < block->n_warps; w++) {
		WarpBuffer *warp = &block->warps[w];

		g_byte_array_remove_range(warp->bytes, 0, warp->begin);
		warp->begin = 0;
		g_array_set_size(warp->bases, 0);
	}
	writer->held_bytes -= block->n_bytes;
	block->held = false;
}

/* The directory's bytes, and what the index says of them. */
static GByteArray *directory_bytes(const WriterBlock *block, TraceIndexEntry *entry)
{
	GByteArray *bytes = g_byte_array_new();
	TraceDirectoryHeader header = {.n_warps = block->n_warps};

	for (uint32_t w = 0; w < block->n_warps; w++)
		header.n_segments += block->warps[w].segments->len;
	little_fields(&header, TRACE_DIRECTORY_HEADER_LAYOUT);
	g_byte_array_append(bytes, (const guint8 *)&header, sizeof(header));
	for (uint32_t w = 0; w < block->n_warps; w++) {
		TraceWarpEntry warp = {.n_records = block->warps[w].n_records,
				       .n_segments = block->warps[w].segments->len};

		entry->n_records += warp.n_records;
		little_fields(&warp, TRACE_WARP_ENTRY_LAYOUT);
		g_byte_array_append(bytes, (const guint8 *)&warp, sizeof(warp));
	}
	for (uint32_t w = 0; w < block->n_warps; w++) {
		const GArray *segments = block->warps[w].segments;

		for (guint s = 0; s < segments->len; s++) {
			TraceSegmentEntry segment =
				g_array_index(segments, TraceSegmentEntry, s);

			little_fields(&segment, TRACE_SEGMENT_ENTRY_LAYOUT);
			g_byte_array_append(bytes, (const guint8 *)&segment, sizeof(segment));
		}
	}
	return bytes;
}

void writer_store_block(TraceWriter *writer, WriterBlock *block)
{
	TraceIndexEntry entry = {.block_id = block->block_id,
				 .n_warps = block->n_warps,
				 .shared_bytes = block->shared_bytes};
	g_autoptr(GByteArray) directory = NULL;

	if (block->held)
		put_held(writer, block);
	for (uint32_t w = 0; w < block->n_warps; w++)
		put_segment(writer, &block->warps[w], block->warps[w].begin,
			    block->warps[w].bytes->len);
	directory = directory_bytes(block, &entry);
	entry.directory_offset = writer->offset;
	entry.directory_bytes = directory->len;
	entry.directory_xxh64 = XXH64(directory->data, directory->len, 0);
	writer_put(writer, directory->data, directory->len);
	g_array_append_val(writer->index, entry);
}
