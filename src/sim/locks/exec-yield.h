/* SPDX-License-Identifier: MIT */
/* Yields of a warp that wants a lock: to its other lanes, and back. Who may include it: sim/locks/. */
#ifndef ATOMSIM_SIM_LOCKS_EXEC_YIELD_H
#define ATOMSIM_SIM_LOCKS_EXEC_YIELD_H

#include "sim/sm/sm.h"

/* The warp goes to its next attempt from `at` on: it yields so often first. */
void exec_yield_from(Sm *sm, uint32_t slot, Cycle at, uint32_t n_yields);
/* Issues one of these. */
void exec_yield(Sm *sm, uint32_t slot, Cycle now);

#endif
