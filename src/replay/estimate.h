/* SPDX-License-Identifier: MIT */
/*
 * A launch estimated: some of its waves of blocks are simulated, until the interval that its cycles lie in with 95 %
 * confidence is as narrow as was asked for. docs/guide/within.md says how, and how often that was right.
 * Who may include it: replay and every layer above.
 */
#ifndef ATOMSIM_REPLAY_ESTIMATE_H
#define ATOMSIM_REPLAY_ESTIMATE_H

#include "sim/run/run.h"
#include "trace/sample.h"

#define ESTIMATE_CONFIDENCE 0.95

/* How a figure of a launch came about. */
typedef struct {
	double within; /* what was asked for: half of the interval as a share of the cycles; 0: nothing, of a sample */
	bool is_sample;	   /* the trace has no other waves */
	const char *whole; /* why it was simulated whole, constant; NULL: it is an estimate */
	uint64_t
		n_waves; /* of the launch: all blocks that are resident at a time, the last with what is left */
	uint64_t waves;	   /* that were simulated */
	uint64_t blocks;   /* likewise */
	uint64_t n_blocks; /* of the launch */
	/* Of the trace, in all warps, and of these what was left out of loops in steady state; 0: none. */
	uint64_t records, records_skipped;
	uint64_t low, high; /* cycles: the interval */
	uint64_t
		simulated_instructions; /* warp instructions executed, also in attempts that were given up */
} Estimate;

/*
 * Runs the request's source, a trace's, in part or whole. *result is of what was simulated, but for its cycles and its
 * blocks' end, which are of the whole launch. The outcome is the same for any number of threads. The request has no
 * observer and no order. Errors are the status, as sim_run has it.
 */
SimStatus estimate_run(const SimRequest *request, TraceReader *reader, double within,
		       SimResult *result, Estimate *estimate);

/*
 * Runs all blocks of the request's source, the reader's, a trace's that has this sample of its launch (trace_sample). *result and the rest are
 * as estimate_run has them, but that the interval may be wider than was asked for (within; 0: nothing was).
 */
SimStatus estimate_sample(const SimRequest *request, TraceReader *reader,
			  const TraceSample *sample, double within, SimResult *result,
			  Estimate *estimate);
/* Blocks that a sample lacks for that: too many of those that it has would run at once on the machine. 0: it has enough. */
uint64_t estimate_sample_lacks(const Machine *machine, RecordSource *source);

#endif
