/* SPDX-License-Identifier: MIT */
/* A block that is being written: what its warps have so far. Who may include it: the files of the writer. */
#ifndef ATOMSIM_TRACE_WRITER_BLOCK_H
#define ATOMSIM_TRACE_WRITER_BLOCK_H

#include <glib.h>

#include "trace/codec.h"

/* Half of what the format allows: a reader's memory is a segment for each resident warp, so shorter
   segments make it smaller, and the same for short traces and long ones. */
#define WRITER_SEGMENT_BYTES (TRACE_MAX_SEGMENT_BYTES / 2)

/* Where a record's bytes say where in its buffer it is. */
typedef struct {
	uint32_t at, length; /* in the warp's bytes */
	uint64_t value;
} Base;

typedef struct {
	GByteArray *
		bytes; /* of a block that is held all, else of the segment that is being filled */
	GArray *bases;	/* Base, of a block that is held */
	uint32_t begin; /* in bytes: of the segment that is being filled */
	uint64_t n_records;
	GArray *segments; /* TraceSegmentEntry, of what is in the file */
	bool ended;
} WarpBuffer;

/* A full segment of a block that is held. */
typedef struct {
	uint32_t warp, from, to; /* in the warp's bytes */
} HeldSegment;

typedef struct {
	uint64_t block_id; /* the key in the table of blocks */
	uint32_t n_warps;
	uint32_t shared_bytes;
	bool held;	  /* nothing of it is in the file: it may be equal to another */
	size_t n_bytes;	  /* that it takes while it is held */
	GArray *segments; /* HeldSegment, in the order in which they became full */
	WarpBuffer warps[];
} WriterBlock;

WriterBlock *writer_block_new(uint64_t block_id, uint32_t n_warps, uint32_t shared_bytes,
			      bool held);
void writer_block_free(void *block);

/* Appends a record's bytes to the segment that a warp fills, in which there is room. How many bytes more the block takes. */
size_t writer_block_append(WriterBlock *block, uint32_t warp, const uint8_t *bytes, uint32_t n,
			   const EncodedBase *base);

#endif
