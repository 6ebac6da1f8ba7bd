/* SPDX-License-Identifier: MIT */
/*
 * Opens a trace: header, footer, index and metadata. No number of a file is believed before it is
 * bounded by the file's size, and nothing is allocated by one that is not.
 */
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/input.h"
#include "base/installed.h"
#include "trace/internal.h"

#define SMALL_FILE_BYTES (1u << 20)

G_STATIC_ASSERT(sizeof(TraceFileHeader) == 16);
G_STATIC_ASSERT(sizeof(TraceDirectoryHeader) == 8);
G_STATIC_ASSERT(sizeof(TraceWarpEntry) == 16);
G_STATIC_ASSERT(sizeof(TraceSegmentEntry) == 24);
G_STATIC_ASSERT(sizeof(TraceIndexEntry) == 48);
G_STATIC_ASSERT(sizeof(TraceExtension) == 32);
G_STATIC_ASSERT(sizeof(TraceFooter) == 64);

const uint8_t *reader_bytes(TraceReader *reader, uint64_t offset, size_t length, void *buffer,
			    GError **error)
{
	size_t done = 0;

	if (reader->memory)
		return reader->memory + offset;
	while (done < length) {
		ssize_t n = pread(reader->fd, (uint8_t *)buffer + done, length - done,
				  (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO,
				    "%s: byte %" G_GUINT64_FORMAT ": cannot read: %s",
				    reader->name, offset + done,
				    n < 0 ? g_strerror(errno) : "the file became shorter");
			return NULL;
		}
		done += (size_t)n;
	}
	return buffer;
}

static bool refuse(GError **error, const char *name, uint64_t offset, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

static bool refuse(GError **error, const char *name, uint64_t offset, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_TRACE,
		    "%s: byte %" G_GUINT64_FORMAT ": %s", name, offset, text);
	return false;
}

static bool check_header(TraceReader *reader, GError **error)
{
	TraceFileHeader header;
	size_t length = MIN(reader->n_bytes, sizeof(header));
	const uint8_t *bytes = reader_bytes(reader, 0, length, &header, error);

	if (!bytes)
		return false;
	memmove(&header, bytes, length);
	if (length == 0)
		return refuse(error, reader->name, 0, "the file is empty; a trace is expected");
	if (memcmp(header.magic, TRACE_MAGIC, MIN(length, sizeof(header.magic))) != 0)
		return refuse(error, reader->name, 0,
			      "not a trace: it does not begin with \"ATOMSIM\"");
	if (reader->n_bytes < sizeof(TraceFileHeader) + sizeof(TraceFooter))
		return refuse(error, reader->name, reader->n_bytes,
			      "cut off: the file has %" G_GUINT64_FORMAT
			      " bytes; the smallest trace has more than %zu",
			      reader->n_bytes, sizeof(TraceFileHeader) + sizeof(TraceFooter));
	if (header.version > TRACE_NEWEST_VERSION)
		return refuse(
			error, reader->name, G_STRUCT_OFFSET(TraceFileHeader, version),
			"format version %u is newer than this program, which reads up to %d",
			header.version, TRACE_NEWEST_VERSION);
	if (header.version == 0)
		return refuse(error, reader->name, G_STRUCT_OFFSET(TraceFileHeader, version),
			      "format version 0; 1 to %d are allowed", TRACE_NEWEST_VERSION);
	if (header.reserved != 0)
		return refuse(error, reader->name, G_STRUCT_OFFSET(TraceFileHeader, reserved),
			      "reserved field is 0x%x; 0 is allowed", header.reserved);
	reader->version = header.version;
	return true;
}

/* What stands in front of the footer of version 2, still unchecked. Of version 1: zeros and 32. */
static bool read_extension(TraceReader *reader, TraceExtension *extension, uint64_t *at,
			   GError **error)
{
	const uint8_t *bytes;

	*extension = (TraceExtension){.warp_lanes = 32};
	*at = reader->n_bytes - sizeof(TraceFooter);
	if (reader->version == 1)
		return true;
	if (*at < sizeof(TraceFileHeader) + sizeof(*extension))
		return refuse(error, reader->name, *at, "cut off: no room for a footer");
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
		return refuse(error, reader->name, at,
			      "warps of %u lanes; 32 or 64 are allowed", extension->warp_lanes);
	if (extension->dataflow_bytes > TRACE_MAX_DATAFLOW_BYTES)
		return refuse(error, reader->name, at,
			      "%" G_GUINT64_FORMAT " bytes of data flow; up to %u are allowed",
			      extension->dataflow_bytes, TRACE_MAX_DATAFLOW_BYTES);
	if (extension->dataflow_offset < sizeof(TraceFileHeader) ||
	    extension->dataflow_offset > footer->metadata_offset ||
	    extension->dataflow_bytes != footer->metadata_offset - extension->dataflow_offset)
		return refuse(error, reader->name, at,
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
		return refuse(error, reader->name, footer_at,
			      "cut off: no footer at the end; the file has %" G_GUINT64_FORMAT
			      " bytes",
			      reader->n_bytes);
	if (!read_extension(reader, extension, &at, error))
		return false;
	if (footer_hash(reader, extension, footer) != footer->footer_xxh64)
		return refuse(error, reader->name, at, "the footer's checksum is wrong");
	if (footer->metadata_bytes > TRACE_MAX_METADATA_BYTES)
		return refuse(error, reader->name, at,
			      "%" G_GUINT64_FORMAT " bytes of metadata; up to %u are allowed",
			      footer->metadata_bytes, TRACE_MAX_METADATA_BYTES);
	if (footer->n_blocks > at / sizeof(TraceIndexEntry) ||
	    footer->index_offset != at - footer->n_blocks * sizeof(TraceIndexEntry))
		return refuse(error, reader->name, at,
			      "an index of %" G_GUINT64_FORMAT
			      " blocks at byte %" G_GUINT64_FORMAT
			      " does not end at the footer",
			      footer->n_blocks, footer->index_offset);
	if (footer->metadata_offset < sizeof(TraceFileHeader) ||
	    footer->metadata_offset > footer->index_offset ||
	    footer->metadata_bytes != footer->index_offset - footer->metadata_offset)
		return refuse(error, reader->name, at,
			      "metadata of %" G_GUINT64_FORMAT
			      " bytes at byte %" G_GUINT64_FORMAT
			      " does not lie between header and index",
			      footer->metadata_bytes, footer->metadata_offset);
	return reader->version == 1 || check_extension(reader, extension, footer, at, error);
}

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
		return refuse(error, reader->name, footer->metadata_offset,
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
		return refuse(error, reader->name, extension->dataflow_offset,
			      "the data flow's checksum is wrong");
	owned = g_bytes_new_take(g_steal_pointer(&copy), extension->dataflow_bytes);
	reader->dataflow = dataflow_read(owned, reader->n_sites, &problem, &at);
	if (!reader->dataflow)
		return refuse(error, reader->name, extension->dataflow_offset + at,
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
		return refuse(error, reader->name, footer->index_offset,
			      "the index's checksum is wrong");
	for (uint64_t i = 0; i < footer->n_blocks; i++) {
		const TraceIndexEntry *entry = &reader->index[i];
		const char *problem = index_problem(entry, i ? entry - 1 : NULL, end_of_blocks);
		if (problem)
			return refuse(error, reader->name,
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
	segments_init(reader);
	source_init(reader);
	return reader;
}

static TraceReader *reader_open(TraceReader *opened, GError **error)
{
	g_autoptr(TraceReader) reader = opened;
	TraceExtension extension;
	TraceFooter footer;

	if (!check_header(reader, error) || !check_footer(reader, &footer, &extension, error) ||
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

char **trace_search_path(void)
{
	return installed_folders("traces", "ATOMSIM_TRACE_PATH");
}

/* The file that a name means: itself, or the shipped trace of that name. g_free. */
static char *find_file(const char *name)
{
	g_auto(GStrv) folders = NULL;
	char *path = NULL;

	if (access(name, F_OK) != 0) {
		folders = trace_search_path();
		path = installed_find(folders, name, ".bin");
	}
	return path ? path : g_strdup(name);
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
	g_autofree char *path = find_file(name);
	g_autoptr(TraceReader) reader = reader_new(path);
	struct stat status;

	/* Not to hang on a pipe that nobody writes to. */
	reader->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (reader->fd < 0 || fstat(reader->fd, &status) < 0) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO, "%s: cannot open: %s", path,
			    g_strerror(errno));
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		g_set_error(error, ATOMSIM_ERROR, ATOMSIM_ERROR_IO,
			    "%s: not a regular file; a trace is read from its end", path);
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
	segments_clear(reader);
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

/* As hexadecimal digits. g_free. */
static char *digest_text(struct sha256_ctx *sha)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	GString *text = g_string_sized_new(2 * sizeof digest);

	sha256_digest(sha, sizeof digest, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		g_string_append_printf(text, "%02x", digest[i]);
	return g_string_free(text, FALSE);
}

/* By Nettle, which uses the processor's instructions for it: GLib's took a fifth of a short run. */
const char *trace_sha256(TraceReader *reader, GError **error)
{
	g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&reader->lock);
	g_autofree uint8_t *buffer = NULL;
	const size_t step = 1u << 16;
	struct sha256_ctx sha;

	if (reader->sha256)
		return reader->sha256;
	sha256_init(&sha);
	buffer = g_malloc(step);
	for (uint64_t at = 0; at < reader->n_bytes; at += step) {
		size_t length = MIN(step, reader->n_bytes - at);
		const uint8_t *bytes = reader_bytes(reader, at, length, buffer, error);
		if (!bytes)
			return NULL;
		sha256_update(&sha, length, bytes);
	}
	reader->sha256 = digest_text(&sha);
	return reader->sha256;
}
