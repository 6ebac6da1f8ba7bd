/* SPDX-License-Identifier: MIT */
/* Looks for everything that is wrong with a trace, not only the first thing. */
#include "trace/internal.h"
#include "trace/summary.h"

/* A part of the file. */
typedef struct {
	uint64_t offset;
	uint64_t length;
} Extent;

struct TraceCheck {
	TraceReader *reader;
	GPtrArray *problems; /* char * */
	uint64_t n_problems;
	uint32_t max_problems;
	GArray *extents; /* of the directories and segments */
	bool complete;	 /* all directories could be read */
};

TraceCheck *trace_check_new(TraceReader *reader, uint32_t max_problems)
{
	TraceCheck *check = g_new0(TraceCheck, 1);

	check->reader = reader;
	check->problems = g_ptr_array_new_with_free_func(g_free);
	check->max_problems = max_problems;
	check->extents = g_array_new(FALSE, FALSE, sizeof(Extent));
	check->complete = true;
	return check;
}

void trace_check_free(TraceCheck *check)
{
	if (!check)
		return;
	g_ptr_array_unref(check->problems);
	g_array_unref(check->extents);
	g_free(check);
}

static void add_problem(TraceCheck *check, const char *text)
{
	check->n_problems++;
	if (check->max_problems == 0 || check->n_problems <= check->max_problems)
		g_ptr_array_add(check->problems, g_strdup(text));
}

/* Parts that follow each other, as those of most files do, are one. */
static void add_extent(TraceCheck *check, uint64_t offset, uint64_t length)
{
	Extent extent = {offset, length}, *last = NULL;

	if (check->extents->len > 0)
		last = &g_array_index(check->extents, Extent, check->extents->len - 1);
	if (last && last->offset + last->length == offset)
		last->length += length;
	else
		g_array_append_val(check->extents, extent);
}

/* A warp's records. Of a block that refers to another: what its reference makes of them, as what is wrong without that is
   the other's. How many of its segments were read. */
static uint32_t check_records(TraceCheck *check, Directory *directory, uint64_t block,
			      uint32_t warp, bool refers)
{
	WarpStream *stream = stream_open(directory, block, warp);
	StreamStatus status;
	uint32_t n_segments;
	Record record;

	do
		status = stream->next(stream, &record);
	while (status == STREAM_RECORD);
	if (status == STREAM_FAILED && (!refers || stream_misplaced(stream)))
		add_problem(check, stream_error(stream)->message);
	n_segments = stream_segments(stream);
	stream->close(stream);
	return n_segments;
}

/* A warp's records, then the checksums of what lies behind its first problem. */
static void check_warp(TraceCheck *check, Directory *directory, uint64_t block, uint32_t warp)
{
	uint8_t buffer[TRACE_MAX_SEGMENT_BYTES];
	uint32_t end = directory->first_segment[warp + 1];
	uint32_t segment = directory->first_segment[warp] +
			   check_records(check, directory, block, warp, false);

	for (; segment < end; segment++) {
		g_autoptr(GError) error = NULL;
		if (!segment_read(directory, segment, buffer, false, &error))
			add_problem(check, error->message);
	}
}

/* directory: NULL: the stored block that it refers to has none. */
static void check_referring(TraceCheck *check, Directory *directory, uint64_t block)
{
	if (!directory)
		return;
	for (uint32_t w = 0; w < directory->n_warps; w++)
		check_records(check, directory, block, w, true);
	directory_close(directory);
}

void trace_check_block(TraceCheck *check, uint64_t block)
{
	TraceReader *reader = check->reader;
	const Place place = references_place(&reader->references, reader->entries, block);
	const TraceIndexEntry *entry = &reader->entries[place.stored];
	g_autoptr(GError) error = NULL;
	Directory *directory = directory_open(reader, place.stored, &error);

	if (place.span) {
		check_referring(check, directory, block);
		return;
	}
	if (!directory) {
		add_problem(check, error->message);
		check->complete = false;
		return;
	}
	for (uint32_t w = 0; w < directory->n_warps; w++)
		check_warp(check, directory, block, w);
	for (uint32_t s = 0; s < directory->first_segment[directory->n_warps]; s++)
		add_extent(check, directory->segments[s].offset,
			   directory->segments[s].stored_bytes);
	add_extent(check, entry->directory_offset, entry->directory_bytes);
	directory_close(directory);
}

static int by_offset(const void *a, const void *b)
{
	const Extent *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

void trace_check_end(TraceCheck *check)
{
	uint64_t at = sizeof(TraceFileHeader);

	/* Gaps mean nothing where a directory is missing. */
	if (!check->complete)
		return;
	add_extent(check, check->reader->end_of_blocks, 0);
	g_array_sort(check->extents, by_offset);
	for (guint i = 0; i < check->extents->len; i++) {
		const Extent *extent = &g_array_index(check->extents, Extent, i);
		if (extent->offset != at) {
			g_autofree char *text = g_strdup_printf(
				"%s: byte %" G_GUINT64_FORMAT ": %s", check->reader->name,
				MIN(at, extent->offset),
				extent->offset > at ? "bytes that belong to nothing"
						    : "bytes that belong to two parts");
			add_problem(check, text);
		}
		at = MAX(at, extent->offset + extent->length);
	}
}

const GPtrArray *trace_check_problems(const TraceCheck *check)
{
	return check->problems;
}

uint64_t trace_check_n_problems(const TraceCheck *check)
{
	return check->n_problems;
}
