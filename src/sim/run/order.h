/* SPDX-License-Identifier: MIT */
/*
 * When the warps of a run issued their instructions: one run notes it, and one of a machine with something ideal keeps the
 * order (sim/sm/turns.h). Who may include it: sim, and what asks for runs.
 */
#ifndef ATOMSIM_SIM_RUN_ORDER_H
#define ATOMSIM_SIM_RUN_ORDER_H

#include <glib.h>

#include "base/record.h"

/* In which warps issue: their own, or as another run's, ever more strictly (sim/sm/turns.h); or the other run itself, where none of
   these takes less. */
typedef enum {
	ORDER_OWN,
	ORDER_KEPT,
	ORDER_PACED,
	ORDER_TIMED,
	ORDER_ORIGINAL, /* of no run that is made (replay/causes.h) */
} RunOrderKind;

/* What a compare-and-swap came to. */
typedef struct {
	LaneMask winners;
	uint32_t place; /* of its instruction in `at` */
} WarpSwap;

/* Of a warp. */
typedef struct {
	GArray *at; /* uint64_t: cycles of its instructions, in order; NULL: of nobody's run */
	GArray *begins; /* uint32_t: places in `at` where records outside of critical sections begin */
	GArray *swaps; /* WarpSwap: of its loops of compare-and-swap, in order */
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
/* The instruction added last is a swap. */
void warp_order_swapped(WarpOrder *order, LaneMask winners);

#endif
