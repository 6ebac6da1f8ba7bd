/* SPDX-License-Identifier: MIT */
/* The keys that fill PathParameters. Who may include it: memory-keys.c, which lists them. */
#ifndef ATOMSIM_MODEL_MEMORY_PATH_KEYS_H
#define ATOMSIM_MODEL_MEMORY_PATH_KEYS_H

#include "base/key.h"

#define N_PATH_KEYS 4

extern const Key path_keys[N_PATH_KEYS];

#endif
