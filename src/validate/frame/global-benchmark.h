/* SPDX-License-Identifier: MIT */
/*
 * The programs behind measurements/h200/global-atomics.csv and global-loads.csv, as records to simulate.
 * Who may include it: explore.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_GLOBAL_BENCHMARK_H
#define ATOMSIM_VALIDATE_FRAME_GLOBAL_BENCHMARK_H

#include <glib.h>

#include "base/record.h"
#include "sim/run/machine.h"

typedef struct {
	const char *name; /* an `op` of global-atomics.csv or of measurements/h200/l2 */
	RecordKind kind;
	Operation operation;
	ValueType type;
	guint bytes; /* of a lane */
	bool result;
} GlobalOperation;

/* The row of a name, or NULL. */
const GlobalOperation *global_operation(const char *name);
/* An access of a warp's 32 lanes to the buffer, past the first cache; its addresses are not filled in. */
void global_operation_record(const GlobalOperation *operation, uint16_t buffer, Record *record);

/*
 * Each thread holds 8 word indexes in registers and walks them over and over: index i of thread t is entry
 * (i * threads of the grid + t) mod 2^20 of a table, `entry mod n_targets` or random below n_targets, times
 * spacing_words. A fence of the device ends it. It loads its indexes before a barrier and the first reading of the clock, but
 * the compiled program first waits for them behind both.
 */
typedef struct {
	const GlobalOperation *operation;
	bool dependent; /* each address needs the result before */
	bool random;
	guint n_targets, spacing_words;
	guint word_bytes;	 /* of the spacing */
	guint n_blocks, n_warps; /* warps of a block */
	guint n_accesses;	 /* of a thread */
	guint n_ahead;	 /* of them, before it uses what they give, if they do not depend */
	guint start_alu; /* what it does before the first, in steps of sm.alu_latency_cycles */
} GlobalProgram;

/* Its cycles. Errors: as replay_run; they begin with `place`. */
gboolean global_benchmark(const Machine *machine, const GlobalProgram *program,
			  const char *place, double *cycles, GError **error);

#endif
