/* SPDX-License-Identifier: MIT */
/* What the files of the writer share: writer.c takes records, writer-store.c writes blocks, writer-end.c what follows them. */
#ifndef ATOMSIM_TRACE_WRITER_INTERNAL_H
#define ATOMSIM_TRACE_WRITER_INTERNAL_H

#include <stdint.h>
#include <zstd.h>

#include "base/output.h"
#include "trace/codec.h"
#include "trace/dataflow.h"
#include "trace/writer-block.h"
#include "trace/writer.h"

/*
 * --- Blocks that equal one that has been written but for where in their buffers their accesses go (writer-same.c) ---
 *
 * Two are equal if their bytes are but for the bases of addresses in buffers; what these differ by is the reference's. Accesses whose
 * bases differ by the same in all blocks that refer to one are a class of it.
 */

typedef struct WriterSame WriterSame;

WriterSame *writer_same_new(void);
void writer_same_free(WriterSame *same);

/* Whether a block that has ended and is held is from here on a reference. */
bool writer_same_refer(WriterSame *same, const WriterBlock *block);
/* Takes a block that was stored, for others to refer to. */
void writer_same_take(WriterSame *same, WriterBlock *block);

/* Blocks that refer to others. */
uint64_t writer_same_n(const WriterSame *same);
/* The bytes of the references, if there are any. index: TraceIndexEntry, of all stored blocks, in their order. */
GByteArray *writer_same_bytes(WriterSame *same, const GArray *index);

/* --- The writer --- */

struct TraceWriter {
	char *path; /* as given, for messages; NULL: into memory */
	Output *output;
	GByteArray *memory;
	uint64_t offset; /* where the next byte goes */
	ZSTD_CCtx *context;
	GHashTable *blocks;	 /* open ones */
	WriterBlock *last_block; /* that was asked for, or NULL */
	GArray *index;		 /* TraceIndexEntry, of the blocks that are stored */
	WriterSame *same;	 /* those that refer to them; NULL: all blocks are stored */
	size_t held_bytes;	 /* of all blocks that are open and held */
	bool begun;		 /* the header is written */
	TraceRules rules;	 /* shared bytes: of the block that is being written to */
	DataflowBuilder *dataflow;
	uint32_t last_site;   /* highest */
	GArray *buffer_bytes; /* uint64_t, of each buffer: the end of what was accessed */
};

/* To the file or into memory. */
void writer_put(TraceWriter *writer, const void *bytes, size_t length);
/* The header, if it is not written yet. */
void writer_put_header(TraceWriter *writer);
/* The header's version, if it is another than the records'. */
void writer_set_file_version(TraceWriter *writer, uint32_t version);

/* The segment that a warp fills is full. */
void writer_end_segment(TraceWriter *writer, WriterBlock *block, uint32_t warp);
/* A block is too large to be held on: what is full of it goes to the file. */
void writer_hold_no_more(TraceWriter *writer, WriterBlock *block);
/* A block that has ended: what is not in the file yet, its directory and its entry of the index. */
void writer_store_block(TraceWriter *writer, WriterBlock *block);

void writer_free(TraceWriter *writer);

/* --- A segment as the file has it: one zstd frame (frame.c) --- */

/* ZSTD_freeCCtx. */
ZSTD_CCtx *frame_context_new(void);
/* Compresses a segment, or leaves it as it is where that saves little, into `stored` of TRACE_MAX_STORED_BYTES. The frame's bytes. */
size_t frame_compress(ZSTD_CCtx *context, const uint8_t *bytes, uint32_t length,
		      uint8_t *stored);

#endif
