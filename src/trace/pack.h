/* SPDX-License-Identifier: MIT */
/* Copies blocks of a trace into another. Who may include it: cli and tests. */
#ifndef ATOMSIM_TRACE_PACK_H
#define ATOMSIM_TRACE_PACK_H

#include <glib.h>

#include "trace/reader.h"
#include "trace/sample.h"
#include "trace/writer.h"

/* Copies block `block` (a position in the index: 0 .. n_blocks-1) under the number `block_id`,
   every record as it is, in full segments. Errors: ATOMSIM_ERROR_IO, ATOMSIM_ERROR_TRACE. */
gboolean trace_pack_block(TraceReader *reader, TraceWriter *writer, guint64 block,
			  guint64 block_id, GError **error);

/* The metadata of the copy: the reader's, with "packed", which says the trace's name and SHA-256
   and, unless NULL, which blocks were taken; `sample`: what "sample" says, or NULL. g_free. NULL and *error if the file cannot be read. */
char *trace_pack_metadata(TraceReader *reader, const char *blocks, gboolean renumbered,
			  const TraceSample *sample, GError **error);

#endif
