/* SPDX-License-Identifier: MIT */
/*
 * Reads trace files (docs/reference/trace-format.md). Opening costs O(index); blocks and
 * segments are read, checked and decompressed when a stream asks for them, from
 * any thread, so memory follows the streams that are open and not the file.
 */
#ifndef ATOMSIM_TRACE_READER_H
#define ATOMSIM_TRACE_READER_H

#include <cjson/cJSON.h>
#include <glib.h>

#include "base/record.h"

typedef struct TraceReader TraceReader;

/* Opens the file that a name means (trace/find.h), or reads all of standard input, up to 1 GiB, for "-". Checks header,
   footer, index and metadata. Errors: ATOMSIM_ERROR_IO, ATOMSIM_ERROR_TRACE, each naming the file
   and the byte offset. */
TraceReader *trace_open(const char *name, GError **error);

/* The same on bytes in memory, of which it takes a reference; `name` stands for the path. */
TraceReader *trace_open_bytes(const char *name, GBytes *bytes, GError **error);

void trace_close(TraceReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceReader, trace_close)

/* The reader as a source for sim_run. Owned by the reader. */
RecordSource *trace_source(TraceReader *reader);

/* Why a stream of this reader ended in STREAM_FAILED or open_warp in NULL: the error of the
   lowest block and warp, so that the message does not depend on threads. NULL if none did.
   Ask when the streams are closed: another failure may take its place. */
const GError *trace_failure(TraceReader *reader);

const char *trace_path(const TraceReader *reader);
uint64_t trace_file_bytes(const TraceReader *reader);
/* Records of all warps, as the index says. */
uint64_t trace_n_records(const TraceReader *reader);
/* Of a block (0 .. n_blocks-1): its records, and the bytes that they take in the file. False: it cannot be read. */
bool trace_block_size(TraceReader *reader, uint64_t block, uint64_t *n_records,
		      uint64_t *stored_bytes);
/* Records of each of its warps, to n_records[]. False: it cannot be read. */
bool trace_warp_records(TraceReader *reader, uint64_t block, uint64_t *n_records);
/* JSON object, NUL-terminated. Owned by the reader. */
const char *trace_metadata(const TraceReader *reader);
/* The same parsed, large whole numbers as their digits (base/json.h). Owned by the reader. */
const cJSON *trace_metadata_json(const TraceReader *reader);
/* Entries of the metadata's "sites": records name sites 0 .. this, which streams check. */
uint32_t trace_n_sites(const TraceReader *reader);
/* Of the format: 1 to 3. */
uint32_t trace_version(const TraceReader *reader);
/* Of its records: 1 or 2. */
uint32_t trace_records_version(const TraceReader *reader);
/* Lower-case hexadecimal SHA-256 of the whole file, computed at the first call; NULL and an
   error when it cannot be read. Owned by the reader. */
const char *trace_sha256(TraceReader *reader, GError **error);

/* Keeps what streams decompress, so that many runs over one trace do it once. Up to `max_bytes` of
   records are kept; what exceeds it is decompressed again at each use. Before the first stream. */
void trace_keep_decoded(TraceReader *reader, uint64_t max_bytes);

#endif
