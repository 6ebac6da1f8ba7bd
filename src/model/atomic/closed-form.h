/* SPDX-License-Identifier: MIT */
/*
 * The latency of one warp's atomic in closed form, round by round: what a mechanism can say without
 * the engine. Who may include it: model and every layer above.
 */
#ifndef ATOMSIM_MODEL_ATOMIC_CLOSED_FORM_H
#define ATOMSIM_MODEL_ATOMIC_CLOSED_FORM_H

#include <stdint.h>

#include "base/words.h"
#include "model/shared/shared.h"

/* The atomic of one warp. */
typedef struct {
	Operation operation;
	ValueType type;
	bool result;	       /* the program uses the old values */
	const uint32_t *words; /* index of each active lane's word, any 32-bit number */
	uint32_t n_lanes;      /* 1 .. MAX_LANES */
	uint64_t salt;	       /* winner_salt */
} ClosedFormAtomic;

/* From its first instruction to the next round's: the branch back belongs to the round behind which lanes are left. */
typedef struct {
	uint32_t tried;	      /* lanes, as a mask over ranks */
	LaneMask winners;     /* of them */
	uint32_t read_degree; /* passes that the access takes, of the lanes that tried */
	uint32_t
		write_degree; /* the same of the winners' store, where that is another access; else 1 */
	uint32_t base_cycles; /* without a bank conflict */
	uint32_t bank_cycles; /* of both accesses' passes after the first */
} ClosedFormRound;

typedef struct {
	uint64_t cycles;
	uint64_t base_cycles; /* of cycles: a round that all lanes win */
	uint64_t lock_cycles; /* of cycles: each round more than one */
	uint64_t bank_cycles; /* of cycles: bank conflicts */
	uint32_t n_rounds;    /* 1 .. n_lanes */
	ClosedFormRound rounds[MAX_LANES];
} ClosedForm;

/* Passes of an access to these words: the different ones in the worst bank. Lane by lane, without
   the engine's bookkeeping. */
uint32_t closed_form_degree(const SharedParameters *shared, const Ideals *ideals,
			    const uint32_t *words, uint32_t n_lanes);
/* All lanes win in one round of one access of so many passes. */
void closed_form_one_round(ClosedForm *result, uint32_t n_lanes, uint32_t base_cycles,
			   uint32_t passes, uint32_t conflict_latency_cycles);

#endif
