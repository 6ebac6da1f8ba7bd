/* SPDX-License-Identifier: MIT */
/* What waits for what in a trace text's records. Who may include it: assemble.c, assemble-record.c, flow.c. */
#ifndef ATOMSIM_TRACE_TEXT_FLOW_H
#define ATOMSIM_TRACE_TEXT_FLOW_H

#include "trace/text/program.h"

/* The values of a statement, by their numbers. */
typedef struct {
	const Statement *statement;
	uint16_t number; /* line of constants, values of a match */
	uint8_t guard, n_address, n_reads, n_writes;
	uint8_t address[DATAFLOW_MAX_READS], reads[DATAFLOW_MAX_READS],
		writes[DATAFLOW_MAX_WRITES];
} Flow;

/* Errors: ATOMSIM_ERROR_INPUT with the place. FALSE: failed. */
gboolean flow_of(Assembly *assembly, const Statement *statement, Flow *flow);
/* The site of an access with that flow: from 1, in the order of their first records. FALSE: there are too many. */
gboolean site_of(Assembly *assembly, const Flow *flow, uint32_t *site);
/* An error: what was found, and what is allowed. Returns FALSE. */
gboolean flow_fail(Assembly *assembly, TextPlace place, const char *what, gint64 found,
		   const char *allowed);

/* The most operations of a gap. A loop whose rounds differ makes new ones without an end. */
#define OPEN_GAP_OPERATIONS 64

/* Operations that lie one behind the other become one gap. */
struct OpenGap {
	Flow flows[OPEN_GAP_OPERATIONS];
	guint n;
};

/* Adds an operation; whether the gap is full. */
bool open_gap_add(OpenGap *open, const Flow *flow);
/* The gap of what was added, which begins again; false: nothing was. */
bool open_gap_take(OpenGap *open, TraceWriter *writer, uint32_t *gap);

#endif
