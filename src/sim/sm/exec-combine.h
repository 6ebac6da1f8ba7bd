/* SPDX-License-Identifier: MIT */
/* Atomics before their mechanism gets them (model/atomic/combiner.h). Who may include it: sim only. */
#ifndef ATOMSIM_SIM_SM_EXEC_COMBINE_H
#define ATOMSIM_SIM_SM_EXEC_COMBINE_H

#include "sim/sm/exec.h"

/* Whether atomics of this space pass combiners. */
static inline bool combine_is_on(const Sm *sm, MemorySpace space)
{
	return G_UNLIKELY(sm->combine_spaces >> space & 1);
}

/* The warp's atomic begins at `now`, or goes on with combiners. True: its mechanism gets what is left of the record's lanes. False: it
   goes on later, or, on global memory alone, no lane is left: then exec_combine_end has to follow. */
bool exec_combine(Sm *sm, uint32_t slot, MemorySpace space, Cycle now);
/* The next record of the warp, if no lane of this one is left. */
void exec_combine_end(Sm *sm, uint32_t slot);

/* Banks have merged lanes of the site in the step that is being executed. */
void exec_combine_merged(Sm *sm, uint32_t site);
/* The same where they may have. */
static inline void exec_combine_at_bank(Sm *sm, uint32_t site)
{
	if (G_UNLIKELY(sm->atomics.bank_merged > 0))
		exec_combine_merged(sm, site);
}

#endif
