/* SPDX-License-Identifier: MIT */
/*
 * The references of version 3 as they are written: blocks of the launch that refer to stored ones (writer-same.c). Who may
 * include it: the files of the writer.
 */
#ifndef ATOMSIM_TRACE_WRITER_REFERENCES_H
#define ATOMSIM_TRACE_WRITER_REFERENCES_H

#include "trace/writer-block.h"

/* A block that is stored, and that others may refer to. */
typedef struct {
	uint64_t digest;    /* of what equal blocks have in common */
	WriterBlock *block; /* NULL: no longer compared with */
	size_t n_bytes;	    /* that it takes while it is */
	GList link;	    /* among those that are, the last one referred to first */
	uint64_t block_id, n_records;
	uint32_t n_warps, n_classes;
	uint32_t n_bases; /* of all its warps: accesses to buffers */
	uint32_t *ends;	  /* of each warp: how many bases it and those before it have */
	uint8_t *classes; /* of each base */
	uint8_t parents
		[TRACE_MAX_CLASSES]; /* the class that a class was part of: a lower one */
	bool referred;
} WriterTemplate;

/* Blocks one after the other that refer to one, their shifts growing evenly. */
typedef struct {
	WriterTemplate *template;
	uint64_t block_id; /* of the first */
	uint64_t count;
	uint32_t n_classes;		   /* that the template had then */
	int64_t shifts[TRACE_MAX_CLASSES]; /* of the first block */
	int64_t steps[TRACE_MAX_CLASSES];  /* if there are several */
} WriterSpan;

typedef struct {
	WriterSpan last; /* its count is 0: there is none yet */
	GArray *packed;	 /* those before it, in the order in which their blocks ended */
	GArray *shifts;	 /* int64_t, of these */
} WriterSpans;

void writer_spans_init(WriterSpans *spans);
void writer_spans_clear(WriterSpans *spans);
void writer_spans_add(WriterSpans *spans, const WriterSpan *span);

/* The bytes that a file has. templates: WriterTemplate, all that are referred to, which are sorted here; index: TraceIndexEntry,
   of all stored blocks, in their order. */
GByteArray *writer_references_bytes(WriterSpans *spans, GPtrArray *templates,
				    const GArray *index);

#endif
