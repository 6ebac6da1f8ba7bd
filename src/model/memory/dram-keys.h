/* SPDX-License-Identifier: MIT */
/* The keys that fill DramParameters. Who may include it: memory-keys.c, which lists them. */
#ifndef ATOMSIM_MODEL_MEMORY_DRAM_KEYS_H
#define ATOMSIM_MODEL_MEMORY_DRAM_KEYS_H

#include "base/key.h"

#define N_DRAM_KEYS 9

extern const Key dram_keys[N_DRAM_KEYS];

#endif
