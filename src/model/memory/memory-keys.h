/* SPDX-License-Identifier: MIT */
/*
 * The keys that fill the parameters of the memory side (memory-parameters.h). Who may include it: model, config.
 */
#ifndef ATOMSIM_MODEL_MEMORY_MEMORY_KEYS_H
#define ATOMSIM_MODEL_MEMORY_MEMORY_KEYS_H

#include "base/key.h"
#include "model/memory/memory-parameters.h"

enum {
	MEMORY_KEYS_L2,
	MEMORY_KEYS_NETWORK,
	MEMORY_KEYS_DRAM,
	MEMORY_KEYS_TLB,
	MEMORY_KEYS_PATHS,
	N_MEMORY_KEYS,
};

extern const KeyTable memory_keys[];

#endif
