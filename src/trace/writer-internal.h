/* SPDX-License-Identifier: MIT */
/* What the files of the writer share: writer.c writes blocks, writer-end.c what follows them. */
#ifndef ATOMSIM_TRACE_WRITER_INTERNAL_H
#define ATOMSIM_TRACE_WRITER_INTERNAL_H

#include <zstd.h>

#include "base/output.h"
#include "trace/codec.h"
#include "trace/dataflow.h"
#include "trace/writer.h"

typedef struct WriterBlock WriterBlock;

struct TraceWriter {
	char *path; /* as given, for messages; NULL: into memory */
	Output *output;
	GByteArray *memory;
	uint64_t offset; /* where the next byte goes */
	ZSTD_CCtx *context;
	GHashTable *blocks;	 /* open ones */
	WriterBlock *last_block; /* that was asked for, or NULL */
	GArray *index;		 /* TraceIndexEntry */
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
void writer_free(TraceWriter *writer);

#endif
