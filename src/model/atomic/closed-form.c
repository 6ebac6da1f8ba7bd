/* SPDX-License-Identifier: MIT */
#include "model/atomic/closed-form.h"

#include <glib.h>

uint32_t closed_form_degree(const SharedParameters *shared, const Ideals *ideals,
			    const uint32_t *words, uint32_t n_lanes)
{
	uint32_t in_bank[SHARED_MAX_BANKS] = {0}, degree = 0;
	Hash hash;

	if (ideals->bank_conflicts)
		return 1;
	hash_build(&shared->bank_hash, shared->banks, &hash);
	for (uint32_t i = 0; i < n_lanes; i++) {
		bool seen = false;

		for (uint32_t j = 0; j < i; j++)
			seen |= words[j] == words[i];
		if (!seen) {
			uint32_t n = ++in_bank[hash_apply(&hash, words[i])];

			degree = MAX(degree, n);
		}
	}
	return degree;
}

void closed_form_one_round(ClosedForm *result, uint32_t n_lanes, uint32_t base_cycles,
			   uint32_t passes, uint32_t conflict_latency_cycles)
{
	const LaneMask lanes = lanes_below(n_lanes);
	const uint32_t bank_cycles = (passes - 1) * conflict_latency_cycles;

	*result = (ClosedForm){
		.cycles = (uint64_t)base_cycles + bank_cycles,
		.base_cycles = base_cycles,
		.bank_cycles = bank_cycles,
		.n_rounds = 1,
		.rounds[0] = {lanes, lanes, passes, 1, base_cycles, bank_cycles},
	};
}
