/* SPDX-License-Identifier: MIT */
/*
 * Writes trace files (docs/trace-format.md) as a stream: a segment goes to disk when it is
 * full, so memory follows the blocks that are open. The file appears under its name only when
 * it is complete (base/output.h).
 */
#ifndef ATOMSIM_TRACE_WRITER_H
#define ATOMSIM_TRACE_WRITER_H

#include <glib.h>

#include "base/record.h"

typedef struct TraceWriter TraceWriter;

/* How a trace that is there is known. */
extern const struct OutputKind trace_output_kind;

/* Errors: ATOMSIM_ERROR_IO, ATOMSIM_ERROR_USAGE (base/output.h). Later failures to write are kept and come out of
   trace_writer_finish; until then further calls do nothing. */
TraceWriter *trace_writer_new(const char *path, GError **error);

/* The same into memory: trace_writer_finish_bytes gives the file's bytes. */
TraceWriter *trace_writer_new_memory(void);

/* Blocks may be open side by side and end in any order; each block_id once. n_warps 1 ..
   TRACE_MAX_WARPS, shared_bytes up to TRACE_MAX_SHARED_BYTES. */
void trace_writer_begin_block(TraceWriter *writer, uint64_t block_id, uint32_t n_warps,
			      uint32_t shared_bytes);

/* Appends a record to a warp (0 .. n_warps-1) of an open block. The record must be valid
   (g_assert). An exit ends the warp. */
void trace_writer_append(TraceWriter *writer, uint64_t block_id, uint32_t warp,
			 const Record *record);

/* Ends a block; warps without an exit get one. */
void trace_writer_end_block(TraceWriter *writer, uint64_t block_id);

/* Writes metadata (a JSON object as text), index and footer, and frees the writer. */
gboolean trace_writer_finish(TraceWriter *writer, const char *metadata, GError **error);
GBytes *trace_writer_finish_bytes(TraceWriter *writer, const char *metadata);

/* Frees a writer without finishing it and removes its file. */
void trace_writer_abandon(TraceWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceWriter, trace_writer_abandon)

#endif
