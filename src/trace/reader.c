/* SPDX-License-Identifier: MIT */
/*
 * Opens a trace: its layout, then the parts that it names, metadata, data flow and index. Nothing is
 * allocated by a number that is not bounded by the file's size.
 */
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/input.h"
#include "trace/find.h"
#include "trace/internal.h"

#define SMALL_FILE_BYTES (1u << 20)

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
			    reader->version, &facts, error))
		return false;
	reader->metadata_json = facts.json;
	reader->n_sites = facts.n_sites;
	reader->rules.n_buffers = facts.n_buffers;
	reader->rules.buffer_bytes = reader->buffer_bytes = facts.buffer_bytes;
	reader->source.kernel.global_atomics = facts.global_atomics;
	return true;
}

static bool read_dataflow(TraceReader *reader, const TraceExtension *extension, GError **error)
{
	g_autofree uint8_t *copy = NULL;
	g_autoptr(GBytes) owned = NULL;
	const uint8_t *bytes;
	const char *problem;
	size_t at;

	reader->rules.version = reader->version;
	reader->rules.lanes = extension->warp_lanes;
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
		return "the directory does not lie between header and metadata";
	return NULL;
}

static bool read_index(TraceReader *reader, const TraceFooter *footer,
		       const TraceExtension *extension, GError **error)
{
	uint64_t end_of_blocks =
		reader->version == 1 ? footer->metadata_offset : extension->dataflow_offset;
	size_t length = footer->n_blocks * sizeof(TraceIndexEntry);
	const uint8_t *bytes;

	reader->index = g_malloc(length + 1);
	bytes = reader_bytes(reader, footer->index_offset, length, reader->index, error);
	if (!bytes)
		return false;
	memmove(reader->index, bytes, length);
	if (XXH64(reader->index, length, 0) != footer->index_xxh64)
		return reader_refuse(error, reader->name, footer->index_offset,
				     "the index's checksum is wrong");
	for (uint64_t i = 0; i < footer->n_blocks; i++) {
		const TraceIndexEntry *entry = &reader->index[i];
		const char *problem = index_problem(entry, i ? entry - 1 : NULL, end_of_blocks);
		if (problem)
			return reader_refuse(error, reader->name,
					     footer->index_offset + i * sizeof(*entry),
					     "block %" G_GUINT64_FORMAT " of the index: %s",
					     entry->block_id, problem);
	}
	reader->end_of_blocks = end_of_blocks;
	reader->source.n_blocks = footer->n_blocks;
	return true;
}

static TraceReader *reader_new(const char *name)
{
	TraceReader *reader = g_new0(TraceReader, 1);

	reader->name = g_strdup(name);
	reader->fd = -1;
	directories_init(reader);
	source_init(reader);
	reader->source.same_block = reader_same_block;
	return reader;
}

static TraceReader *reader_open(TraceReader *opened, GError **error)
{
	g_autoptr(TraceReader) reader = opened;
	TraceExtension extension;
	TraceFooter footer;

	if (!layout_read(reader, &footer, &extension, error) ||
	    !read_metadata(reader, &footer, error) ||
	    !read_dataflow(reader, &extension, error) ||
	    !read_index(reader, &footer, &extension, error))
		return NULL;
	reader->source.kernel = (KernelInfo){
		.warp_lanes = reader->rules.lanes,
		.lock_sections = reader->version > 1,
		.dataflow = reader->dataflow,
		.n_buffers = reader->rules.n_buffers,
		.buffer_bytes = reader->buffer_bytes,
		.global_atomics = reader->source.kernel.global_atomics,
	};
	return g_steal_pointer(&reader);
}

/* Small files are read at once, not in a call for each segment. Nothing to free on failure. */
static bool read_whole(TraceReader *reader, GError **error)
{
	g_autofree uint8_t *bytes = NULL;

	if (reader->n_bytes == 0 || reader->n_bytes > SMALL_FILE_BYTES)
		return true;
	bytes = g_malloc(reader->n_bytes);
	if (!reader_bytes(reader, 0, reader->n_bytes, bytes, error))
		return false;
	close(reader->fd);
	reader->fd = -1;
	reader->memory = bytes;
	reader->bytes = g_bytes_new_take(g_steal_pointer(&bytes), reader->n_bytes);
	return true;
}

TraceReader *trace_open(const char *name, GError **error)
{
	g_autofree char *found = trace_find(name);
	const char *path = found ? found : name;
	g_autoptr(TraceReader) reader = reader_new(path);
	g_autofree char *similar = NULL;
	struct stat status;

	/* Not to hang on a pipe that nobody writes to. */
	reader->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (reader->fd < 0 || fstat(reader->fd, &status) < 0) {
		int reason = errno;

		similar = found ? NULL : trace_similar(name);
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO, "%s: cannot open: %s%s%s%s",
			    path, g_strerror(reason), similar ? "; did you mean " : "",
			    similar ? similar : "", similar ? "?" : "");
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO,
			    "%s: %s; a trace is read from its end", path,
			    S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
		return NULL;
	}
	input_remember(reader->fd, path);
	reader->n_bytes = (uint64_t)status.st_size;
	if (!read_whole(reader, error))
		return NULL;
	return reader_open(g_steal_pointer(&reader), error);
}

TraceReader *trace_open_bytes(const char *name, GBytes *bytes, GError **error)
{
	TraceReader *reader = reader_new(name);
	gsize length;

	reader->bytes = g_bytes_ref(bytes);
	reader->memory = g_bytes_get_data(bytes, &length);
	reader->n_bytes = length;
	return reader_open(reader, error);
}

void trace_close(TraceReader *reader)
{
	if (!reader)
		return;
	source_clear(reader);
	same_clear(reader);
	directories_clear(reader);
	if (reader->fd >= 0)
		close(reader->fd);
	g_clear_pointer(&reader->bytes, g_bytes_unref);
	g_clear_error(&reader->failure);
	g_free(reader->sha256);
	g_free(reader->index);
	g_free(reader->metadata);
	cJSON_Delete(reader->metadata_json);
	g_free(reader->buffer_bytes);
	dataflow_free(reader->dataflow);
	g_free(reader->name);
	g_free(reader);
}

const char *trace_path(const TraceReader *reader)
{
	return reader->name;
}

uint64_t trace_file_bytes(const TraceReader *reader)
{
	return reader->n_bytes;
}

uint64_t trace_n_records(const TraceReader *reader)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < reader->source.n_blocks; i++)
		n += reader->index[i].n_records;
	return n;
}

const char *trace_metadata(const TraceReader *reader)
{
	return reader->metadata;
}

const cJSON *trace_metadata_json(const TraceReader *reader)
{
	return reader->metadata_json;
}

uint32_t trace_version(const TraceReader *reader)
{
	return reader->version;
}

uint32_t trace_n_sites(const TraceReader *reader)
{
	return reader->n_sites;
}
