/* SPDX-License-Identifier: MIT */
#include "replay/causes.h"

uint64_t cause_saves(const Cause *cause, uint64_t cycles)
{
	return cause->known && cause->cycles < cycles ? cycles - cause->cycles : 0;
}

/* Lanes that lost, of atomics and of tries of spin locks. */
static bool lost_to_words(const Statistics *s)
{
	return s->atomics.failures.intra_position + s->atomics.failures.inter_position +
		       s->spin_locks.failures.intra_position +
		       s->spin_locks.failures.inter_position >
	       0;
}

static bool lost_to_aliases(const Statistics *s)
{
	return s->atomics.failures.intra_alias + s->atomics.failures.inter_alias +
		       s->atomics.failures.full + s->spin_locks.failures.intra_alias +
		       s->spin_locks.failures.inter_alias + s->spin_locks.failures.full >
	       0;
}

static bool has_atomics(const Statistics *s)
{
	return s->records[RECORD_ATOM] + s->records[RECORD_ATOMG] + s->records[RECORD_LOCK] > 0;
}

static bool accesses_global(const Statistics *s)
{
	return s->records[RECORD_LDG] + s->records[RECORD_STG] + s->records[RECORD_ATOMG] +
		       s->fences[SCOPE_DEVICE] + s->fences[SCOPE_SYSTEM] + s->memory.accesses >
	       0;
}

bool cause_applies(unsigned i, const Machine *machine, const SimResult *run)
{
	const Statistics *s = &run->statistics;

	if (ideals_has(&machine->ideal, i))
		return false;
	switch (i) {
	case IDEAL_bank_conflicts:
		return s->shared.conflict_passes > 0;
	case IDEAL_same_word:
		/* Lanes of one word count as passes where the banks operate. */
		return has_atomics(s) && (s->shared.conflict_passes > 0 || lost_to_words(s));
	case IDEAL_lock_aliases:
		return atomic_has_locks(&machine->atomic) && lost_to_aliases(s);
	case IDEAL_spin_locks:
		return s->records[RECORD_LOCK] > 0;
	case IDEAL_l2_atomics:
		return s->records[RECORD_ATOMG] + s->records[RECORD_LOCK] > 0 &&
		       s->memory.accesses > 0;
	case IDEAL_global_latency:
	case IDEAL_global_bandwidth:
		return accesses_global(s);
	case IDEAL_barriers:
		return s->records[RECORD_BAR] > 0;
	case IDEAL_issue:
		return s->warp_cycles[STATE_READY] > 0;
	default:
		return s->warp_cycles[STATE_ARITHMETIC] > 0;
	}
}

/* All of the contention that there is has a run already, with as much else ideal. */
static bool is_all_contention(unsigned i, unsigned n_contention, const SimResult *baseline)
{
	return i < N_CONTENTION_IDEALS && n_contention == 1 && baseline != NULL;
}

/* With something ideal, or the run itself where that takes less. */
static Cause cause_of(const SimResult *result, const SimResult *run)
{
	const bool known = result->status == SIM_OK;

	if (known && result->statistics.cycles > run->statistics.cycles)
		return (Cause){true, run->statistics.cycles, ORDER_ORIGINAL};
	return (Cause){known, result->statistics.cycles, result->order};
}

bool causes_find(IdealRuns *runs, const SimResult *contention_free, Causes *causes)
{
	const Machine *machine = runs->request->machine;
	g_autofree IdealRun *all = g_new(IdealRun, N_IDEALS + 1);
	Cause *of[N_IDEALS + 1];
	unsigned n_contention = 0, n_causes = 0, n = 0;

	*causes = (Causes){0};
	for (unsigned i = 0; i < N_CONTENTION_IDEALS; i++)
		n_contention += cause_applies(i, machine, runs->run);
	for (unsigned i = 0; i < N_IDEALS; i++) {
		if (!cause_applies(i, machine, runs->run))
			continue;
		n_causes++;
		if (is_all_contention(i, n_contention, contention_free)) {
			causes->without[i] = cause_of(contention_free, runs->run);
			continue;
		}
		of[n] = &causes->without[i];
		all[n++].machine = machine_with_ideal(machine, i);
	}
	if (n_causes == 0)
		return true;
	of[n] = &causes->all;
	all[n++].machine = machine_with_ideals(machine, N_IDEALS);
	if (!ideal_runs_make(runs, all, n))
		return false;
	for (unsigned k = 0; k < n; k++)
		*of[k] = cause_of(&all[k].result, runs->run);
	return true;
}
