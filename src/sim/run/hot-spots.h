/* SPDX-License-Identifier: MIT */
/*
 * The end of a run: the costliest addresses, locks and banks, and what each site cost. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_RUN_HOT_SPOTS_H
#define ATOMSIM_SIM_RUN_HOT_SPOTS_H

#include "sim/sm/sm.h"

/* Fills the tables of *result from all SMs' counters, costliest first, ties by number. n_equal: for how many SMs each
   counts. */
void collect_hot_spots(const Sm *sms, const uint32_t *n_equal, uint32_t n_sms,
		       SimResult *result);

/* What the instructions of each site cost, 0 .. n_sites of the context. */
void collect_sites(const Sm *sms, const uint32_t *n_equal, uint32_t n_sms, HotSpot *sites);

#endif
