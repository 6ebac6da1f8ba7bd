/* SPDX-License-Identifier: MIT */
/*
 * What SMs of a launch fetch together, and for the first time: their code, and parameters in memory that no launch has used (launch.code,
 * launch.parameters). Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_RUN_FIRST_USE_H
#define ATOMSIM_SIM_RUN_FIRST_USE_H

#include "sim/sm/sm.h"

/* Fills line_schedulers and first_use of a run on n_sms SMs. They stay as they are where the trace has no data flow, or where nothing is
   fetched together or is new. */
void first_use_find(RunContext *context, uint32_t n_sms);

#endif
