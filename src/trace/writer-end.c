/* SPDX-License-Identifier: MIT */
/* The end of a trace file: data flow, metadata, references, index and footer. */
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/little.h"
#include "trace/internal.h"
#include "trace/writer-internal.h"

static int by_block_id(const void *a, const void *b)
{
	uint64_t x = ((const TraceIndexEntry *)a)->block_id;
	uint64_t y = ((const TraceIndexEntry *)b)->block_id;

	return (x > y) - (x < y);
}

/* Whether the metadata has all sites and buffers that records name. */
static bool check_metadata(const TraceWriter *writer, const char *metadata, GError **error)
{
	const char *name = writer->path ? writer->path : "trace in memory";
	uint32_t last_site = MAX(writer->last_site, dataflow_builder_n_sites(writer->dataflow));
	size_t length = strlen(metadata);
	g_auto(MetadataFacts) facts = {0};

	if (!metadata_check(metadata, length, name, writer->rules.version, &facts, error))
		return false;
	if (length > TRACE_MAX_METADATA_BYTES || last_site > facts.n_sites)
		return atomsim_fail(
			error, ATOMSIM_ERROR_TRACE,
			"%s: metadata of %zu bytes with %u sites; up to %u bytes and site %u "
			"are needed",
			name, length, facts.n_sites, TRACE_MAX_METADATA_BYTES, last_site);
	for (guint i = 0; i < writer->buffer_bytes->len; i++) {
		uint64_t needed = g_array_index(writer->buffer_bytes, uint64_t, i);

		if (needed == 0 || (i < facts.n_buffers && facts.buffer_bytes[i] >= needed))
			continue;
		return atomsim_fail(error, ATOMSIM_ERROR_TRACE,
				    "%s: the metadata has no buffer %u of %" G_GUINT64_FORMAT
				    " bytes or more, which records reach into",
				    name, i + 1, needed);
	}
	return true;
}

/* The data flow and what says it. */
static bool put_dataflow(TraceWriter *writer, TraceExtension *extension, GError **error)
{
	g_autoptr(GByteArray) bytes = dataflow_builder_bytes(writer->dataflow);

	*extension = (TraceExtension){.dataflow_offset = writer->offset,
				      .dataflow_bytes = bytes->len,
				      .warp_lanes = writer->rules.lanes};
	if (bytes->len > TRACE_MAX_DATAFLOW_BYTES)
		return atomsim_fail(error, ATOMSIM_ERROR_TRACE,
				    "%s: %u bytes of data flow; up to %u are allowed",
				    writer->path ? writer->path : "trace in memory", bytes->len,
				    TRACE_MAX_DATAFLOW_BYTES);
	extension->dataflow_xxh64 = XXH64(bytes->data, bytes->len, 0);
	if (bytes->len > 0)
		writer_put(writer, bytes->data, bytes->len);
	return true;
}

/* Blocks that are not stored, which make the file one of version 3. */
static void put_references(TraceWriter *writer, TraceReferences *references)
{
	g_autoptr(GByteArray) bytes = writer_same_bytes(writer->same, writer->index);

	*references = (TraceReferences){.offset = writer->offset,
					.bytes = bytes->len,
					.xxh64 = XXH64(bytes->data, bytes->len, 0),
					.records = writer->rules.version};
	writer_put(writer, bytes->data, bytes->len);
	writer_set_file_version(writer, 3);
}

static void put_tail(TraceWriter *writer, uint32_t version, TraceTail *tail)
{
	const size_t length = trace_tail_bytes(version);
	const uint8_t *from = (const uint8_t *)(tail + 1) - length;

	little_fields(tail, TRACE_TAIL_LAYOUT);
	tail->footer.footer_xxh64 = little_64(XXH64(
		from, length - sizeof(TraceFooter) + G_STRUCT_OFFSET(TraceFooter, footer_xxh64),
		0));
	memcpy(tail->footer.magic, TRACE_FOOTER_MAGIC, sizeof(tail->footer.magic));
	writer_put(writer, from, length);
}

static bool put_end(TraceWriter *writer, const char *metadata, GError **error)
{
	TraceTail tail = {
		.footer = {.metadata_bytes = strlen(metadata), .n_blocks = writer->index->len}};
	TraceFooter *footer = &tail.footer;
	size_t index_bytes = writer->index->len * sizeof(TraceIndexEntry);
	uint32_t version = writer->rules.version;

	g_assert(g_hash_table_size(writer->blocks) == 0);
	writer_put_header(writer);
	tail.extension.dataflow_offset = writer->offset;
	tail.extension.warp_lanes = writer->rules.lanes;
	if (!check_metadata(writer, metadata, error) ||
	    (version > 1 && !put_dataflow(writer, &tail.extension, error)))
		return false;
	g_array_sort(writer->index, by_block_id);
	for (guint i = 1; i < writer->index->len; i++) /* each block once */
		g_assert(by_block_id(&g_array_index(writer->index, TraceIndexEntry, i - 1),
				     &g_array_index(writer->index, TraceIndexEntry, i)) < 0);
	footer->metadata_offset = writer->offset;
	footer->metadata_xxh64 = XXH64(metadata, footer->metadata_bytes, 0);
	writer_put(writer, metadata, footer->metadata_bytes);
	if (writer->same && writer_same_n(writer->same) > 0) {
		version = 3;
		put_references(writer, &tail.references);
	}
	footer->index_offset = writer->offset;
	for (guint i = 0; i < writer->index->len; i++)
		little_fields(&g_array_index(writer->index, TraceIndexEntry, i),
			      TRACE_INDEX_ENTRY_LAYOUT);
	footer->index_xxh64 = XXH64(writer->index->data, index_bytes, 0);
	writer_put(writer, writer->index->data, index_bytes);
	put_tail(writer, version, &tail);
	return true;
}

gboolean trace_writer_finish(TraceWriter *writer, const char *metadata, GError **error)
{
	gboolean good = put_end(writer, metadata, error) &&
			output_commit(g_steal_pointer(&writer->output), error);

	writer_free(writer);
	return good;
}

GBytes *trace_writer_finish_bytes(TraceWriter *writer, const char *metadata)
{
	GError *error = NULL;
	GBytes *bytes;

	g_assert(writer->memory);
	if (!put_end(writer, metadata, &error))
		g_error("trace_writer_finish_bytes: %s", error->message);
	bytes = g_byte_array_free_to_bytes(g_steal_pointer(&writer->memory));
	writer_free(writer);
	return bytes;
}
