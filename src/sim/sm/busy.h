/* SPDX-License-Identifier: MIT */
/* How busy the units of an SM were, by its own counters (sim/run/utilization.h). Who may include it: sim only. */
#ifndef ATOMSIM_SIM_SM_BUSY_H
#define ATOMSIM_SIM_SM_BUSY_H

#include "sim/sm/sm.h"

/* Before its first event: the SM looks at its counters from now on, if somebody asks. */
void busy_begin(Sm *sm);
/* Behind its last. */
void busy_end(Sm *sm);
/* Nothing happens in the SM before `now` any more: looks at what was, and begins the part of time that `now` is in. */
void busy_look(Sm *sm, Cycle now);
/* As fast_forward, of an SM that may look at its counters: what is skipped was done evenly. */
Cycle busy_fast_forward(Sm *sm, Cycle now, Cycle limit);
/* The same, if that is known to skip something, before the SM's first event, at `now`. */
Cycle busy_start(Sm *sm, Cycle now, Cycle limit);

/* What an atomic's step adds to the time of banks: before it, and behind it. */
typedef struct {
	uint64_t passes, cycles;
} BankWork;

static inline BankWork bank_work_begin(const Sm *sm)
{
	const SharedCounters *counters = &sm->shared.counters;

	return (BankWork){counters->conflict_passes, counters->bank_busy_cycles};
}

static inline void bank_work_end(Sm *sm, const BankWork *before, SiteCounters *site,
				 bool has_locks)
{
	const SharedCounters *counters = &sm->shared.counters;
	const uint64_t cycles = counters->bank_busy_cycles - before->cycles;

	site->passes += counters->conflict_passes - before->passes;
	sm->statistics.atomic_busy_cycles += cycles;
	sm->statistics.lock_busy_cycles += has_locks ? cycles : 0;
}

#endif
