/* SPDX-License-Identifier: MIT */
/*
 * Where the parts of a trace file lie: header, footer, and what version 2 has in front of the footer. No
 * number of them is believed before it is bounded by the file's size.
 */
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "trace/internal.h"

G_STATIC_ASSERT(sizeof(TraceFileHeader) == 16);
G_STATIC_ASSERT(sizeof(TraceDirectoryHeader) == 8);
G_STATIC_ASSERT(sizeof(TraceWarpEntry) == 16);
G_STATIC_ASSERT(sizeof(TraceSegmentEntry) == 24);
G_STATIC_ASSERT(sizeof(TraceIndexEntry) == 48);
G_STATIC_ASSERT(sizeof(TraceExtension) == 32);
G_STATIC_ASSERT(sizeof(TraceFooter) == 64);

static bool check_header(TraceReader *reader, GError **error)
{
	TraceFileHeader header;
	size_t length = MIN(reader->n_bytes, sizeof(header));
	const uint8_t *bytes = reader_bytes(reader, 0, length, &header, error);

	if (!bytes)
		return false;
	memmove(&header, bytes, length);
	if (length == 0)
		return reader_refuse(error, reader->name, 0,
				     "the file is empty; a trace is expected");
	if (memcmp(header.magic, TRACE_MAGIC, MIN(length, sizeof(header.magic))) != 0)
		return reader_refuse(error, reader->name, 0,
				     "not a trace: it does not begin with \"ATOMSIM\"");
	if (reader->n_bytes < sizeof(TraceFileHeader) + sizeof(TraceFooter))
		return reader_refuse(error, reader->name, reader->n_bytes,
				     "cut off: the file has %" G_GUINT64_FORMAT
				     " bytes; the smallest trace has more than %zu",
				     reader->n_bytes,
				     sizeof(TraceFileHeader) + sizeof(TraceFooter));
	if (header.version > TRACE_NEWEST_VERSION)
		return reader_refuse(
			error, reader->name, G_STRUCT_OFFSET(TraceFileHeader, version),
			"format version %u is newer than this program, which reads up to %d",
			header.version, TRACE_NEWEST_VERSION);
	if (header.version == 0)
		return reader_refuse(
			error, reader->name, G_STRUCT_OFFSET(TraceFileHeader, version),
			"format version 0; 1 to %d are allowed", TRACE_NEWEST_VERSION);
	if (header.reserved != 0)
		return reader_refuse(error, reader->name,
				     G_STRUCT_OFFSET(TraceFileHeader, reserved),
				     "reserved field is 0x%x; 0 is allowed", header.reserved);
	reader->version = header.version;
	return true;
}

/* What precedes the footer of version 2, still unchecked. Of version 1: zeros and 32. */
static bool read_extension(TraceReader *reader, TraceExtension *extension, uint64_t *at,
			   GError **error)
{
	const uint8_t *bytes;

	*extension = (TraceExtension){.warp_lanes = 32};
	*at = reader->n_bytes - sizeof(TraceFooter);
	if (reader->version == 1)
		return true;
	if (*at < sizeof(TraceFileHeader) + sizeof(*extension))
		return reader_refuse(error, reader->name, *at, "cut off: no room for a footer");
	*at -= sizeof(*extension);
	bytes = reader_bytes(reader, *at, sizeof(*extension), extension, error);
	if (bytes)
		memmove(extension, bytes, sizeof(*extension));
	return bytes != NULL;
}

static uint64_t footer_hash(const TraceReader *reader, const TraceExtension *extension,
			    const TraceFooter *footer)
{
	uint8_t bytes[sizeof(*extension) + sizeof(*footer)];
	size_t length = G_STRUCT_OFFSET(TraceFooter, footer_xxh64);

	if (reader->version == 1)
		return XXH64(footer, length, 0);
	memcpy(bytes, extension, sizeof(*extension));
	memcpy(bytes + sizeof(*extension), footer, length);
	return XXH64(bytes, sizeof(*extension) + length, 0);
}

static bool check_extension(TraceReader *reader, const TraceExtension *extension,
			    const TraceFooter *footer, uint64_t at, GError **error)
{
	if (extension->reserved != 0 ||
	    (extension->warp_lanes != 32 && extension->warp_lanes != 64))
		return reader_refuse(error, reader->name, at,
				     "warps of %u lanes; 32 or 64 are allowed",
				     extension->warp_lanes);
	if (extension->dataflow_bytes > TRACE_MAX_DATAFLOW_BYTES)
		return reader_refuse(error, reader->name, at,
				     "%" G_GUINT64_FORMAT
				     " bytes of data flow; up to %u are allowed",
				     extension->dataflow_bytes, TRACE_MAX_DATAFLOW_BYTES);
	if (extension->dataflow_offset < sizeof(TraceFileHeader) ||
	    extension->dataflow_offset > footer->metadata_offset ||
	    extension->dataflow_bytes != footer->metadata_offset - extension->dataflow_offset)
		return reader_refuse(error, reader->name, at,
				     "data flow of %" G_GUINT64_FORMAT
				     " bytes at byte %" G_GUINT64_FORMAT
				     " does not end at the metadata",
				     extension->dataflow_bytes, extension->dataflow_offset);
	return true;
}

static bool check_footer(TraceReader *reader, TraceFooter *footer, TraceExtension *extension,
			 GError **error)
{
	uint64_t footer_at = reader->n_bytes - sizeof(*footer), at;
	const uint8_t *bytes = reader_bytes(reader, footer_at, sizeof(*footer), footer, error);

	if (!bytes)
		return false;
	memmove(footer, bytes, sizeof(*footer));
	if (memcmp(footer->magic, TRACE_FOOTER_MAGIC, sizeof(footer->magic)) != 0)
		return reader_refuse(
			error, reader->name, footer_at,
			"cut off: no footer at the end; the file has %" G_GUINT64_FORMAT
			" bytes",
			reader->n_bytes);
	if (!read_extension(reader, extension, &at, error))
		return false;
	if (footer_hash(reader, extension, footer) != footer->footer_xxh64)
		return reader_refuse(error, reader->name, at, "the footer's checksum is wrong");
	if (footer->metadata_bytes > TRACE_MAX_METADATA_BYTES)
		return reader_refuse(error, reader->name, at,
				     "%" G_GUINT64_FORMAT
				     " bytes of metadata; up to %u are allowed",
				     footer->metadata_bytes, TRACE_MAX_METADATA_BYTES);
	if (footer->n_blocks > at / sizeof(TraceIndexEntry) ||
	    footer->index_offset != at - footer->n_blocks * sizeof(TraceIndexEntry))
		return reader_refuse(error, reader->name, at,
				     "an index of %" G_GUINT64_FORMAT
				     " blocks at byte %" G_GUINT64_FORMAT
				     " does not end at the footer",
				     footer->n_blocks, footer->index_offset);
	if (footer->metadata_offset < sizeof(TraceFileHeader) ||
	    footer->metadata_offset > footer->index_offset ||
	    footer->metadata_bytes != footer->index_offset - footer->metadata_offset)
		return reader_refuse(error, reader->name, at,
				     "metadata of %" G_GUINT64_FORMAT
				     " bytes at byte %" G_GUINT64_FORMAT
				     " does not lie between header and index",
				     footer->metadata_bytes, footer->metadata_offset);
	return reader->version == 1 || check_extension(reader, extension, footer, at, error);
}

bool layout_read(TraceReader *reader, TraceFooter *footer, TraceExtension *extension,
		 GError **error)
{
	return check_header(reader, error) && check_footer(reader, footer, extension, error);
}
