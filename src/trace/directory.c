/* SPDX-License-Identifier: MIT */
/* Directories of blocks: from file offsets to checked tables of warps and segments, one for all streams of a block. */
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/little.h"
#include "trace/internal.h"

static bool directory_refuse(const Directory *directory, GError **error, const char *problem)
{
	const TraceIndexEntry *entry = &directory->reader->entries[directory->stored];

	return atomsim_fail(
		error, ATOMSIM_ERROR_TRACE,
		"%s: byte %" G_GUINT64_FORMAT ": directory of block %" G_GUINT64_FORMAT ": %s",
		directory->reader->name, entry->directory_offset, entry->block_id, problem);
}

/* NULL if the entry can be true. */
static const char *segment_problem(const TraceSegmentEntry *entry, uint64_t end_of_blocks)
{
	if (entry->raw_bytes == 0 || entry->raw_bytes > TRACE_MAX_SEGMENT_BYTES)
		return "a segment's decompressed bytes are not 1 to 8192";
	if (entry->stored_bytes == 0 || entry->stored_bytes > TRACE_MAX_STORED_BYTES)
		return "a segment's stored bytes are not 1 to 8704";
	if (entry->offset < sizeof(TraceFileHeader) || entry->offset > end_of_blocks ||
	    entry->stored_bytes > end_of_blocks - entry->offset)
		return "a segment is not between header and metadata";
	return NULL;
}

static bool directory_check(Directory *directory, uint32_t n_segments, GError **error)
{
	uint32_t segment = 0;
	uint64_t n_records = 0;

	for (uint32_t w = 0; w < directory->n_warps; w++) {
		const TraceWarpEntry *warp = &directory->warps[w];
		uint64_t raw_bytes = 0;

		directory->first_segment[w] = segment;
		if (warp->reserved != 0)
			return directory_refuse(directory, error, "a reserved field is not 0");
		if (warp->n_segments == 0 || warp->n_segments > n_segments - segment)
			return directory_refuse(directory, error,
						"the segments of the warps do not add up");
		for (uint32_t end = segment + warp->n_segments; segment < end; segment++) {
			const TraceSegmentEntry *entry = &directory->segments[segment];
			const char *problem =
				segment_problem(entry, directory->reader->end_of_blocks);
			if (problem)
				return directory_refuse(directory, error, problem);
			raw_bytes += entry->raw_bytes;
		}
		if (warp->n_records == 0 || warp->n_records > raw_bytes)
			return directory_refuse(directory, error,
						"a warp has no records or more than bytes");
		n_records += warp->n_records;
	}
	directory->first_segment[directory->n_warps] = segment;
	if (segment != n_segments)
		return directory_refuse(directory, error,
					"the segments of the warps do not add up");
	if (n_records != directory->reader->entries[directory->stored].n_records)
		return directory_refuse(
			directory, error,
			"the records of the warps do not add up to the index's");
	return true;
}

/* Room for a block's directory: of its file's bytes, which are looked at as they are, and of what else it has. */
static Directory *directory_new(TraceReader *reader, uint64_t stored)
{
	const TraceIndexEntry *entry = &reader->entries[stored];
	const size_t first_segments = (entry->n_warps + 2) / 2 * 2 * sizeof(uint32_t);
	Directory *directory =
		g_malloc0(sizeof *directory + first_segments + entry->directory_bytes);

	directory->reader = reader;
	directory->stored = stored;
	directory->first_segment = (uint32_t *)(directory + 1);
	directory->bytes = (uint8_t *)directory->first_segment + first_segments;
	directory->rules = reader->rules;
	directory->rules.shared_bytes = entry->shared_bytes;
	directory->n_sites = reader->n_sites;
	directory->n_gaps = reader->dataflow ? reader->dataflow->n_gaps : 0;
	return directory;
}

/* Its bytes from the file. */
static bool directory_fetch(Directory *directory, GError **error)
{
	TraceReader *reader = directory->reader;
	const TraceIndexEntry *entry = &reader->entries[directory->stored];
	const uint8_t *bytes;

	if (reader->memory) {
		bytes = reader_bytes(reader, entry->directory_offset, entry->directory_bytes,
				     NULL, error);
	} else {
		directory->window = window_open(reader, directory->stored, error);
		bytes = window_bytes(directory->window, entry->directory_offset,
				     entry->directory_bytes);
	}
	if (bytes)
		memcpy(directory->bytes, bytes, entry->directory_bytes);
	return bytes != NULL;
}

/* Whether its segments are read more than once. */
static bool is_kept(const Directory *directory)
{
	const TraceReader *reader = directory->reader;

	return reader->keep || references_template(&reader->references, directory->stored);
}

/* Their numbers become the machine's. */
static void set_tables(Directory *directory, uint32_t n_segments)
{
	TraceWarpEntry *warps =
		(TraceWarpEntry *)(directory->bytes + sizeof(TraceDirectoryHeader));
	TraceSegmentEntry *segments = (TraceSegmentEntry *)(warps + directory->n_warps);

	for (uint32_t w = 0; w < directory->n_warps; w++)
		little_fields(&warps[w], TRACE_WARP_ENTRY_LAYOUT);
	for (uint32_t s = 0; s < n_segments; s++)
		little_fields(&segments[s], TRACE_SEGMENT_ENTRY_LAYOUT);
	directory->warps = warps;
	directory->segments = segments;
}

static bool directory_read(Directory *directory, GError **error)
{
	TraceReader *reader = directory->reader;
	const TraceIndexEntry *entry = &reader->entries[directory->stored];
	TraceDirectoryHeader *header = (TraceDirectoryHeader *)directory->bytes;
	uint64_t warps_bytes,
		segments_bytes; /* of 64 bits on every machine: n_segments is not bounded yet */

	if (!directory_fetch(directory, error))
		return false;
	if (XXH64(header, entry->directory_bytes, 0) != entry->directory_xxh64)
		return directory_refuse(directory, error, "the checksum is wrong");
	little_fields(header, TRACE_DIRECTORY_HEADER_LAYOUT);
	if (header->n_warps != entry->n_warps)
		return directory_refuse(directory, error,
					"the number of warps is not that of the index");
	warps_bytes = (uint64_t)header->n_warps * sizeof(TraceWarpEntry);
	segments_bytes = (uint64_t)header->n_segments * sizeof(TraceSegmentEntry);
	if (entry->directory_bytes != sizeof(*header) + warps_bytes + segments_bytes)
		return directory_refuse(
			directory, error,
			"its bytes do not fit its numbers of warps and segments");
	directory->n_warps = header->n_warps;
	set_tables(directory, header->n_segments);
	if (is_kept(directory))
		directory->kept = g_new0(uint8_t *, header->n_segments);
	return directory_check(directory, header->n_segments, error);
}

static void directory_free(void *data)
{
	Directory *directory = data;

	if (directory->kept)
		for (uint32_t s = 0; s < directory->first_segment[directory->n_warps]; s++)
			g_free(directory->kept[s]);
	g_free(directory->kept);
	window_close(directory->window);
	g_free(directory);
}

Directory *directory_find(TraceReader *reader, uint64_t stored)
{
	Directory *directory = reader->last_found;

	/* The warps of a block are opened one after the other. */
	if (!directory || directory->stored != stored)
		directory = g_hash_table_lookup(reader->directories, &stored);
	if (!directory)
		return NULL;
	reader->last_found = directory;
	directory->n_users++;
	return directory;
}

Directory *directory_open(TraceReader *reader, uint64_t stored, GError **error)
{
	Directory *mine, *theirs;

	g_mutex_lock(&reader->lock);
	theirs = directory_find(reader, stored);
	g_mutex_unlock(&reader->lock);
	if (theirs)
		return theirs;

	mine = directory_new(reader, stored);
	if (!directory_read(mine, error)) {
		g_clear_pointer(&mine->kept, g_free); /* nothing in it yet */
		directory_free(mine);
		return NULL;
	}
	/* Another thread may have been as quick. */
	g_mutex_lock(&reader->lock);
	theirs = directory_find(reader, stored);
	if (!theirs) {
		mine->n_users = mine->kept ? 2 : 1;
		g_hash_table_insert(reader->directories, &mine->stored, mine);
		reader->last_found = mine;
	}
	g_mutex_unlock(&reader->lock);
	if (!theirs)
		return mine;
	directory_free(mine);
	return theirs;
}

void directory_release(Directory *directory)
{
	TraceReader *reader = directory->reader;

	if (--directory->n_users > 0)
		return;
	if (reader->last_found == directory)
		reader->last_found = NULL;
	g_hash_table_remove(reader->directories, &directory->stored);
}

void directory_close(Directory *directory)
{
	TraceReader *reader = directory->reader;

	g_mutex_lock(&reader->lock);
	directory_release(directory);
	g_mutex_unlock(&reader->lock);
}

void directories_init(TraceReader *reader)
{
	g_mutex_init(&reader->lock);
	reader->directories =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, directory_free);
}

void directories_clear(TraceReader *reader)
{
	g_hash_table_unref(reader->directories);
	for (uint32_t i = 0; i < N_WINDOWS; i++)
		window_close(reader->windows[i]);
	g_mutex_clear(&reader->lock);
}

bool trace_block_size(TraceReader *reader, uint64_t block, uint64_t *n_records,
		      uint64_t *stored_bytes)
{
	const Place place = references_place(&reader->references, reader->entries, block);
	Directory *directory = directory_open(reader, place.stored, NULL);

	if (!directory)
		return false;
	*n_records = reader->entries[place.stored].n_records;
	*stored_bytes = 0;
	for (uint32_t s = 0; s < directory->first_segment[directory->n_warps]; s++)
		*stored_bytes += directory->segments[s].stored_bytes;
	directory_close(directory);
	return true;
}

bool trace_warp_records(TraceReader *reader, uint64_t block, uint64_t *n_records)
{
	const Place place = references_place(&reader->references, reader->entries, block);
	Directory *directory = directory_open(reader, place.stored, NULL);

	if (!directory)
		return false;
	for (uint32_t w = 0; w < directory->n_warps; w++)
		n_records[w] = directory->warps[w].n_records;
	directory_close(directory);
	return true;
}
