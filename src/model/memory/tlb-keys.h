/* SPDX-License-Identifier: MIT */
/* The keys that fill TlbParameters. Who may include it: memory-keys.c, which lists them. */
#ifndef ATOMSIM_MODEL_MEMORY_TLB_KEYS_H
#define ATOMSIM_MODEL_MEMORY_TLB_KEYS_H

#include "base/key.h"

#define N_TLB_KEYS 3

extern const Key tlb_keys[N_TLB_KEYS];

#endif
