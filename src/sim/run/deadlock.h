/* SPDX-License-Identifier: MIT */
/*
 * The deadlock report: which warps are blocked when a run cannot go on, and by which. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_RUN_DEADLOCK_H
#define ATOMSIM_SIM_RUN_DEADLOCK_H

#include "sim/sm/sm.h"

/* Fills result->blocked_warps with the warps of a failed SM that wait for another warp. */
void deadlock_collect(const Sm *sm, SimResult *result);

#endif
