/* SPDX-License-Identifier: MIT */
/* Opens a trace: its file, then the parts that it has (parts.c). */
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input.h"
#include "base/json.h"
#include "trace/find.h"
#include "trace/internal.h"
#include "trace/sample.h"

#define SMALL_FILE_BYTES (1u << 20)
#define STDIN_NAME	 "standard input"
#define STDIN_MAX_BYTES	 (1u << 30)
#define REFERRED_BYTES	 (1u << 24) /* of segments that are kept of blocks that others refer to */

static void block_info(RecordSource *source, uint64_t block, BlockInfo *info)
{
	const TraceReader *reader = (TraceReader *)source;
	const Place place = references_place(&reader->references, reader->entries, block);
	const TraceIndexEntry *entry = &reader->entries[place.stored];

	info->block_id = place.block_id;
	info->n_warps = entry->n_warps;
	info->shared_bytes = entry->shared_bytes;
}

static TraceReader *reader_new(const char *name)
{
	TraceReader *reader = g_new0(TraceReader, 1);

	reader->name = g_strdup(name);
	reader->fd = -1;
	reader->keep_bytes = REFERRED_BYTES;
	directories_init(reader);
	reader->source.block_info = block_info;
	reader->source.open_warp = reader_open_warp;
	reader->source.same_block = reader_same_block;
	return reader;
}

/* Of all blocks of the launch: those that a sample lacks have as many as those that it has, in the mean. */
static uint64_t launch_records(const TraceReader *reader)
{
	const uint64_t n_records = reader->references.n_records,
		       n_blocks = reader->references.n_blocks;
	const cJSON *sample = cJSON_GetObjectItemCaseSensitive(reader->metadata_json, "sample");
	guint64 blocks;

	if (n_blocks == 0 || !json_whole(cJSON_GetObjectItemCaseSensitive(sample, "blocks"),
					 n_blocks, TRACE_MOST_SAMPLED_BLOCKS, &blocks))
		return n_records;
	/* An index may say more than 2^53, which no trace has. */
	return (uint64_t)MIN((double)n_records / (double)n_blocks * (double)blocks, 0x1p53);
}

static TraceReader *reader_open(TraceReader *opened, GError **error)
{
	g_autoptr(TraceReader) reader = opened;

	if (!parts_read(reader, error))
		return NULL;
	reader->source.n_blocks = reader->references.n_blocks;
	reader->source.kernel = (KernelInfo){
		.warp_lanes = reader->rules.lanes,
		.lock_sections = reader->rules.version > 1,
		.dataflow = reader->dataflow,
		.n_buffers = reader->rules.n_buffers,
		.buffer_bytes = reader->buffer_bytes,
		.buffer_before = reader->buffer_before,
		.local_buffer = reader->source.kernel.local_buffer,
		.registers = reader->source.kernel.registers,
		.was_launched = reader->source.kernel.was_launched,
		.has_code = reader->source.kernel.has_code,
		.launch = reader->source.kernel.launch,
		.parameters = reader->source.kernel.parameters,
		.n_constants = reader->source.kernel.n_constants,
		.constants = reader->source.kernel.constants,
		.global_atomics = reader->source.kernel.global_atomics,
		.n_records = launch_records(reader),
		.array_bytes = reader->source.kernel.array_bytes,
		.array_buffer = reader->source.kernel.array_buffer,
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

/* A pipe has no end to read first: the whole trace, in memory. */
static TraceReader *open_stdin(GError **error)
{
	g_autoptr(GBytes) bytes = NULL;
	char *text = NULL;
	gsize length;

	if (!input_read_open(STDIN_FILENO, STDIN_NAME, STDIN_MAX_BYTES, "a trace", &text,
			     &length, error))
		return NULL;
	bytes = g_bytes_new_take(text, length);
	return trace_open_bytes(STDIN_NAME, bytes, error);
}

TraceReader *trace_open(const char *name, GError **error)
{
	if (strcmp(name, "-") == 0)
		return open_stdin(error);

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
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot open: %s%s%s%s", path,
			     g_strerror(reason), similar ? "; did you mean " : "",
			     similar ? similar : "", similar ? "?" : "");
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: %s; a trace is read from its end",
			     path, S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
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
	streams_clear(reader);
	same_clear(reader);
	directories_clear(reader);
	if (reader->fd >= 0)
		close(reader->fd);
	g_clear_pointer(&reader->bytes, g_bytes_unref);
	g_clear_error(&reader->failure);
	g_free(reader->sha256);
	g_free(reader->entries);
	references_clear(&reader->references);
	g_free(reader->metadata);
	cJSON_Delete(reader->metadata_json);
	g_free(reader->buffer_bytes);
	g_free(reader->buffer_before);
	g_free(reader->parameter_lines);
	g_free(reader->constants);
	dataflow_free(reader->dataflow);
	g_free(reader->name);
	g_free(reader);
}

RecordSource *trace_source(TraceReader *reader)
{
	return &reader->source;
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
	return reader->references.n_records;
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

uint32_t trace_records_version(const TraceReader *reader)
{
	return reader->rules.version;
}

uint32_t trace_n_sites(const TraceReader *reader)
{
	return reader->n_sites;
}
