/* SPDX-License-Identifier: MIT */
/*
 * Blocks that equal one that has been written but for where in their buffers their accesses go. Two are equal if their
 * bytes are but for the bases of addresses in buffers; what these differ by is the reference's. Accesses whose bases differ by
 * the same in all blocks that refer to one are a class of it. Who may include it: the files of the writer.
 */
#ifndef ATOMSIM_TRACE_WRITER_SAME_H
#define ATOMSIM_TRACE_WRITER_SAME_H

#include "trace/writer-block.h"

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

#endif
