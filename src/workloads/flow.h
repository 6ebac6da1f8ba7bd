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

/* The access of site 1, 2, ...: what its addresses are made of, what it stores and what it loads. */
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

/* What a kernel is made of. */
typedef struct {
	const char *name;
	const char *const *sites, *const *dataflow_sites; /* without data flow, and with it */
	const FlowStep *steps;
	guint n_steps;
	const FlowSite *flows; /* of dataflow_sites */
	guint n_flows;
} KernelCode;
#define KERNEL_CODE(its_name, its_sites, its_dataflow_sites, its_steps, its_flows)             \
	{                                                                                      \
		.name = its_name, .sites = its_sites, .dataflow_sites = its_dataflow_sites,    \
		.steps = its_steps, .n_steps = G_N_ELEMENTS(its_steps), .flows = its_flows,    \
		.n_flows = G_N_ELEMENTS(its_flows),                                            \
	}

/* Before the first block: takes the steps of the code from number `first` on, at most FLOW_MAX_STEPS in all, and says of the
   launch which code it is. A trace with data flow becomes one of version 2, for warps of so many lanes, with the gaps of all
   steps and the sites. */
void flow_begin(Flow *flow, guint first, const KernelCode *code, TraceWriter *writer,
		uint32_t warp_lanes, WorkloadLaunch *launch);

/* All blocks of the launch, whose sizes are known, of warps of 32 lanes. */
void flow_generate(const KernelCode *code, gboolean dataflow, TraceWriter *writer,
		   EmitWarp write, gconstpointer data, WorkloadLaunch *launch);
/* Whether data flow is asked for. */
gboolean flow_asked(const WorkloadParameters *parameters);

/* A step of emitter->flow. */
void emit_step(Emitter *emitter, guint step);
/* The same with data flow, else so many plain instructions. */
void emit_step_or(Emitter *emitter, guint step, uint32_t n_alu);
/* The same where its first operation is, without data flow, a record of its own: a shuffle or a vote. */
void emit_mixed_step(Emitter *emitter, RecordKind first, guint step);

/* Whether the emitter writes data flow. */
static inline gboolean has_dataflow(const Emitter *emitter)
{
	return emitter->flow->recorded;
}
/* A site of its own for an access that shares one without data flow. */
static inline void flow_at(Emitter *emitter, uint32_t site, uint32_t own)
{
	emitter->site = has_dataflow(emitter) ? own : site;
}

#endif
