/* SPDX-License-Identifier: MIT */
/*
 * Where the parts of a trace file lie: header, footer, and what versions 2 and 3 have in front of the footer. No
 * number of them is believed before it is bounded by the file's size.
 */
#include <string.h>
#include <xxhash.h>

#include "base/little.h"
#include "trace/internal.h"

G_STATIC_ASSERT(sizeof(TraceFileHeader) == 16);
G_STATIC_ASSERT(sizeof(TraceDirectoryHeader) == 8);
G_STATIC_ASSERT(sizeof(TraceWarpEntry) == 16);
G_STATIC_ASSERT(sizeof(TraceSegmentEntry) == 24);
G_STATIC_ASSERT(sizeof(TraceIndexEntry) == 48);
G_STATIC_ASSERT(sizeof(TraceExtension) == 32);
G_STATIC_ASSERT(sizeof(TraceFooter) == 64);
G_STATIC_ASSERT(sizeof(TraceTail) == 128);

static bool check_header(TraceReader *reader, GError **error)
{
	TraceFileHeader header;
	size_t length = MIN(reader->n_bytes, sizeof(header));
	const uint8_t *bytes = reader_bytes(reader, 0, length, &header, error);

	if (!bytes)
		return false;
	memmove(&header, bytes, length);
	little_fields(&header, TRACE_FILE_HEADER_LAYOUT);
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

/* What precedes the footer of versions 2 and 3, still unchecked and as the file has it. Of version 1: zeros and 32. */
static bool read_rest_of_tail(TraceReader *reader, TraceTail *tail, uint64_t *at,
			      GError **error)
{
	const size_t length = trace_tail_bytes(reader->version) - sizeof(TraceFooter);
	uint8_t *into = (uint8_t *)&tail->footer - length;
	const uint8_t *bytes;

	tail->extension = (TraceExtension){.warp_lanes = little_32(32)};
	*at = reader->n_bytes - sizeof(TraceFooter);
	if (reader->version == 1)
		return true;
	if (*at < sizeof(TraceFileHeader) + length)
		return reader_refuse(error, reader->name, *at, "cut off: no room for a footer");
	*at -= length;
	bytes = reader_bytes(reader, *at, length, into, error);
	if (bytes)
		memmove(into, bytes, length);
	return bytes != NULL;
}

/* As the file has it, without its last bytes, the checksum and the magic number. */
static uint64_t tail_hash(const TraceReader *reader, const TraceTail *tail)
{
	const size_t length = trace_tail_bytes(reader->version);
	const uint8_t *from = (const uint8_t *)(tail + 1) - length;

	return XXH64(from,
		     length - sizeof(TraceFooter) + G_STRUCT_OFFSET(TraceFooter, footer_xxh64),
		     0);
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

/* Of version 3: between metadata and index. */
static bool check_references(TraceReader *reader, const TraceTail *tail, uint64_t at,
			     GError **error)
{
	const TraceReferences *references = &tail->references;

	if (references->reserved != 0 || references->records < 1 || references->records > 2)
		return reader_refuse(error, reader->name, at,
				     "records of version %u; 1 and 2 are allowed",
				     references->records);
	if (references->records == 1 &&
	    (tail->extension.dataflow_bytes > 0 || tail->extension.warp_lanes != 32))
		return reader_refuse(error, reader->name, at,
				     "records of version 1 have no data flow and 32 lanes");
	if (references->offset > tail->footer.index_offset ||
	    references->bytes != tail->footer.index_offset - references->offset)
		return reader_refuse(error, reader->name, at,
				     "references of %" G_GUINT64_FORMAT
				     " bytes at byte %" G_GUINT64_FORMAT
				     " do not end at the index",
				     references->bytes, references->offset);
	return true;
}

/* Where the parts lie that all versions have. */
static bool check_parts(TraceReader *reader, const TraceTail *tail, uint64_t at, GError **error)
{
	const TraceFooter *footer = &tail->footer;
	uint64_t end_of_metadata = footer->index_offset;

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
	if (reader->version > 2 && !check_references(reader, tail, at, error))
		return false;
	if (reader->version > 2)
		end_of_metadata = tail->references.offset;
	if (footer->metadata_offset < sizeof(TraceFileHeader) ||
	    footer->metadata_offset > end_of_metadata ||
	    footer->metadata_bytes != end_of_metadata - footer->metadata_offset)
		return reader_refuse(error, reader->name, at,
				     "metadata of %" G_GUINT64_FORMAT
				     " bytes at byte %" G_GUINT64_FORMAT
				     " is not between header and index",
				     footer->metadata_bytes, footer->metadata_offset);
	return reader->version == 1 ||
	       check_extension(reader, &tail->extension, footer, at, error);
}

static bool check_tail(TraceReader *reader, TraceTail *tail, GError **error)
{
	const uint64_t footer_at = reader->n_bytes - sizeof(TraceFooter);
	TraceFooter *footer = &tail->footer;
	const uint8_t *bytes = reader_bytes(reader, footer_at, sizeof *footer, footer, error);
	uint64_t at;

	if (!bytes)
		return false;
	memmove(footer, bytes, sizeof *footer);
	if (memcmp(footer->magic, TRACE_FOOTER_MAGIC, sizeof(footer->magic)) != 0)
		return reader_refuse(
			error, reader->name, footer_at,
			"cut off: no footer at the end; the file has %" G_GUINT64_FORMAT
			" bytes",
			reader->n_bytes);
	if (!read_rest_of_tail(reader, tail, &at, error))
		return false;
	if (tail_hash(reader, tail) != little_64(footer->footer_xxh64))
		return reader_refuse(error, reader->name, at, "the footer's checksum is wrong");
	little_fields(tail, TRACE_TAIL_LAYOUT);
	return check_parts(reader, tail, at, error);
}

bool layout_read(TraceReader *reader, TraceTail *tail, GError **error)
{
	return check_header(reader, error) && check_tail(reader, tail, error);
}
