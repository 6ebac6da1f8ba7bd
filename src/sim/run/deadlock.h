/* SPDX-License-Identifier: MIT */
/*
 * Who waits for whom when a run cannot go on. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_RUN_DEADLOCK_H
#define ATOMSIM_SIM_RUN_DEADLOCK_H

#include "sim/sm/sm.h"

/* Fills result->blocked_warps with the warps of a failed SM that wait for somebody. */
void collect_waiters(const Sm *sm, SimResult *result);

#endif
