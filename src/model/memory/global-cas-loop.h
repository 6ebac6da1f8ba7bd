/* SPDX-License-Identifier: MIT */
/* The parts of mechanism `cas-loop` of global words (global-cas-loop.c). Who may include it: those parts. */
#ifndef ATOMSIM_MODEL_MEMORY_GLOBAL_CAS_LOOP_H
#define ATOMSIM_MODEL_MEMORY_GLOBAL_CAS_LOOP_H

#include "model/atomic/retry.h"
#include "model/memory/global-mechanism.h"

typedef struct {
	uint32_t operation_cycles; /* from the word to the swap */
	uint32_t retry_cycles;	   /* added when lanes go back */
	uint32_t exit_cycles;	   /* from the swap's result to the next instruction */
	RetryParameters retry;
} GlobalCasLoopParameters;

#define N_GLOBAL_CAS_LOOP_KEYS 6
extern const Key global_cas_loop_keys[N_GLOBAL_CAS_LOOP_KEYS];
#define N_GLOBAL_CAS_LOOP_COSTS 2
extern const CostRow global_cas_loop_costs[N_GLOBAL_CAS_LOOP_COSTS];

#endif
