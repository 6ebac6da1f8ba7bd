/* SPDX-License-Identifier: MIT */
/*
 * A trace that is too large to be held in memory, read in pieces of many blocks each: those of a large grid have some
 * hundred bytes, and a call of the system for each would be a tenth of the simulation's time.
 */
#include "trace/codec.h"
#include "trace/internal.h"

#define MOST_AHEAD 16384 /* bytes of a block that are read with its directory */

/* Blocks of up to SHORT_BYTES come in pieces of the file that are WINDOW_BYTES apart. SMs get blocks round robin, so
   pieces at several places are read at a time. */
#define SHORT_BYTES  4096
#define WINDOW_BYTES 32768

/* How many bytes in front of a block's directory are read with it: those behind the directory before it, which are
   the block's segments where blocks were written one after the other. */
static uint64_t bytes_ahead(const TraceReader *reader, uint64_t stored)
{
	const TraceIndexEntry *entry = &reader->entries[stored];
	uint64_t begin = sizeof(TraceFileHeader), ahead;

	if (stored > 0)
		begin = entry[-1].directory_offset + entry[-1].directory_bytes;
	if (begin > entry->directory_offset)
		return 0;
	ahead = entry->directory_offset - begin;
	return ahead <= MOST_AHEAD ? ahead : 0;
}

static void window_free(void *data)
{
	g_free(((Window *)data)->bytes);
}

static Window *window_read(TraceReader *reader, uint64_t from, uint64_t n_bytes, GError **error)
{
	Window *window = g_atomic_rc_box_new0(Window);

	window->from = from;
	window->n_bytes = n_bytes;
	window->bytes = g_malloc(window->n_bytes + TRACE_MAX_RECORD_BYTES);
	if (reader_bytes(reader, from, window->n_bytes, window->bytes, error))
		return window;
	window_close(window);
	return NULL;
}

static bool has(const Window *window, uint64_t from, uint64_t length)
{
	return window && from >= window->from &&
	       from - window->from + length <= window->n_bytes;
}

/* The piece that a short block begins in, with all of the block. */
static Window *shared_window(TraceReader *reader, uint64_t from, uint64_t length,
			     GError **error)
{
	const uint64_t number = from / WINDOW_BYTES, begin = number * WINDOW_BYTES;
	Window **kept = &reader->windows[number % N_WINDOWS], *window = NULL, *before;

	g_mutex_lock(&reader->lock);
	if (has(*kept, from, length))
		window = g_atomic_rc_box_acquire(*kept);
	g_mutex_unlock(&reader->lock);
	if (window)
		return window;
	window = window_read(reader, begin,
			     MIN(WINDOW_BYTES + SHORT_BYTES, reader->n_bytes - begin), error);
	if (!window)
		return NULL;
	g_mutex_lock(&reader->lock);
	before = *kept;
	*kept = g_atomic_rc_box_acquire(window);
	g_mutex_unlock(&reader->lock);
	window_close(before);
	return window;
}

Window *window_open(TraceReader *reader, uint64_t stored, GError **error)
{
	const TraceIndexEntry *entry = &reader->entries[stored];
	const uint64_t ahead = bytes_ahead(reader, stored);
	const uint64_t from = entry->directory_offset - ahead;
	const uint64_t length = ahead + entry->directory_bytes;

	return length <= SHORT_BYTES ? shared_window(reader, from, length, error)
				     : window_read(reader, from, length, error);
}

void window_close(Window *window)
{
	if (window)
		g_atomic_rc_box_release_full(window, window_free);
}

const uint8_t *window_bytes(const Window *window, uint64_t offset, uint64_t length)
{
	return has(window, offset, length) ? window->bytes + (offset - window->from) : NULL;
}
