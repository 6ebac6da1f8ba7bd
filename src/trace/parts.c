/* SPDX-License-Identifier: MIT */
/*
 * The parts of a trace beside its blocks: layout, then what it names, metadata, data flow, index and references. Nothing is
 * allocated by a number that is not bounded by the file's size.
 */
#include <string.h>
#include <xxhash.h>

#include "base/little.h"
#include "trace/internal.h"

static bool read_metadata(TraceReader *reader, const TraceFooter *footer, GError **error)
{
	const uint8_t *bytes;
	MetadataFacts facts;

	reader->metadata = g_malloc(footer->metadata_bytes + 1);
	bytes = reader_bytes(reader, footer->metadata_offset, footer->metadata_bytes,
			     reader->metadata, error);
	if (!bytes)
		return false;
	memmove(reader->metadata, bytes, footer->metadata_bytes);
	reader->metadata[footer->metadata_bytes] = '\0';
	if (XXH64(reader->metadata, footer->metadata_bytes, 0) != footer->metadata_xxh64)
		return reader_refuse(error, reader->name, footer->metadata_offset,
				     "the metadata's checksum is wrong");
	if (!metadata_check(reader->metadata, footer->metadata_bytes, reader->name,
			    reader->rules.version, &facts, error))
		return false;
	reader->metadata_json = facts.json;
	reader->n_sites = facts.n_sites;
	reader->rules.n_buffers = facts.n_buffers;
	reader->rules.local_buffer = facts.local_buffer;
	reader->rules.buffer_bytes = reader->buffer_bytes = facts.buffer_bytes;
	reader->buffer_before = facts.buffer_before;
	reader->source.kernel.local_buffer = facts.local_buffer;
	reader->source.kernel.global_atomics = facts.global_atomics;
	reader->source.kernel.array_bytes = facts.array_bytes;
	reader->source.kernel.array_buffer = facts.array_buffer;
	reader->source.kernel.registers = facts.registers;
	reader->source.kernel.was_launched = facts.was_launched;
	reader->source.kernel.has_code = facts.has_code;
	reader->source.kernel.launch = facts.launch;
	reader->source.kernel.parameters = facts.parameters;
	reader->parameter_lines = facts.parameter_lines;
	reader->source.kernel.n_constants = facts.n_constants;
	reader->source.kernel.constants = reader->constants = facts.constants;
	return true;
}

static bool read_dataflow(TraceReader *reader, const TraceExtension *extension, GError **error)
{
	g_autofree uint8_t *copy = NULL;
	g_autoptr(GBytes) owned = NULL;
	const uint8_t *bytes;
	const char *problem;
	size_t at;

	if (extension->dataflow_bytes == 0)
		return true;
	copy = g_malloc(extension->dataflow_bytes);
	bytes = reader_bytes(reader, extension->dataflow_offset, extension->dataflow_bytes,
			     copy, error);
	if (!bytes)
		return false;
	memmove(copy, bytes, extension->dataflow_bytes);
	if (XXH64(copy, extension->dataflow_bytes, 0) != extension->dataflow_xxh64)
		return reader_refuse(error, reader->name, extension->dataflow_offset,
				     "the data flow's checksum is wrong");
	owned = g_bytes_new_take(g_steal_pointer(&copy), extension->dataflow_bytes);
	reader->dataflow = dataflow_read(owned, reader->n_sites, &problem, &at);
	if (!reader->dataflow)
		return reader_refuse(error, reader->name, extension->dataflow_offset + at,
				     "data flow: %s", problem);
	return true;
}

/* NULL if the entry can be true. */
static const char *index_problem(const TraceIndexEntry *entry, const TraceIndexEntry *before,
				 uint64_t end_of_blocks)
{
	if (entry->reserved != 0)
		return "its reserved field is not 0";
	if (before && entry->block_id <= before->block_id)
		return "blocks are not in the order of their numbers";
	if (entry->n_warps == 0 || entry->n_warps > TRACE_MAX_WARPS)
		return "the number of warps is not 1 to 64";
	if (entry->shared_bytes > TRACE_MAX_SHARED_BYTES)
		return "more than 1048576 shared bytes";
	if (entry->n_records < entry->n_warps)
		return "fewer records than warps";
	if (entry->directory_bytes < sizeof(TraceDirectoryHeader) ||
	    entry->directory_offset < sizeof(TraceFileHeader) ||
	    entry->directory_offset > end_of_blocks ||
	    entry->directory_bytes > end_of_blocks - entry->directory_offset)
		return "the directory is not between header and metadata";
	return NULL;
}

static bool read_index(TraceReader *reader, const TraceTail *tail, GError **error)
{
	const TraceFooter *footer = &tail->footer;
	uint64_t end_of_blocks = reader->version == 1 ? footer->metadata_offset
						      : tail->extension.dataflow_offset;
	size_t length = footer->n_blocks * sizeof(TraceIndexEntry);
	const uint8_t *bytes;

	reader->entries = g_malloc(length + 1);
	bytes = reader_bytes(reader, footer->index_offset, length, reader->entries, error);
	if (!bytes)
		return false;
	memmove(reader->entries, bytes, length);
	if (XXH64(reader->entries, length, 0) != footer->index_xxh64)
		return reader_refuse(error, reader->name, footer->index_offset,
				     "the index's checksum is wrong");
	for (uint64_t i = 0; i < footer->n_blocks; i++) {
		TraceIndexEntry *entry = &reader->entries[i];
		const char *problem;

		little_fields(entry, TRACE_INDEX_ENTRY_LAYOUT);
		problem = index_problem(entry, i ? entry - 1 : NULL, end_of_blocks);
		if (problem)
			return reader_refuse(error, reader->name,
					     footer->index_offset + i * sizeof(*entry),
					     "block %" G_GUINT64_FORMAT " of the index: %s",
					     entry->block_id, problem);
	}
	reader->end_of_blocks = end_of_blocks;
	reader->n_stored = footer->n_blocks;
	return true;
}

/* What the launch is made of. Without references: of all blocks that are stored. */
static bool read_references(TraceReader *reader, const TraceReferences *at, GError **error)
{
	g_autofree uint8_t *copy = NULL;
	References *references = &reader->references;
	const uint8_t *bytes;
	const char *problem;
	uint64_t byte;

	references->n_blocks = reader->n_stored;
	for (uint64_t i = 0; i < reader->n_stored; i++)
		references->n_records += reader->entries[i].n_records;
	if (reader->version < 3)
		return true;
	references->n_blocks = references->n_records = 0;
	copy = g_malloc(at->bytes + 1);
	bytes = reader_bytes(reader, at->offset, at->bytes, copy, error);
	if (!bytes)
		return false;
	if (XXH64(bytes, at->bytes, 0) != at->xxh64)
		return reader_refuse(error, reader->name, at->offset,
				     "the references' checksum is wrong");
	problem = references_read(references, bytes, at->bytes, reader->entries,
				  reader->n_stored, &byte);
	return !problem || reader_refuse(error, reader->name, at->offset + byte,
					 "references between blocks: %s", problem);
}

bool parts_fit(const TraceTail *tail, uint64_t most, uint64_t *bytes)
{
	*bytes = tail->footer.n_blocks * sizeof(TraceIndexEntry) + tail->references.bytes;
	return *bytes <= most;
}

bool parts_read(TraceReader *reader, GError **error)
{
	TraceTail tail = {0};
	uint64_t bytes;

	if (!layout_read(reader, &tail, error))
		return false;
	if (!parts_fit(&tail, PARTS_MAX_BYTES, &bytes))
		return reader_refuse(
			error, reader->name, tail.footer.index_offset,
			"index and references of %" G_GUINT64_FORMAT
			" bytes; this program of %zu bits reads up to %" G_GUINT64_FORMAT
			", one of 64 bits more",
			bytes, 8 * sizeof(void *), PARTS_MAX_BYTES);
	reader->rules.version = reader->version > 2 ? tail.references.records : reader->version;
	reader->rules.lanes = tail.extension.warp_lanes;
	return read_metadata(reader, &tail.footer, error) &&
	       read_dataflow(reader, &tail.extension, error) &&
	       read_index(reader, &tail, error) &&
	       read_references(reader, &tail.references, error);
}
