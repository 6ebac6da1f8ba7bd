/* SPDX-License-Identifier: MIT */
/*
 * Algorithm 1 of Gomez-Luna et al., "Performance Modeling of Atomic Additions on GPU Scratchpad
 * Memory", IEEE TPDS 2013: the latency of one warp's atomic in closed form.
 *
 * Written on purpose without the engine's bookkeeping, lane by lane as the paper has it, so that
 * each can be compared with the other. Pure. Who may include it: layers above model, and tests.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_ALGORITHM1_H
#define ATOMSIM_MODEL_ATOMIC_ALGORITHM1_H

#include "model/atomic/mechanism.h"

/* words: index of each lane's word, any 32-bit number; n_lanes 1 .. 32. salt: winner_salt. */
void algorithm1(const AtomicParameters *atomic, const SharedParameters *shared,
		const Ideals *ideals, const uint32_t *words, uint32_t n_lanes, uint64_t salt,
		ClosedForm *result);

#endif
