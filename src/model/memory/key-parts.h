/* SPDX-License-Identifier: MIT */
/* What the tables of keys of the memory side share. Who may include it: *-keys.c of model/memory. */
#ifndef ATOMSIM_MODEL_MEMORY_KEY_PARTS_H
#define ATOMSIM_MODEL_MEMORY_KEY_PARTS_H

#define MAX_MILLI 10000000 /* of a clock or a cycle */

/* What no config has set. */
#define NEUTRAL .neutral = true, .source = "costs nothing unless a config sets it"

#endif
