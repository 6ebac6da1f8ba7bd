/* SPDX-License-Identifier: MIT */
/* What an SM keeps for the combiners of its machine (model/atomic/combiner.h). Who may include it: sim only. */
#ifndef ATOMSIM_SIM_SM_COMBINE_STATE_H
#define ATOMSIM_SIM_SM_COMBINE_STATE_H

#include "sim/sm/sm.h"

/* States of the combiners that the machine has switched on. */
void combine_init(Sm *sm);
void combine_clear(Sm *sm);
/* Whether no time that they keep lies behind `now`. */
bool combine_is_idle(const Sm *sm, Cycle now);

#endif
