/* SPDX-License-Identifier: MIT */
/* Records of a warp under locks, whose lanes may be at different places. Who may include it: sim only. */
#ifndef ATOMSIM_SIM_LOCKS_EXEC_SECTION_H
#define ATOMSIM_SIM_LOCKS_EXEC_SECTION_H

#include "sim/sm/sm.h"

/* The next record of the warp in `slot`, which is in a section, at `ready`. False: the stream is broken. */
bool exec_section_next(Sm *sm, uint32_t slot, Cycle ready);

#endif
