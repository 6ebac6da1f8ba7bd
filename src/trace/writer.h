/* SPDX-License-Identifier: MIT */
/*
 * Writes trace files (docs/reference/trace-format.md) as a stream: a segment goes to disk when it is
 * full, so memory follows the blocks that are open. The file appears under its name only when
 * it is complete (base/output.h).
 */
#ifndef ATOMSIM_TRACE_WRITER_H
#define ATOMSIM_TRACE_WRITER_H

#include <glib.h>

#include "base/record.h"

struct cJSON;

typedef struct TraceWriter TraceWriter;

/* Errors: ATOMSIM_ERROR_IO, ATOMSIM_ERROR_USAGE (base/output.h). Later failures to write are kept and come out of
   trace_writer_finish; until then further calls do nothing. */
TraceWriter *trace_writer_new(const char *path, GError **error);

/* The same into memory: trace_writer_finish_bytes gives the file's bytes. */
TraceWriter *trace_writer_new_memory(void);

/* Writes version 2 instead of 1, for warps of 32 or 64 lanes. Before the first block. */
void trace_writer_set_version_2(TraceWriter *writer, uint32_t warp_lanes);
/* 1 or 2: what the metadata's "format" has to say. */
uint32_t trace_writer_version(const TraceWriter *writer);

/* Version 2: the number of a gap of these operations (n is 1 or more), for code records; the same
   for the same operations. Before the record that names it. */
uint32_t trace_writer_gap(TraceWriter *writer, const CodeOperation *operations, uint32_t n);
/* Version 2: what the instruction of a site (1 or more) reads and writes; said again, replaced. */
void trace_writer_site_flow(TraceWriter *writer, uint32_t site, const SiteFlow *flow);
/* The version, the lanes and the data flow of another trace. Before the first block and gap. */
void trace_writer_copy_kernel(TraceWriter *writer, uint32_t version, const KernelInfo *kernel);

/* Blocks may be open side by side and end in any order; each block_id once. n_warps 1 ..
   TRACE_MAX_WARPS, shared_bytes up to TRACE_MAX_SHARED_BYTES. */
void trace_writer_begin_block(TraceWriter *writer, uint64_t block_id, uint32_t n_warps,
			      uint32_t shared_bytes);

/* Appends a record to a warp (0 .. n_warps-1) of an open block. The record must be valid
   (g_assert). An exit ends the warp. Of a record whose addresses lie in a buffer version 1 keeps
   bytes and count alone. */
void trace_writer_append(TraceWriter *writer, uint64_t block_id, uint32_t warp,
			 const Record *record);

/* Ends a block; warps without an exit get one. */
void trace_writer_end_block(TraceWriter *writer, uint64_t block_id);

/* Adds to metadata what each trace says of itself: its launch, by blocks and threads of three dimensions, and "source",
   "tool" and "tool_version"; `registers` of a thread, 0: not said. */
void trace_metadata_add(struct cJSON *metadata, const uint32_t grid[3], const uint32_t block[3],
			uint32_t shared_bytes, uint32_t registers, const char *source);

/* Adds where a launch's parameters are, if that is known (bytes above 0). */
void trace_metadata_add_parameters(struct cJSON *metadata, const KernelParameters *parameters);

/* Adds where each of n lines of constants is, if there are any. */
void trace_metadata_add_constants(struct cJSON *metadata, const ConstantPlace *places,
				  uint32_t n);

/* Writes metadata (a JSON object as text), index and footer, and frees the writer. */
gboolean trace_writer_finish(TraceWriter *writer, const char *metadata, GError **error);
GBytes *trace_writer_finish_bytes(TraceWriter *writer, const char *metadata);

/* Frees a writer without finishing it and removes its file. */
void trace_writer_abandon(TraceWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceWriter, trace_writer_abandon)

#endif
