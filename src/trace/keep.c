/* SPDX-License-Identifier: MIT */
/* Segments that a reader keeps decompressed, for a trace that is run several times, or blocks that others refer to. */
#include "trace/codec.h"
#include "trace/internal.h"

/* Takes room for a segment that is kept. */
static bool keep_take(TraceReader *reader, uint64_t bytes)
{
	bool good;

	g_mutex_lock(&reader->lock);
	good = reader->keep_bytes >= bytes;
	if (good)
		reader->keep_bytes -= bytes;
	g_mutex_unlock(&reader->lock);
	return good;
}

static void keep_give_back(TraceReader *reader, uint64_t bytes)
{
	g_mutex_lock(&reader->lock);
	reader->keep_bytes += bytes;
	g_mutex_unlock(&reader->lock);
}

const uint8_t *segment_keep(Directory *directory, uint32_t segment, GError **error)
{
	uint8_t **kept = &directory->kept[segment], *bytes = g_atomic_pointer_get(kept);
	uint64_t raw_bytes = directory->segments[segment].raw_bytes;

	if (bytes || !keep_take(directory->reader, raw_bytes))
		return bytes;
	bytes = g_malloc(raw_bytes + TRACE_MAX_RECORD_BYTES);
	if (!segment_read(directory, segment, bytes, true, error)) {
		g_free(bytes);
		return NULL;
	}
	if (!g_atomic_pointer_compare_and_exchange(kept, NULL, bytes)) {
		g_free(bytes);
		keep_give_back(directory->reader, raw_bytes);
		bytes = g_atomic_pointer_get(kept);
	}
	return bytes;
}

void trace_keep_decoded(TraceReader *reader, uint64_t max_bytes)
{
	reader->keep = true;
	reader->keep_bytes = max_bytes;
}
