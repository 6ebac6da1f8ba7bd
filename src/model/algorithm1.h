/* SPDX-License-Identifier: MIT */
/*
 * Algorithm 1 of Gomez-Luna et al., "Performance Modeling of Atomic Additions on GPU Scratchpad
 * Memory", IEEE TPDS 2013: the latency of one warp's atomic in closed form.
 *
 * Written on purpose without the engine's bookkeeping, lane by lane as the paper has it, so that
 * each can be held against the other. Pure. Who may include it: layers above model, and tests.
 */
#ifndef ATOMSIM_MODEL_ALGORITHM1_H
#define ATOMSIM_MODEL_ALGORITHM1_H

#include <stdint.h>

#include "model/mechanism.h"

/* One round: one iteration of the algorithm's loop. */
typedef struct {
	uint32_t tried;	       /* lanes, as a mask over ranks */
	uint32_t winners;      /* of them */
	uint32_t read_degree;  /* most different words in one bank, of the lanes that tried */
	uint32_t write_degree; /* the same of the winners */
	uint32_t base_cycles;  /* t_base in the first round, t_position after */
	uint32_t bank_cycles;  /* (read_degree - 1 + write_degree - 1) * t_bank */
} Algorithm1Round;

typedef struct {
	uint64_t cycles;
	uint64_t base_cycles; /* of cycles: t_base, once */
	uint64_t lock_cycles; /* of cycles: t_position of each further round */
	uint64_t bank_cycles; /* of cycles: bank conflicts */
	uint32_t n_rounds;    /* the lock conflict degree: 1 .. 32 */
	Algorithm1Round rounds[TRACE_MAX_LANES];
} Algorithm1;

/* words: index of each lane's word, any 32-bit number; n_lanes 1 .. 32. salt: winner_salt. */
void algorithm1(const AtomicParameters *atomic, const SharedParameters *shared,
		const uint32_t *words, uint32_t n_lanes, uint64_t salt, Algorithm1 *result);

#endif
