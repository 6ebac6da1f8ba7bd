/* SPDX-License-Identifier: MIT */
#include "model/atomic/combiner.h"

#include <stddef.h>

#define X(name) &combiner_##name,
const Combiner *const combiners[] = {COMBINERS(X) NULL};
#undef X

void combine_counters_add(CombineCounters *sum, const CombineCounters *more, uint64_t times)
{
	sum->buffered += more->buffered * times;
	sum->merged += more->merged * times;
	sum->bank_merged += more->bank_merged * times;
	sum->slice_merged += more->slice_merged * times;
	for (uint32_t k = 0; k < N_COMBINE_REFUSALS; k++)
		sum->refused[k] += more->refused[k] * times;
}

bool combine_counters_any(const CombineCounters *counters)
{
	uint64_t sum = counters->merged | counters->buffered | counters->bank_merged |
		       counters->slice_merged;

	for (uint32_t k = 0; k < N_COMBINE_REFUSALS; k++)
		sum |= counters->refused[k];
	return sum > 0;
}

CombineRefusal combiner_refuses(Operation operation, bool result)
{
	if (result)
		return COMBINE_RESULT;
	switch (operation) {
	case OPERATION_ADD:
	case OPERATION_MIN:
	case OPERATION_MAX:
	case OPERATION_AND:
	case OPERATION_OR:
	case OPERATION_XOR:
		return COMBINE_MAY;
	default: /* inc and dec wrap where their operands say */
		return COMBINE_OPERATION;
	}
}

void combined_keep(Combined *combined, LaneMask ranks)
{
	LaneMask left = combined->left, kept = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < combined->n_lanes; i++, left &= left - 1) {
		if (!(ranks >> i & 1))
			continue;
		combined->address[n] = combined->address[i];
		combined->value[n++] = combined->value[i];
		kept |= left & -left;
	}
	combined->n_lanes = n;
	combined->left = kept;
}
