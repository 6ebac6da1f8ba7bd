/* SPDX-License-Identifier: MIT */
/* The keys of combiners (model/atomic/combiner.h). Who may include it: config only. */
#ifndef ATOMSIM_CONFIG_KEYS_COMBINE_H
#define ATOMSIM_CONFIG_KEYS_COMBINE_H

#include "config/keys.h"

/* Of combiner `c` for shared memory, or for global memory, where it acts if SMs share one. Not from two threads at once; valid until
   the next call. */
const KeyOwner *combiner_key_owner(MemorySpace space, guint c);

#endif
