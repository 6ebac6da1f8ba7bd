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
	CHOICE_ROW("dataflow", "no|yes", "no",                                                 \
		   "whether the trace says what waits for what, and global addresses "         \
		   "(version 2)")

#define FLOW_MAX_READS 3
#define FLOW_MAX_STEPS 32
#define FLOW_MAX_CHAIN 256 /* operations of one gap that only depend on each other */

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

/* A stretch of arithmetic: with data flow a gap, without so many plain instructions. */
typedef struct {
	const FlowOperation *code;
	guint n;
	/* Before them a chain of so many integer operations on a value, as parameters ask for. */
	guint more;
	uint8_t chain;
} FlowStep;
#define FLOW_STEP(table)                                                                       \
	{                                                                                      \
		.code = (table), .n = G_N_ELEMENTS(table)                                      \
	}

/* What flow_site takes, of site 1, 2, ...; in a table. */
typedef struct {
	uint8_t address, data, write;
} FlowSite;

/* The steps of a workload that is written with data flow or without. */
struct Flow {
	gboolean recorded; /* the trace has the steps as gaps */
	FlowStep steps[FLOW_MAX_STEPS];
	uint32_t gaps[FLOW_MAX_STEPS]; /* where recorded */
	uint32_t chain_gaps[FLOW_MAX_STEPS];
};

/* Reads `dataflow`, and takes the steps, at most FLOW_MAX_STEPS, from number `first` on. The workload may
   change them until flow_begin. */
void flow_init(Flow *flow, const WorkloadParameters *parameters);
void flow_steps(Flow *flow, guint first, const FlowStep *steps, guint n);
/* Before the first block: makes a trace with data flow one of version 2, for warps of so many lanes, with the gaps of the
   steps and these sites. */
void flow_begin(Flow *flow, TraceWriter *writer, uint32_t warp_lanes, const FlowSite *sites,
		guint n_sites);

/* A step of emitter->flow. */
void emit_step(Emitter *emitter, guint step);
/* The same with data flow, else so many plain instructions. */
void emit_step_or(Emitter *emitter, guint step, uint32_t n_alu);
/* The same where its first operation is, without data flow, a record of its own: a shuffle or a vote. */
void emit_mixed_step(Emitter *emitter, RecordKind first, guint step);

/* Whether the emitter writes data flow. */
static inline gboolean has_dataflow(const Emitter *emitter)
{
	return emitter->flow && emitter->flow->recorded;
}
/* A site of its own for an access that shares one without data flow. */
static inline void flow_at(Emitter *emitter, uint32_t site, uint32_t own)
{
	emitter->site = has_dataflow(emitter) ? own : site;
}

#endif
