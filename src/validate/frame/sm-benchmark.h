/* SPDX-License-Identifier: MIT */
/*
 * Warps of chosen SMs that access global memory, as measurements/programs/contend.h and shares.cu have it: each SM's
 * warps begin together behind a barrier, make so many accesses each, and the time is that of the SM which takes longest.
 * Who may include it: explore.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_SM_BENCHMARK_H
#define ATOMSIM_VALIDATE_FRAME_SM_BENCHMARK_H

#include "validate/frame/global-benchmark.h"

#define SM_BENCHMARK_MAX_SMS 1024
#define SM_BENCHMARK_LANES   32

typedef struct SmProgram SmProgram;
struct SmProgram {
	const GlobalOperation *operation;
	guint bytes; /* of a lane, where it is a load or a store */
	bool works
		[SM_BENCHMARK_MAX_SMS]; /* whether an SM does anything, by its number on the GPU */
	guint n_warps;			/* of each SM: 1 .. TRACE_MAX_WARPS */
	guint n_accesses;		/* of each warp: 1 or more */
	guint n_ahead;	       /* of them, before it uses what they give; 0: it never does */
	gboolean fence;	       /* of the device, behind them */
	uint64_t buffer_bytes; /* that all addresses are below */
	/* The byte of each lane in an access of a warp, of SM `rank` of those that work; returns the lanes that take part. */
	LaneMask (*address)(const SmProgram *program, guint rank, guint warp, guint access,
			    uint32_t byte[SM_BENCHMARK_LANES]);
	gconstpointer data; /* for `address` */
};

/* Whether the machine's map says where each of its SMs lies: the programs choose from them by the GPU's numbers. */
gboolean sm_benchmark_has_sms(const Machine *machine);
/* Its cycles. Errors: as replay_run; they begin with `place`. */
gboolean sm_benchmark(const Machine *machine, const SmProgram *program, const char *place,
		      double *cycles, GError **error);

/* Chooses the SMs of that list: numbers with dots between them, `all`, or `same` and `other`: those whose partition of the L2
   has page 0, or not; `all:66`: the first 66 of them. How many that are; 0: it is no such list. */
guint sm_benchmark_choose(SmProgram *program, const Machine *machine, const char *list);

#endif
