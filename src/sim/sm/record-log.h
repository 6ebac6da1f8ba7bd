/* SPDX-License-Identifier: MIT */
/*
 * Records that were read of a warp's stream and are still to be executed, by place. A record takes 1.3 kB, and a trace of
 * a few kB can make a warp keep millions of them: so only some lie open, and the others as what differs from the record
 * before them of the same instruction, a few bytes. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SM_RECORD_LOG_H
#define ATOMSIM_SIM_SM_RECORD_LOG_H

#include <glib.h>

#include "base/record.h"

#define RECORD_LOG_CHUNK 16 /* records; a power of two */

/* Records of places k * RECORD_LOG_CHUNK and on. */
typedef struct {
	Record *open;	 /* NULL: closed */
	uint8_t *packed; /* NULL: never closed yet */
} RecordChunk;

/* Holds those of places n_dropped to n_added - 1, and perhaps some before. */
typedef struct {
	RecordChunk *chunks; /* that of place p: chunks[p / RECORD_LOG_CHUNK % n_chunks] */
	uint64_t n_chunks;   /* a power of two */
	uint64_t n_dropped, n_added;
	uint64_t first;	     /* chunk that is held still */
	GArray *opened;	     /* uint64_t: chunks that are open, in no order */
	GPtrArray *spare;    /* Record[RECORD_LOG_CHUNK] of closed ones */
	GByteArray *packing; /* of the chunk at hand */
} RecordLog;

RecordLog *record_log_new(void);
void record_log_free(RecordLog *log); /* NULL: nothing */

/* Where the next record is to be written; it has no place before record_log_add. */
Record *record_log_room(RecordLog *log);
static inline void record_log_add(RecordLog *log)
{
	log->n_added++;
}

Record *record_log_open(RecordLog *log, uint64_t place);

/* A record that was added and not dropped. Stays where it is until record_log_close, _drop or _clear. */
static inline Record *record_log_at(RecordLog *log, uint64_t place)
{
	const RecordChunk *chunk = &log->chunks[place / RECORD_LOG_CHUNK & (log->n_chunks - 1)];

	if (G_UNLIKELY(!chunk->open))
		return record_log_open(log, place);
	return &chunk->open[place % RECORD_LOG_CHUNK];
}

/* Those before this place are needed no more. */
void record_log_drop(RecordLog *log, uint64_t place);
/* Nor is any; the next has place 0. */
void record_log_clear(RecordLog *log);

#define RECORD_LOG_FEW 4 /* chunks, of a log that is read from one place on */

/* If more than so many chunks are open, closes all that are full: no record that was looked at stays where it is. */
void record_log_close(RecordLog *log);
static inline void record_log_keep_open(RecordLog *log, uint32_t most)
{
	if (G_UNLIKELY(log->opened->len > most))
		record_log_close(log);
}

#endif
