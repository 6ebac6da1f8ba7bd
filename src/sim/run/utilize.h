/* SPDX-License-Identifier: MIT */
/* The end of a run: how busy units were (sim/run/utilization.h). Who may include it: sim only. */
#ifndef ATOMSIM_SIM_RUN_UTILIZE_H
#define ATOMSIM_SIM_RUN_UTILIZE_H

#include "sim/sm/sm.h"

/* Of n_sms SMs that are finished, n_equal as in collect_hot_spots, and of the slices, in a run of so many cycles. */
void collect_utilization(const Sm *sms, const uint32_t *n_equal, uint32_t n_sms, Cycle cycles,
			 Utilization *utilization);

#endif
