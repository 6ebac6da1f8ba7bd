/* SPDX-License-Identifier: MIT */
/* Locks as operations in shared memory: when the banks serve each lane decides who gets one. Who may include it: sim/locks/. */
#ifndef ATOMSIM_SIM_LOCKS_EXEC_SHARED_LOCK_H
#define ATOMSIM_SIM_LOCKS_EXEC_SHARED_LOCK_H

#include "sim/sm/sm.h"

/* Issues an attempt. The warp comes back when the last of its lanes has been served. */
void exec_lock_shared(Sm *sm, uint32_t slot, Cycle now);
/* Gives the locks of the record's lanes back, and sets when the warp goes on. False: it does not hold one of them. */
bool exec_unlock_shared(Sm *sm, uint32_t slot, Cycle now, Cycle *ready);

#endif
