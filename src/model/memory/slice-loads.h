/* SPDX-License-Identifier: MIT */
/*
 * How long a load takes a slice, which remembers the last ones. Who may include it: slice.c.
 */
#ifndef ATOMSIM_MODEL_MEMORY_SLICE_LOADS_H
#define ATOMSIM_MODEL_MEMORY_SLICE_LOADS_H

#include "model/memory/slice.h"

/* For how long a load takes its slice, in ticks; remembers it. */
Tick slice_load_time(Slice *slice, const SliceTiming *timing, const Packet *packet);

#endif
