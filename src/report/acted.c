/* SPDX-License-Identifier: MIT */
/* Which assumptions can have had an effect on a run: what they act on has been there. */
#include "base/key.h"
#include "report/report.h"

/* Operations of the trace's gaps, each class a bit. */
static uint64_t acted_by_code(const Dataflow *dataflow)
{
	uint64_t acted = 0;

	for (uint32_t i = 0; dataflow != NULL && i < dataflow->n_gaps; i++)
		for (uint32_t k = 0; k < dataflow->gaps[i].n_operations; k++)
			acted |= KEY_ACTS_CODE(dataflow->gaps[i].operations[k].class);
	return acted;
}

static bool had_to_wait_for_room(const SimResult *result)
{
	for (guint i = 0; i < N_SIM_LIMITS; i++)
		if (result->limits[i].refused != UINT64_MAX)
			return true;
	return false;
}

uint64_t report_acted(const Machine *machine, const KernelInfo *kernel, const SimResult *result)
{
	const Statistics *s = &result->statistics;
	uint64_t n_global =
		s->records[RECORD_LDG] + s->records[RECORD_STG] + s->records[RECORD_ATOMG];
	bool locks = s->records[RECORD_LOCK] > 0;
	/* global.load_cycles stands for the latency then. */
	bool other_latency = kernel->dataflow != NULL && machine->global.load_cycles > 0;
	const struct {
		bool there;
		uint64_t bit;
	} facts[] = {
		{s->warp_cycles[STATE_READY] > 0, KEY_ACTS_CHOICE},
		{had_to_wait_for_room(result), KEY_ACTS_ROOM},
		{s->records[RECORD_BAR] > 0, KEY_ACTS_BARRIER},
		{s->records[RECORD_LDS] > 0, KEY_ACTS_LOAD},
		/* Where the trace says what waits for what, only a barrier waits for a store. */
		{(!kernel->dataflow ||
		  (s->records[RECORD_BAR] > 0 && machine->shared.queue == 0)) &&
			 (s->records[RECORD_STS] > 0 || locks),
		 KEY_ACTS_STORE},
		{s->records[RECORD_ATOM] > 0 || locks, KEY_ACTS_ATOMIC},
		{s->atomics.retries + s->spin_locks.retries > 0, KEY_ACTS_FAILURE},
		{kernel->lock_sections && locks, KEY_ACTS_SECTION},
		{s->fences[SCOPE_BLOCK] > 0, KEY_ACTS_BLOCK_FENCE},
		{s->fences[SCOPE_DEVICE] + s->fences[SCOPE_SYSTEM] > 0, KEY_ACTS_DEVICE_FENCE},
		{n_global > s->memory.accesses && !other_latency, KEY_ACTS_GLOBAL},
		{s->memory.accesses > 0, KEY_ACTS_MEMORY},
		{s->records[RECORD_STG] > 0, KEY_ACTS_GLOBAL_STORE},
	};
	uint64_t acted = acted_by_code(kernel->dataflow);

	for (guint i = 0; i < G_N_ELEMENTS(facts); i++)
		acted |= facts[i].there ? facts[i].bit : 0;
	return acted;
}
