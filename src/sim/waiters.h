/* SPDX-License-Identifier: MIT */
/*
 * Who waits for whom when a run cannot go on. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_WAITERS_H
#define ATOMSIM_SIM_WAITERS_H

#include "sim/sm.h"

/* Fills result->waiters with the warps of a failed SM that wait for somebody. */
void collect_waiters(const Sm *sm, SimResult *result);

#endif
