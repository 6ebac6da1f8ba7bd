/* SPDX-License-Identifier: MIT */
#include "sim/sm/record-log.h"

#include <stddef.h>
#include <string.h>

#include "sim/sm/record-log-pack.h"

#define NO_OTHER RECORD_LOG_CHUNK

static const Record nothing;

static RecordChunk *chunk_of(const RecordLog *log, uint64_t number)
{
	return &log->chunks[number & (log->n_chunks - 1)];
}

/* The last one before it of the same instruction, or of the same kind. */
static uint8_t find_other(const Record *records, uint32_t i)
{
	uint8_t other = NO_OTHER;

	for (uint32_t k = i; k-- > 0;) {
		if (records[k].kind != records[i].kind)
			continue;
		if (records[k].site == records[i].site)
			return (uint8_t)k;
		other = other == NO_OTHER ? (uint8_t)k : other;
	}
	return other;
}

static uint8_t *pack(GByteArray *packing, const Record *records)
{
	g_byte_array_set_size(packing, 0);
	for (uint32_t i = 0; i < RECORD_LOG_CHUNK; i++) {
		const uint8_t other = find_other(records, i);

		g_byte_array_append(packing, &other, 1);
		record_log_pack(packing, &records[i],
				other == NO_OTHER ? &nothing : &records[other]);
	}
	return g_memdup2(packing->data, packing->len);
}

static void unpack(const uint8_t *packed, Record *records)
{
	for (uint32_t i = 0; i < RECORD_LOG_CHUNK; i++) {
		const uint8_t other = *packed++;

		record_log_unpack(&packed, &records[i],
				  other == NO_OTHER ? &nothing : &records[other]);
	}
}

static void open_chunk(RecordLog *log, uint64_t number)
{
	RecordChunk *chunk = chunk_of(log, number);

	chunk->open = log->spare->len
			      ? g_ptr_array_steal_index_fast(log->spare, log->spare->len - 1)
			      : g_new(Record, RECORD_LOG_CHUNK);
	g_array_append_val(log->opened, number);
}

static void close_chunk(RecordLog *log, uint64_t number)
{
	RecordChunk *chunk = chunk_of(log, number);

	g_ptr_array_add(log->spare, chunk->open);
	chunk->open = NULL;
}

RecordLog *record_log_new(void)
{
	RecordLog *log = g_new0(RecordLog, 1);

	log->n_chunks = 1;
	log->chunks = g_new0(RecordChunk, log->n_chunks);
	log->opened = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	log->spare = g_ptr_array_new_with_free_func(g_free);
	log->packing = g_byte_array_new();
	return log;
}

void record_log_free(RecordLog *log)
{
	if (!log)
		return;
	record_log_clear(log);
	g_free(log->chunks);
	g_array_unref(log->opened);
	g_ptr_array_unref(log->spare);
	g_byte_array_unref(log->packing);
	g_free(log);
}

/* Makes room for more chunks. */
static void grow(RecordLog *log, uint64_t number)
{
	RecordChunk *chunks;

	if (number - log->first < log->n_chunks)
		return;
	chunks = g_new0(RecordChunk, 2 * log->n_chunks);
	for (uint64_t k = log->first; k < number; k++)
		chunks[k & (2 * log->n_chunks - 1)] = *chunk_of(log, k);
	g_free(log->chunks);
	log->chunks = chunks;
	log->n_chunks *= 2;
}

Record *record_log_room(RecordLog *log)
{
	const uint64_t number = log->n_added / RECORD_LOG_CHUNK;
	Record *record;

	if (log->n_added % RECORD_LOG_CHUNK == 0) {
		grow(log, number);
		if (!chunk_of(log, number)->open)
			open_chunk(log, number);
	}
	record = &chunk_of(log, number)->open[log->n_added % RECORD_LOG_CHUNK];
	/* Fields that its kind does not use are packed, too. */
	memset(record, 0, offsetof(Record, address));
	return record;
}

Record *record_log_open(RecordLog *log, uint64_t place)
{
	const uint64_t number = place / RECORD_LOG_CHUNK;

	g_assert(place >= log->n_dropped && place < log->n_added);
	open_chunk(log, number);
	unpack(chunk_of(log, number)->packed, chunk_of(log, number)->open);
	return record_log_at(log, place);
}

void record_log_close(RecordLog *log)
{
	const uint64_t n_full = log->n_added / RECORD_LOG_CHUNK;
	guint n = 0;

	for (guint i = 0; i < log->opened->len; i++) {
		const uint64_t number = g_array_index(log->opened, uint64_t, i);
		RecordChunk *chunk = chunk_of(log, number);

		if (number >= n_full) {
			g_array_index(log->opened, uint64_t, n++) = number;
			continue;
		}
		if (!chunk->packed)
			chunk->packed = pack(log->packing, chunk->open);
		close_chunk(log, number);
	}
	g_array_set_size(log->opened, n);
}

/* Chunks before this one are held no more. */
static void forget(RecordLog *log, uint64_t end)
{
	guint n = 0;

	for (guint i = 0; i < log->opened->len; i++) {
		const uint64_t number = g_array_index(log->opened, uint64_t, i);

		if (number < end)
			close_chunk(log, number);
		else
			g_array_index(log->opened, uint64_t, n++) = number;
	}
	g_array_set_size(log->opened, n);
	for (; log->first < end; log->first++)
		g_clear_pointer(&chunk_of(log, log->first)->packed, g_free);
}

void record_log_drop(RecordLog *log, uint64_t place)
{
	log->n_dropped = place;
	if (place / RECORD_LOG_CHUNK > log->first)
		forget(log, place / RECORD_LOG_CHUNK);
}

void record_log_clear(RecordLog *log)
{
	forget(log, (log->n_added + RECORD_LOG_CHUNK) / RECORD_LOG_CHUNK);
	log->first = log->n_dropped = log->n_added = 0;
}
