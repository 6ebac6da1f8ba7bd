/* SPDX-License-Identifier: MIT */
/*
 * What waits for what in a kernel that a workload writes: gaps and sites of version 2 of the trace, as tables that
 * read like code. Values are numbered from 1; 0 is none. Only files of workloads include it.
 */
#ifndef ATOMSIM_WORKLOADS_FLOW_H
#define ATOMSIM_WORKLOADS_FLOW_H

#include "base/dataflow.h"
#include "workloads/emit.h"

/* A row that a workload with data flow puts among its own. */
#define DATAFLOW_ROW                                                                           \
	{                                                                                      \
		.name = "dataflow", .type = WORKLOAD_CHOICE, .choices = "no|yes",              \
		.fallback = "no",                                                              \
		.doc = "whether the trace says what waits for what, and global addresses "     \
		       "(version 2)"                                                           \
	}

#define FLOW_MAX_READS 3

typedef struct {
	CodeClass class;
	uint8_t write;
	uint8_t reads[FLOW_MAX_READS]; /* up to the first 0 */
	uint8_t guard;
} FlowOperation;

/* The number of the gap of these operations, for emit_code. */
uint32_t flow_gap(TraceWriter *writer, const FlowOperation *operations, guint n);
#define FLOW_GAP(writer, table) flow_gap(writer, table, G_N_ELEMENTS(table))

/* The access of a site: what its addresses are made of, what it stores and what it loads. */
void flow_site(TraceWriter *writer, uint32_t site, uint8_t address, uint8_t data,
	       uint8_t write);

/* The operations of a gap. */
void emit_code(Emitter *emitter, uint32_t gap);

#endif
