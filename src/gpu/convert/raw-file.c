/* SPDX-License-Identifier: MIT */
#include "gpu/convert/raw-file.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input.h"
#include "base/little.h"
#include "gpu/capture/sample.h"
#include "trace/sample.h"

static gboolean damaged(const RawFile *file, gsize at, const char *what, GError **error)
{
	return atomsim_fail(error, ATOMSIM_ERROR_TRACE,
			    "%s: byte %" G_GSIZE_FORMAT ": %s; capture again", file->path, at,
			    what);
}

static const void *bytes_at(const RawFile *file, gsize at)
{
	return (const char *)g_bytes_get_data(file->bytes, NULL) + at;
}

static void recording_free(gpointer data)
{
	RawRecording *recording = data;

	g_array_unref(recording->chunks);
	g_free(recording);
}

static RawRecording *find_recording(const RawFile *file, uint32_t number)
{
	for (guint i = file->launches->len; i > 0; i--) {
		RawRecording *recording = g_ptr_array_index(file->launches, i - 1);

		if (recording->number == number)
			return recording;
	}
	return NULL;
}

static gboolean read_launch(RawFile *file, const RawChunkHeader *header, gsize at,
			    GError **error)
{
	const RawLaunch *launch = bytes_at(file, at);
	const char *name = (const char *)(launch + 1);
	uint64_t n_threads = 1;

	if (header->bytes < sizeof(*launch) || launch->name_bytes == 0 ||
	    launch->name_bytes > header->bytes - sizeof(*launch) ||
	    name[launch->name_bytes - 1] != '\0' ||
	    !g_utf8_validate(name, launch->name_bytes - 1, NULL))
		return damaged(file, at, "the launch's name is damaged", error);
	for (int i = 0; i < 3; i++) {
		n_threads *= launch->block[i];
		if (launch->grid[i] < 1 || launch->block[i] < 1 || n_threads > 2048)
			return damaged(file, at, "no GPU has such a grid or block", error);
	}
	if (find_recording(file, header->launch))
		return damaged(file, at, "a launch is there twice", error);

	RawRecording *recording = g_new0(RawRecording, 1);

	recording->file = file;
	recording->number = header->launch;
	recording->launch = launch;
	recording->name = name;
	recording->chunks = g_array_new(FALSE, FALSE, sizeof(RawSpan));
	g_ptr_array_add(file->launches, recording);
	return TRUE;
}

/* A sample of the launch, and what each of its whole waves had. */
static gboolean read_sample(RawRecording *recording, const RawChunkHeader *header, gsize at,
			    GError **error)
{
	const RawSample *sample = bytes_at(recording->file, at);
	const uint32_t *grid = recording->launch->grid;
	const uint64_t n_blocks = (uint64_t)grid[0] * grid[1] * grid[2];
	const RawWave *waves;
	uint64_t n_waves;

	if (header->bytes < sizeof(*sample) || sample->wave_blocks < 1 ||
	    sample->waves < SAMPLE_LEAST_WAVES || sample->waves > SAMPLE_MOST_WAVES ||
	    !sample_is_part(n_blocks, sample->wave_blocks, sample->waves) ||
	    (header->bytes - sizeof(*sample)) / sizeof(RawWave) !=
		    n_blocks / sample->wave_blocks)
		return damaged(recording->file, at, "no launch has such a sample", error);
	waves = (const RawWave *)(sample + 1);
	n_waves = n_blocks / sample->wave_blocks;
	for (uint64_t i = 0; i < n_waves; i++) {
		const TraceWork work = {waves[i].sum, waves[i].least, waves[i].most};

		if (!trace_work_is_of(&work, sample->wave_blocks))
			return damaged(recording->file,
				       at + sizeof(*sample) + i * sizeof(*waves),
				       "a wave of blocks cannot have these events", error);
	}
	recording->sample = sample;
	return TRUE;
}

static gboolean read_chunk(RawFile *file, const RawChunkHeader *header, gsize at,
			   GError **error)
{
	RawRecording *recording = find_recording(file, header->launch);
	RawSpan span = {at, at + header->bytes};

	if (header->kind == RAW_CHUNK_LAUNCH)
		return read_launch(file, header, at, error);
	if (!recording || recording->end)
		return damaged(file, at, "a chunk of no launch", error);
	if (header->kind == RAW_CHUNK_EVENTS)
		g_array_append_val(recording->chunks, span);
	else if (header->kind == RAW_CHUNK_MEMORY && !recording->memory &&
		 header->bytes % sizeof(RawMemory) == 0) {
		recording->memory = bytes_at(file, at);
		recording->n_memory = (guint)(header->bytes / sizeof(RawMemory));
	} else if (header->kind == RAW_CHUNK_HISTORY && !recording->history) {
		const RawHistory *history = bytes_at(file, at);

		if (header->bytes < sizeof(*history) ||
		    history->n_memory != recording->n_memory ||
		    history->n_memory > header->bytes - sizeof(*history))
			return damaged(file, at, "the history of the memory is cut off", error);
		recording->history = history;
	} else if (header->kind == RAW_CHUNK_CODE && !recording->code &&
		   header->bytes == sizeof(RawCode)) {
		recording->code = bytes_at(file, at);
	} else if (header->kind == RAW_CHUNK_SAMPLE && !recording->sample) {
		return read_sample(recording, header, at, error);
	} else if (header->kind == RAW_CHUNK_PARAMETERS && !recording->parameters) {
		const RawParameters *parameters = bytes_at(file, at);

		if (header->bytes < sizeof(*parameters) ||
		    parameters->bytes > header->bytes - sizeof(*parameters))
			return damaged(file, at, "the launch's parameters are cut off", error);
		if (parameters->bytes > TRACE_MAX_PARAMETER_BYTES ||
		    parameters->offset > TRACE_MAX_PARAMETER_BYTES)
			return damaged(file, at,
				       "the launch's parameters are more than 65536 bytes, or "
				       "begin beyond as many of their bank",
				       error);
		recording->parameters = parameters;
	} else if (header->kind == RAW_CHUNK_END && header->bytes == sizeof(RawEnd))
		recording->end = bytes_at(file, at);
	else
		return damaged(file, at, "an unknown kind of chunk", error);
	return TRUE;
}

/* Whose numbers are this machine's. */
static GBytes *native_bytes(GBytes *bytes)
{
	gsize n;
	const guint8 *data = g_bytes_get_data(bytes, &n);
	guint8 *turned;

	if (LITTLE_IS_NATIVE)
		return g_bytes_ref(bytes);
	turned = g_memdup2(data, n);
	raw_turn(turned, n, false);
	return g_bytes_new_take(turned, n);
}

RawFile *raw_file_open_bytes(const char *name, GBytes *bytes, GError **error)
{
	g_autoptr(RawFile) file = g_new0(RawFile, 1);
	gsize size = g_bytes_get_size(bytes);
	const RawFileHeader *header;

	file->path = g_strdup(name);
	file->bytes = native_bytes(bytes);
	file->launches = g_ptr_array_new_with_free_func(recording_free);
	header = size < sizeof(*header) ? NULL : bytes_at(file, 0);
	if (!header || memcmp(header->magic, RAW_MAGIC, sizeof(header->magic)) != 0) {
		damaged(file, 0, "this is no raw capture", error);
		return NULL;
	}
	if (header->version < 1 || header->version > RAW_VERSION) {
		atomsim_fail(
			error, ATOMSIM_ERROR_TRACE,
			"%s: raw capture of version %u; this atomsim reads versions 1 to %d",
			name, header->version, RAW_VERSION);
		return NULL;
	}

	file->version = header->version;
	for (gsize at = sizeof(*header); at < size;) {
		const RawChunkHeader *chunk = bytes_at(file, at);

		if (size - at < sizeof(*chunk) || chunk->bytes > size - at - sizeof(*chunk) ||
		    chunk->bytes % 8 != 0) {
			damaged(file, at, "the file is cut off", error);
			return NULL;
		}
		if (!read_chunk(file, chunk, at + sizeof(*chunk), error))
			return NULL;
		at += sizeof(*chunk) + chunk->bytes;
	}
	return g_steal_pointer(&file);
}

RawFile *raw_file_open(const char *path, GError **error)
{
	g_autoptr(GError) problem = NULL;
	g_autoptr(GMappedFile) map = NULL;
	int fd = input_open_file(path, "what capture.sh recorded", error);

	if (fd < 0)
		return NULL;
	map = g_mapped_file_new_from_fd(fd, FALSE, &problem);
	close(fd);
	if (!map) {
		atomsim_fail(error, ATOMSIM_ERROR_IO, "%s: cannot map: %s", path,
			     problem->message);
		return NULL;
	}

	g_autoptr(GBytes) bytes = g_mapped_file_get_bytes(map);

	return raw_file_open_bytes(path, bytes, error);
}

void raw_file_free(RawFile *file)
{
	g_ptr_array_unref(file->launches);
	g_bytes_unref(file->bytes);
	g_free(file->path);
	g_free(file);
}

/* Of a load those that somebody reads: 12 of 16, 3 of 4. */
static gboolean has_width(const RawEvent *event)
{
	const uint8_t bytes = event->bytes;

	if (event->flags & RAW_READ && !(event->flags & RAW_WRITE) && event->kind != RAW_COPY)
		return bytes > 0 && bytes <= 16;
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 12 ||
	       bytes == 16;
}

gboolean raw_next_event(RawCursor *cursor, const RawEvent **event, const void **addresses,
			GError **error)
{
	const RawRecording *recording = cursor->recording;
	const RawFile *file = recording->file;
	const RawSpan *span;
	uint64_t bytes;
	gsize at;

	for (;; cursor->chunk++, cursor->done = 0) {
		if (cursor->chunk == recording->chunks->len)
			return FALSE;
		span = &g_array_index(recording->chunks, RawSpan, cursor->chunk);
		if (span->begin + cursor->done < span->end)
			break;
	}
	at = span->begin + cursor->done;
	if (span->end - at < sizeof(RawEvent))
		return damaged(file, at, "an event is cut off", error);

	const RawEvent *found = bytes_at(file, at);

	if (found->kind < RAW_ENTER ||
	    found->kind > (file->version == 1  ? RAW_COPY
			   : file->version < 5 ? RAW_LOCAL
					       : RAW_LOCAL_AT) ||
	    found->mask == 0 || (RAW_ADDRESS_BYTES(found->kind) > 0 && !has_width(found)))
		return damaged(file, at, "this is no event", error);
	if (found->flags & RAW_VALUES && found->bytes > 16)
		return damaged(file, at, "this is no event", error);
	bytes = RAW_EVENT_BYTES(found->kind, found->flags, found->bytes,
				(guint)__builtin_popcount(found->mask));
	if (bytes > span->end - at)
		return damaged(file, at, "an event is cut off", error);
	*event = found;
	*addresses = found + 1;
	cursor->done += bytes;
	return TRUE;
}

const uint32_t *raw_values(const RawEvent *event)
{
	guint n_lanes = (guint)__builtin_popcount(event->mask);

	if (!(event->flags & RAW_VALUES))
		return NULL;
	return (const uint32_t *)((const char *)(event + 1) +
				  RAW_ADDRESSES_BYTES(event->kind, n_lanes));
}

uint64_t raw_address(const RawEvent *event, const void *addresses, guint i)
{
	return RAW_ADDRESS_BYTES(event->kind) == 4 ? ((const uint32_t *)addresses)[i]
						   : ((const uint64_t *)addresses)[i];
}
