/* SPDX-License-Identifier: MIT */
/*
 * When the warps of a run issued their instructions: one run notes it, and one of a machine with something ideal keeps the
 * order (sim/sm/turns.h). Who may include it: sim, and what asks for runs.
 */
#ifndef ATOMSIM_SIM_RUN_ORDER_H
#define ATOMSIM_SIM_RUN_ORDER_H

#include <glib.h>

#include "base/record.h"

/* In which warps issue: their own, or as another run's, ever more strictly (sim/sm/turns.h). */
typedef enum { ORDER_OWN, ORDER_KEPT, ORDER_PACED } RunOrderKind;

/* Of a warp. */
typedef struct {
	GArray *at; /* uint64_t: cycles of its instructions, in order; NULL: of nobody's run */
	GArray *begins; /* uint32_t: places in `at` where records outside of critical sections begin */
} WarpOrder;

typedef struct {
	uint64_t *first_warp; /* of each block, in warps[] */
	WarpOrder *warps;
	uint64_t n_warps;
} RunOrder;

/* Room for the order of a run of that source. */
RunOrder *run_order_new(RecordSource *source);
void run_order_free(RunOrder *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RunOrder, run_order_free)

WarpOrder *run_order_of(const RunOrder *order, uint64_t block, uint32_t warp);

/* The warp issues its next instruction at `at`. */
void warp_order_add(WarpOrder *order, uint64_t at, bool begins_record);

#endif
