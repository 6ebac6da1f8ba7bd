/* SPDX-License-Identifier: MIT */
#include "sim/run/utilize.h"

#include "sim/memory/memory.h"

/* How much of a cycle a kind of unit of an SM can be busy for; 0: the machine has none. */
static uint32_t capacity_of(const Machine *machine, Utilized kind)
{
	switch (kind) {
	case UTILIZED_ISSUE:
		return machine->sm.schedulers;
	case UTILIZED_PORTS:
		return machine->shared.queue > 0 ? machine->sm.schedulers : 0;
	case UTILIZED_LOCKS:
		return atomic_has_locks(&machine->atomic) ? 1 : 0;
	default:
		return 1;
	}
}

void collect_utilization(const Sm *sms, const uint32_t *n_equal, uint32_t n_sms, Cycle cycles,
			 Utilization *utilization)
{
	const RunContext *context = sms[0].context;
	UtilizationSum *sum = utilization_sum_new();

	for (uint32_t k = 0; k < SM_UTILIZED; k++) {
		const uint32_t capacity = capacity_of(context->machine, (Utilized)k);

		for (uint32_t i = 0; capacity > 0 && i < n_sms; i++)
			if (sms[i].meter && n_equal[i] > 0)
				utilization_sum_add(sum, (Utilized)k, sms[i].meter, k,
						    n_equal[i], cycles, capacity, 1);
	}
	if (context->memory)
		memory_busy(context->memory, sum, cycles);
	utilization_sum_end(sum, utilization);
}
