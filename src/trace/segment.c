/* SPDX-License-Identifier: MIT */
/* Segments: from file offsets to checked, decompressed bytes. */
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"
#include "trace/codec.h"
#include "trace/internal.h"

/* What it takes to decompress. A zstd context is large and slow to make, so each thread keeps one,
   for all traces that it reads. */
typedef struct {
	ZSTD_DCtx *context;
	uint8_t stored[TRACE_MAX_STORED_BYTES];
} Decoder;

static void decoder_free(void *data)
{
	Decoder *decoder = data;

	ZSTD_freeDCtx(decoder->context);
	g_free(decoder);
}

static Decoder *decoder_of_thread(void)
{
	static GPrivate own = G_PRIVATE_INIT(decoder_free);
	Decoder *decoder = g_private_get(&own);

	if (decoder)
		return decoder;
	decoder = g_new(Decoder, 1);
	decoder->context = ZSTD_createDCtx();
	if (!decoder->context)
		g_error("no memory to decompress segments");
	g_private_set(&own, decoder);
	return decoder;
}

static bool segment_refuse(const Directory *directory, uint32_t segment, GError **error,
			   const char *problem)
{
	const TraceReader *reader = directory->reader;

	return atomsim_fail(error, ATOMSIM_ERROR_TRACE,
			    "%s: byte %" G_GUINT64_FORMAT
			    ": segment of block %" G_GUINT64_FORMAT ": %s",
			    reader->name, directory->segments[segment].offset,
			    reader->entries[directory->stored].block_id, problem);
}

const uint8_t *segment_stored(const Directory *directory, uint32_t segment, uint8_t *buffer,
			      GError **error)
{
	const TraceSegmentEntry *entry = &directory->segments[segment];
	const uint8_t *stored =
		window_bytes(directory->window, entry->offset, entry->stored_bytes);

	return stored ? stored
		      : reader_bytes(directory->reader, entry->offset, entry->stored_bytes,
				     buffer, error);
}

/* Of a frame that is one block which is not compressed (RFC 8878, 3.1.1), as those of short segments are: magic number,
   descriptor "single segment, content size in one byte" or two, that size, block header "last, raw". What the block holds;
   NULL: zstd is to read the frame. */
static const uint8_t *raw_block(const uint8_t *stored, const TraceSegmentEntry *entry)
{
	const uint32_t raw_bytes = entry->raw_bytes, header = raw_bytes < 256 ? 6 : 7;
	const uint8_t start[] = {0x28, 0xb5, 0x2f, 0xfd, raw_bytes < 256 ? 0x20 : 0x60};
	const uint8_t *block = stored + header;
	uint32_t content;

	if (entry->stored_bytes != header + 3 + raw_bytes ||
	    memcmp(stored, start, sizeof start) != 0)
		return NULL;
	content = raw_bytes < 256 ? stored[5] : 256u + stored[5] + 256u * stored[6];
	if (content != raw_bytes || (block[0] | (uint32_t)block[1] << 8 |
				     (uint32_t)block[2] << 16) != (1 | raw_bytes << 3))
		return NULL;
	return block + 3;
}

static bool decompress(Directory *directory, uint32_t segment, const uint8_t *stored,
		       uint8_t *buffer, GError **error)
{
	const TraceSegmentEntry *entry = &directory->segments[segment];

	if (ZSTD_findFrameCompressedSize(stored, entry->stored_bytes) != entry->stored_bytes)
		return segment_refuse(directory, segment, error, "it is not one zstd frame");
	if (ZSTD_decompressDCtx(decoder_of_thread()->context, buffer, entry->raw_bytes, stored,
				entry->stored_bytes) != entry->raw_bytes)
		return segment_refuse(
			directory, segment, error,
			"it does not decompress to the bytes that the directory says");
	return true;
}

static bool is_sound(const Directory *directory, uint32_t segment, const uint8_t *stored,
		     GError **error)
{
	const TraceSegmentEntry *entry = &directory->segments[segment];

	return XXH64(stored, entry->stored_bytes, 0) == entry->xxh64 ||
	       segment_refuse(directory, segment, error, "the checksum is wrong");
}

const uint8_t *segment_in_place(const Directory *directory, uint32_t segment, GError **error)
{
	const TraceSegmentEntry *entry = &directory->segments[segment];
	const TraceReader *reader = directory->reader;
	const uint64_t readable = entry->offset + entry->stored_bytes + TRACE_MAX_RECORD_BYTES;
	const uint8_t *stored, *raw;

	stored = window_bytes(directory->window, entry->offset, entry->stored_bytes);
	if (reader->memory && readable <= reader->n_bytes)
		stored = reader->memory + entry->offset;
	if (!stored)
		return NULL;
	raw = raw_block(stored, entry);
	return raw && is_sound(directory, segment, stored, error) ? raw : NULL;
}

bool segment_read(Directory *directory, uint32_t segment, uint8_t *buffer, bool pad,
		  GError **error)
{
	Decoder *decoder = decoder_of_thread();
	const TraceSegmentEntry *entry = &directory->segments[segment];
	const uint8_t *stored = segment_stored(directory, segment, decoder->stored, error);
	const uint8_t *raw;

	if (!stored || !is_sound(directory, segment, stored, error))
		return false;
	raw = raw_block(stored, entry);
	if (raw)
		memcpy(buffer, raw, entry->raw_bytes);
	else if (!decompress(directory, segment, stored, buffer, error))
		return false;
	if (pad)
		memset(buffer + entry->raw_bytes, 0, TRACE_MAX_RECORD_BYTES);
	return true;
}
