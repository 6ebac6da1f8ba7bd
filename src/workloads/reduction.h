/* SPDX-License-Identifier: MIT */
/* What the files of the workload `reduction` share. Only they include it. */
#ifndef ATOMSIM_WORKLOADS_REDUCTION_H
#define ATOMSIM_WORKLOADS_REDUCTION_H

#include "workloads/flow.h"

#define FLOAT_BYTES 4

typedef enum { ADDRESSING_INTERLEAVED, ADDRESSING_SEQUENTIAL } Addressing;

typedef struct {
	Addressing addressing;
	uint32_t tile;
	Barrier barrier;
	uint32_t start, step, skip, enter, add, loop; /* gaps */
} ReductionFlow;

extern const char *const reduction_flow_sites[];

/* Before the first block; addressing and tile are set. */
void reduction_flow_begin(ReductionFlow *flow, TraceWriter *writer);
/* An EmitWarp; data: the flow. */
void reduction_flow_write(gconstpointer flow, Emitter *emitter);

#endif
