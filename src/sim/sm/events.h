/* SPDX-License-Identifier: MIT */
/*
 * The loop over an SM's events. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SM_EVENTS_H
#define ATOMSIM_SIM_SM_EVENTS_H

#include "sim/sm/sm.h"

/* Runs events, the first of which is at `now`, before `limit`, or until sm->pause is set. Returns when the next one
   is. */
Cycle events_run(Sm *sm, Cycle now, Cycle limit);

#endif
