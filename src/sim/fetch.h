/* SPDX-License-Identifier: MIT */
/*
 * A warp's next record, when it can begin, and how a warp waits. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_FETCH_H
#define ATOMSIM_SIM_FETCH_H

#include "sim/sm.h"

/* Fetches the warp's next record and makes it due at `ready`, or when what it needs is there. */
void fetch_next(Sm *sm, uint32_t slot, Cycle ready);

/* A result is on its way to a warp that runs ahead; `is_load`: of a load. */
void fetch_expect(Warp *warp, const Result *result, bool is_load);

/* The warp waits from `since` on, and nobody knows yet for how long; its wait is booked as `state`. */
void sm_park(Sm *sm, uint32_t slot, Cycle since, WarpState state);
/* The parked warp is due at `at`, which is later than what the SM is doing and than its `since`. */
void sm_wake(Sm *sm, uint32_t slot, Cycle at);

#endif
