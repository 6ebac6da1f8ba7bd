/* SPDX-License-Identifier: MIT */
/*
 * What ncu counts of a launch: a run's cycles, and what its machine's launches cost beside its blocks.
 * One formula for reports, sequences and validate. Who may include it: every layer above replay.
 */
#ifndef ATOMSIM_REPLAY_LAUNCH_TIME_H
#define ATOMSIM_REPLAY_LAUNCH_TIME_H

#include "sim/run/machine.h"
#include "sim/run/statistics.h"

/* sm__cycles_active.max, in cycles: of the SM that was busy longest. Too few by sm.launch_cycles if the machine does not know
   them (0). */
uint64_t launch_busy_cycles(const Machine *machine, const Statistics *statistics);
/* From the start to the last store drained, and to the note of the last block's end (sm.block_end_mcycles each, from the first end
   on), in cycles. */
uint64_t launch_ended_cycles(const Machine *machine, const Statistics *statistics);
/* sm__cycles_elapsed.max, in cycles: those, and launch_ns. */
uint64_t launch_elapsed_cycles(const Machine *machine, const Statistics *statistics);
/* What n launches cost beside their cycles, in us. */
double launch_cost_us(const Machine *machine, uint32_t n);
/* gpu__time_duration, in us: of one launch of so many cycles (launch_ended_cycles). The machine must have a clock. */
double launch_time_us(const Machine *machine, uint64_t cycles);
/* The same of a run; 0: what the machine's launches cost is not known. */
double launch_duration_us(const Machine *machine, const Statistics *statistics);

#endif
