/* SPDX-License-Identifier: MIT */
/*
 * The programs that measured points come from, as records to simulate: one atomic, a chain of one
 * warp, a loop of a block. Who may include it: explore.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_BENCHMARK_H
#define ATOMSIM_VALIDATE_FRAME_BENCHMARK_H

#include <glib.h>

#include "base/lanes.h"
#include "sim/run/machine.h"
#include "base/record.h"

#define BENCHMARK_CHAIN 32 /* instructions of a chain */

/*
 * An operation that the benchmarks measure. Their code around it (CUDA 13.0, nvcc -O2, sm_90)
 * differs from one operation to the next; what of it takes time are the fields below, read off the
 * points without any conflict: pos/1 of the chains, own_free with one warp of the loops.
 */
typedef struct {
	const char *name; /* a column of warp-latency.csv, an `op` of block-cycles.csv */
	RecordKind kind;
	Operation operation;
	ValueType type;
	bool result;
	bool chained;	/* each instruction of the chain needs the result of the one before */
	uint32_t value; /* operand of every lane */
	gint clock_cycles;   /* end of the chain to the reading of the clock */
	uint32_t step_alu;   /* dependent 0: integer instructions of a step */
	uint32_t round_alu;  /* dependent 0: of a round, beside its steps */
	uint32_t round_alu1; /* the same, dependent 1 */
} BenchmarkOperation;

/* The row of a name, or NULL. benchmark_operations ends with a row without a name. */
extern const BenchmarkOperation benchmark_operations[];
const BenchmarkOperation *benchmark_operation(const char *name);

/* Cycles of one 32-bit atomic add of one warp alone. All below: errors as ATOMSIM_ERROR_RUN,
   which begin with `place`, if the machine cannot run it. */
gboolean benchmark_atomic(const Machine *machine, const Lanes *lanes, const char *place,
			  double *cycles, GError **error);

/* Cycles per instruction of a chain of one warp alone. */
gboolean benchmark_chain(const Machine *machine, const BenchmarkOperation *operation,
			 const Lanes *lanes, const char *place, double *cycles, GError **error);

/* Cycles of a block whose warps walk through their steps `rounds` times. steps: n_warps * n_steps,
   those of one warp after another. dependent: each step needs the result of the one before. */
gboolean benchmark_block(const Machine *machine, const BenchmarkOperation *operation,
			 bool dependent, guint rounds, guint n_warps, guint n_steps,
			 const Lanes *steps, const char *place, double *cycles, GError **error);

/* Cycles of a block whose every warp repeats its step, back to back. */
gboolean benchmark_repeat(const Machine *machine, const BenchmarkOperation *operation,
			  guint iterations, guint n_warps, const Lanes *steps,
			  const char *place, double *cycles, GError **error);

#endif
