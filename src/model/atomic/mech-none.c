/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `none`: an atomic costs a store.
 *
 * Modelled: the passes of its different words in the worst bank, once; the store's latency.
 * Not modelled: everything that makes it atomic. 32 lanes on one word cost as much as 32 free
 * lanes, which is what public GPU simulators charge; so this is the baseline against which the
 * others show their worth, and the template for a new one.
 * Ideal bank_conflicts: one pass. There is nothing else that lanes wait for.
 */
#include "model/atomic/mechanism.h"

static void step(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, Step *step)
{
	const SharedParameters *shared = unit->shared->parameters;
	uint32_t worst_bank, passes;

	(void)state;
	atomic_begin(unit, atomic);
	passes = shared_degree(unit->shared, atomic->word, atomic->n_lanes, &worst_bank);
	*step = (Step){
		.name = "ATOM", .passes = passes, .winners = atomic->pending, .done = true};
	step->start = shared_access(unit->shared, now, passes, worst_bank);
	step->bank_cycles = unit->shared->bank_cycles;
	step->ready = step->start + shared->store_cycles + step->bank_cycles;

	unit->counters->rounds++;
	unit->counters->attempts += atomic->n_lanes;
	unit->counters->successes += atomic->n_lanes;
	atomic->round = 1;
	atomic_end(unit, atomic);
}

static void closed_form(const AtomicParameters *parameters, const SharedParameters *shared,
			const Ideals *ideals, const ClosedFormAtomic *atomic,
			ClosedForm *result)
{
	(void)parameters;
	closed_form_one_round(
		result, atomic->n_lanes, shared->store_cycles,
		closed_form_degree(shared, ideals, atomic->words, atomic->n_lanes),
		shared->conflict_latency_cycles);
}

const Mechanism mechanism_none = {
	.name = "none",
	.summary = "an atomic costs a store: the baseline of other simulators",
	.in_flight = true,
	.as_store = true,
	.step = step,
	.closed_form = closed_form,
};
