/* SPDX-License-Identifier: MIT */
/*
 * Thread blocks of an SM: coming and going. Who may include it: sim only.
 */
#ifndef ATOMSIM_SIM_SM_BLOCKS_H
#define ATOMSIM_SIM_SM_BLOCKS_H

#include "sim/sm/sm.h"

/* Whether a block fits besides those that are resident. Notes what the answer depends on. */
bool blocks_fit(const Sm *sm, const BlockInfo *info, SimLimit limits[N_SIM_LIMITS]);
/* Makes a block that fits resident, dispatched at `now`, 0 being the kernel's start; it starts at `start`. */
void blocks_dispatch(Sm *sm, uint64_t block, const BlockInfo *info, Cycle start, Cycle now);
/* The room, taken and free, becomes that of another SM, between two runs of it. */
void blocks_take_room(Sm *sm, const Sm *other);
/* Opens the warps of blocks admitted since the last call; done here and not at admission so that
   SMs decode side by side. */
void blocks_start(Sm *sm);

/* The warp has executed its exit; it ends at `cycle`. */
void blocks_end_warp(Sm *sm, uint32_t slot, Cycle cycle);

#endif
