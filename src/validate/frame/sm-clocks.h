/* SPDX-License-Identifier: MIT */
/*
 * What kernels read that take the time SM by SM: each SM's from its first block's start behind a barrier to its last warp's end.
 * Who may include it: form-run.c.
 */
#ifndef ATOMSIM_VALIDATE_FRAME_SM_CLOCKS_H
#define ATOMSIM_VALIDATE_FRAME_SM_CLOCKS_H

#include <glib.h>

#include "sim/run/machine.h"
#include "sim/run/observer.h"

typedef struct SmClocks SmClocks;

SmClocks *sm_clocks_new(const Machine *machine, guint n_blocks);
void sm_clocks_free(SmClocks *clocks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SmClocks, sm_clocks_free)

/* Of the run whose clocks are read; owned by them. */
Observer *sm_clocks_observer(SmClocks *clocks);
/* Cycles of the SM that took longest. Blocks without a barrier took no time. */
Cycle sm_clocks_read(const SmClocks *clocks);

#endif
