/* SPDX-License-Identifier: MIT */
/*
 * The reader as a RecordSource: one warp's records, a segment at a time. Memory is one decompressed
 * segment a stream, or none of its own where the reader keeps them or has them as they are.
 */
#include <string.h>

#include "base/error.h"
#include "trace/codec.h"
#include "trace/internal.h"

#define SHORT_BYTES 64 /* a warp of a few records: most of a large grid's */

/* A large grid has thousands at a time: what each record needs comes first, in a line of the cache of the processor that
   simulates. */
typedef struct TraceStream TraceStream;
struct TraceStream {
	WarpStream stream;
	const uint8_t *at, *end; /* in the segment */
	Directory *directory;
	uint64_t n_records; /* handed out */
	uint32_t warp;
	uint32_t next_segment; /* of the block */
	bool padded;	       /* so many readable bytes follow as the decoder may look at */
	bool ended;	       /* its exit was handed out */
	bool reports;	       /* to the reader; else only here */
	bool moved;	       /* the block refers to another, and not all its shifts are 0 */
	bool misplaced;	       /* the error is that of such a reference */
	uint64_t block;	       /* of the launch */
	const uint8_t *start;  /* of the segment */
	uint64_t bytes_before; /* decompressed, of the segments before this one */
	uint8_t *buffer;       /* NULL until needed */
	GError *error;
	TraceStream *next; /* closed, and the reader's to hand out again */
	Mover mover;	   /* if it is moved */
};

/* The stream's error is set: it hands out nothing more. */
static StreamStatus stream_fail(TraceStream *self)
{
	self->at = self->end = self->start = NULL;
	if (self->reports)
		reader_fail(self->directory->reader, self->block, self->warp,
			    g_error_copy(self->error));
	return STREAM_FAILED;
}

static StreamStatus stream_refuse(TraceStream *self, const char *problem)
{
	const Directory *directory = self->directory;
	const TraceReader *reader = directory->reader;
	const Place place = references_place(&reader->references, reader->entries, self->block);

	atomsim_fail(&self->error, ATOMSIM_ERROR_TRACE,
		     "%s: byte %" G_GUINT64_FORMAT ": block %" G_GUINT64_FORMAT
		     " warp %u record %" G_GUINT64_FORMAT " (byte %zu of its segment): %s",
		     reader->name, directory->segments[self->next_segment - 1].offset,
		     place.block_id, self->warp, self->n_records,
		     (size_t)(self->at - self->start), problem);
	return stream_fail(self);
}

/* Sets a buffer for the largest segment of the warp. The padding is twenty times a short one: those do without. */
static void take_buffer(TraceStream *self)
{
	const Directory *directory = self->directory;
	uint32_t largest = 0;

	for (uint32_t s = directory->first_segment[self->warp];
	     s < directory->first_segment[self->warp + 1]; s++)
		largest = MAX(largest, directory->segments[s].raw_bytes);
	self->padded = largest > SHORT_BYTES;
	self->buffer = g_malloc(largest + (self->padded ? TRACE_MAX_RECORD_BYTES : 0));
}

/* The segment as it is kept, or lies in what has been read. NULL: neither, or an error. */
static const uint8_t *segment_at_hand(TraceStream *self, uint32_t segment)
{
	Directory *directory = self->directory;

	return directory->kept ? segment_keep(directory, segment, &self->error)
			       : segment_in_place(directory, segment, &self->error);
}

/* Moves to the warp's next segment. */
static bool stream_advance(TraceStream *self)
{
	Directory *directory = self->directory;
	uint32_t segment = self->next_segment++;

	self->bytes_before += (uint64_t)(self->end - self->start);
	self->start = NULL;
	if (!self->buffer) {
		self->padded = true;
		self->start = segment_at_hand(self, segment);
		if (self->error)
			return false;
	}
	if (!self->start) {
		if (!self->buffer)
			take_buffer(self);
		if (!segment_read(directory, segment, self->buffer, self->padded, &self->error))
			return false;
		self->start = self->buffer;
	}
	self->at = self->start;
	self->end = self->start + directory->segments[segment].raw_bytes;
	return true;
}

static StreamStatus stream_end(TraceStream *self)
{
	const Directory *directory = self->directory;

	self->ended = true;
	if (self->at != self->end ||
	    self->next_segment != directory->first_segment[self->warp + 1])
		return stream_refuse(self, "records follow the warp's exit");
	if (self->n_records != directory->warps[self->warp].n_records)
		return stream_refuse(self, "the directory says another number of records");
	return STREAM_RECORD;
}

/* At the end of a segment. */
static StreamStatus stream_continue(TraceStream *self)
{
	if (self->error)
		return STREAM_FAILED;
	if (self->ended)
		return STREAM_END;
	if (self->next_segment == self->directory->first_segment[self->warp + 1])
		return stream_refuse(self, "the warp has no exit");
	return stream_advance(self) ? STREAM_RECORD : stream_fail(self);
}

/* What is wrong with the record that comes next. Here nothing is looked at that lies behind its segment. */
static StreamStatus stream_refuse_record(TraceStream *self, Record *record)
{
	const char *problem = NULL;
	size_t used = trace_decode_record(&self->directory->rules, self->at, self->end, record,
					  &problem);

	g_assert(used == 0);
	return stream_refuse(self, problem);
}

static StreamStatus stream_next(WarpStream *stream, Record *record)
{
	TraceStream *self = (TraceStream *)stream;
	const Directory *directory = self->directory;
	const char *problem = NULL;
	size_t used;

	if (G_UNLIKELY(self->at == self->end)) {
		StreamStatus status = stream_continue(self);
		if (status != STREAM_RECORD)
			return status;
	}
	used = G_LIKELY(self->padded)
		       ? trace_decode_padded(&directory->rules, self->at, record, &problem)
		       : trace_decode_record(&directory->rules, self->at, self->end, record,
					     &problem);
	if (G_UNLIKELY(used == 0 || used > (size_t)(self->end - self->at)))
		return stream_refuse_record(self, record);
	if (G_UNLIKELY(record->site > directory->n_sites))
		return stream_refuse(self, "a site that the metadata does not have");
	if (G_UNLIKELY(record->kind == RECORD_CODE && record->gap >= directory->n_gaps))
		return stream_refuse(self, "a gap that the data flow does not have");
	if (G_UNLIKELY(self->moved) && record_in_buffer(record) &&
	    !mover_move(&self->mover, &directory->rules, record, &problem)) {
		self->misplaced = true;
		return stream_refuse(self, problem);
	}
	self->at += used;
	self->n_records++;
	return record->kind == RECORD_EXIT ? stream_end(self) : STREAM_RECORD;
}

/* --- A stream's life --- */

static void stream_close(WarpStream *stream)
{
	TraceStream *self = (TraceStream *)stream;
	TraceReader *reader = self->directory->reader;

	g_clear_error(&self->error);
	g_free(self->buffer);
	g_mutex_lock(&reader->lock);
	directory_release(self->directory);
	self->next = reader->closed_streams;
	reader->closed_streams = self;
	g_mutex_unlock(&reader->lock);
}

/* Room for one, of one that was closed if there is such: a large grid opens hundreds of thousands. NULL: none was.
   With the reader's lock held. */
static TraceStream *take_room(TraceReader *reader)
{
	TraceStream *self = reader->closed_streams;

	if (self)
		reader->closed_streams = self->next;
	return self;
}

void streams_clear(TraceReader *reader)
{
	for (TraceStream *stream = reader->closed_streams, *next; stream; stream = next) {
		next = stream->next;
		g_free(stream);
	}
	reader->closed_streams = NULL;
}

/* In `room`, or if that is NULL in new room. Takes over the caller's reference to the directory. */
static WarpStream *stream_new(TraceStream *room, Directory *directory, uint64_t block,
			      const Place *place, uint32_t warp, bool reports)
{
	TraceStream *self = room ? room : g_new(TraceStream, 1);

	g_assert(warp < directory->n_warps);
	*self = (TraceStream){
		.stream = {.next = stream_next, .close = stream_close},
		.directory = directory,
		.warp = warp,
		.next_segment = directory->first_segment[warp],
		.reports = reports,
		.block = block,
	};
	if (place->span)
		self->moved =
			mover_init(&self->mover, &directory->reader->references, place, warp);
	return &self->stream;
}

WarpStream *stream_open(Directory *directory, uint64_t block, uint32_t warp)
{
	TraceReader *reader = directory->reader;
	const Place place = references_place(&reader->references, reader->entries, block);
	TraceStream *room;

	g_mutex_lock(&reader->lock);
	/* Cannot fail: the directory is in use. */
	directory = directory_find(reader, directory->stored);
	room = take_room(reader);
	g_mutex_unlock(&reader->lock);
	return stream_new(room, directory, block, &place, warp, false);
}

bool stream_misplaced(const WarpStream *stream)
{
	return ((const TraceStream *)stream)->misplaced;
}

const GError *stream_error(const WarpStream *stream)
{
	return ((const TraceStream *)stream)->error;
}

uint32_t stream_segments(const WarpStream *stream)
{
	const TraceStream *self = (const TraceStream *)stream;

	return self->next_segment - self->directory->first_segment[self->warp];
}

uint64_t stream_bytes(const WarpStream *stream)
{
	const TraceStream *self = (const TraceStream *)stream;

	return self->bytes_before + (uint64_t)(self->at - self->start);
}

WarpStream *reader_open_warp(RecordSource *source, uint64_t block, uint32_t warp)
{
	TraceReader *reader = (TraceReader *)source;
	const Place place = references_place(&reader->references, reader->entries, block);
	GError *error = NULL;
	Directory *directory;
	TraceStream *room;

	g_mutex_lock(&reader->lock);
	directory = directory_find(reader, place.stored);
	room = take_room(reader);
	g_mutex_unlock(&reader->lock);
	if (!directory)
		directory = directory_open(reader, place.stored, &error);
	if (!directory) {
		g_free(room);
		reader_fail(reader, block, warp, error);
		return NULL;
	}
	return stream_new(room, directory, block, &place, warp, true);
}
