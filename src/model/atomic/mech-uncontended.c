/* SPDX-License-Identifier: MIT */
/*
 * Mechanism `uncontended`: every atomic takes one round, as if no two lanes ever met.
 *
 * Modelled: the four warp instructions of one round (LK, operation, UL, branch), one bank pass
 * each for LK and UL, t_base in all. Not modelled: lock conflicts and bank conflicts. It is no
 * hardware: a run's report uses it to say what the same work would cost without contention. Its
 * parameters are those of lock-bits.
 */
#include "model/atomic/lock-bits.h"

enum { PHASE_LK, PHASE_OPERATION, PHASE_UL, PHASE_BRANCH };

static void step(AtomicUnit *unit, void *state, Atomic *atomic, Cycle now, Step *step)
{
	const LockBitsParameters *p = unit->parameters->own[MECHANISM_lock_bits];

	(void)state;
	*step = (Step){.start = now};
	switch (atomic->phase++) {
	case PHASE_LK:
		atomic_begin(unit, atomic);
		unit->counters->rounds++;
		unit->counters->attempts += atomic->n_lanes;
		step->name = "LK";
		step->passes = 1;
		step->start = shared_access(unit->shared, now, 1, 0);
		step->ready = step->start + p->lk_cycles;
		break;
	case PHASE_OPERATION:
		step->name = "OP";
		step->ready = now + p->operation_cycles;
		break;
	case PHASE_UL:
		unit->counters->successes += atomic->n_lanes;
		step->name = "UL";
		step->passes = 1;
		step->start = shared_access(unit->shared, now, 1, 0);
		step->ready = step->start + lock_bits_ul_cycles(p, unit->issue_cycles);
		step->winners = atomic->pending;
		break;
	default:
		step->name = "BRA";
		step->ready = now + unit->issue_cycles;
		step->done = true;
		atomic->round = 1;
		atomic_end(unit, atomic);
	}
}

static void closed_form(const AtomicParameters *parameters, const SharedParameters *shared,
			const ClosedFormAtomic *atomic, ClosedForm *result)
{
	const LockBitsParameters *p = parameters->own[MECHANISM_lock_bits];

	closed_form_one_round(result, atomic->n_lanes, p->t_base_cycles, 1,
			      shared->t_bank_cycles);
}

const Mechanism mechanism_uncontended = {
	.name = "uncontended",
	.summary =
		"every atomic takes one round without conflicts: the lower bound of lock-bits",
	.rules = lock_bits_rules,
	.n_rules = N_LOCK_BITS_RULES,
	.step = step,
	.closed_form = closed_form,
};
