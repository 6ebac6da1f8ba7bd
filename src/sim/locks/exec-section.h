/* SPDX-License-Identifier: MIT */
/* Records of a warp under locks, whose lanes may be at different places. Who may include it: sim only. */
#ifndef ATOMSIM_SIM_LOCKS_EXEC_SECTION_H
#define ATOMSIM_SIM_LOCKS_EXEC_SECTION_H

#include "sim/sm/exec.h"

/* Lanes of a warp. */
static inline LaneMask section_lanes(const Sm *sm)
{
	return ~(LaneMask)0 >> (64 - kernel_warp_lanes(&sm->context->source->kernel));
}

/* Whether some lanes of the warp are elsewhere while these try: then a yield goes there, and comes back. */
static inline bool section_diverged(const Sm *sm, LaneMask lanes)
{
	return lanes != section_lanes(sm);
}

/* Lock and unlock where locks are recorded as operations. */
Execute exec_section_lock;
Execute exec_section_unlock;

/* The next record of the warp in `slot`, which is in a section, at `ready`. False: the stream is broken. */
bool exec_section_next(Sm *sm, uint32_t slot, Cycle ready);

#endif
