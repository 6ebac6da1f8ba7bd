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
		       s->spin_locks.failures.intra_alias + s->spin_locks.failures.inter_alias >
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
	default:
		return s->warp_cycles[STATE_READY] > 0;
	}
}

/* One run more, on that machine. False: progress ended it. */
static bool run_without(const SimRequest *like, const Machine *machine, Cause *cause)
{
	SimRequest request = *like;
	SimResult result;

	request.machine = machine;
	request.observer = NULL;
	request.sites = NULL;
	cause->known = sim_run(&request, &result) == SIM_OK;
	cause->cycles = result.statistics.cycles;
	return result.status != SIM_INTERRUPTED;
}

bool causes_find(const SimRequest *request, const SimResult *run,
		 const SimResult *contention_free, Causes *causes)
{
	unsigned n_contention = 0, n = 0;
	Machine machine;

	*causes = (Causes){0};
	for (unsigned i = 0; i < N_CONTENTION_IDEALS; i++)
		n_contention += cause_applies(i, request->machine, run);
	for (unsigned i = 0; i < N_IDEALS; i++) {
		Cause *cause = &causes->without[i];

		if (!cause_applies(i, request->machine, run))
			continue;
		n++;
		/* All of the contention that there is. */
		if (i < N_CONTENTION_IDEALS && n_contention == 1 && contention_free) {
			*cause = (Cause){true, contention_free->statistics.cycles};
			continue;
		}
		machine = machine_with_ideal(request->machine, i);
		if (!run_without(request, &machine, cause))
			return false;
	}
	if (n == 0)
		return true;
	machine = machine_with_ideals(request->machine, N_IDEALS);
	return run_without(request, &machine, &causes->all);
}
