/* SPDX-License-Identifier: MIT */
/*
 * A generated trace in memory, for tests of the workloads: made from settings, read back through the
 * reader; and any trace walked record by record.
 */
#ifndef ATOMSIM_TESTS_GEN_TRACE_H
#define ATOMSIM_TESTS_GEN_TRACE_H

#include <glib.h>

#include "trace/reader.h"

/* "voting words=64 steps=3": a workload and its settings, parted by spaces. The test fails if it
   cannot be made. */
GBytes *gen_bytes(const char *command);
TraceReader *gen_trace(const char *command);

/* Fails the test unless the command is refused with an error of this code whose message matches
   the GLib pattern ("*words*65536*"). */
void gen_refused(const char *command, int code, const char *pattern);

typedef void (*RecordVisitor)(const Record *record, uint64_t block, uint32_t warp,
			      gpointer data);

/* All records: block by block, warp by warp, in program order. */
void visit_records(TraceReader *reader, RecordVisitor visit, gpointer data);

/* Votes per 4-byte word of all blocks, n_words of them; the test fails at a vote beyond. g_free. */
uint64_t *count_votes(TraceReader *reader, uint32_t n_words);

/* A line "block.warp:mask address ..." for each record but the exits. g_free. */
char *records_text(TraceReader *reader);

#endif
