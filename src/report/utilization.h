/* SPDX-License-Identifier: MIT */
/*
 * How busy the units of a machine were: over the run, and in the busiest hundredth of their time (after Dong and Pai, GPGPU 2025, arXiv
 * 2503.17893, who ask whether the unit for shared atomics bounds a kernel). It listens to a run, which then takes one thread and
 * simulates each SM; its other figures stay as they are. Who may include it: report and cli.
 */
#ifndef ATOMSIM_REPORT_UTILIZATION_H
#define ATOMSIM_REPORT_UTILIZATION_H

#include "sim/run/run.h"

/* X(constant, name, meaning, what ncu calls it or something near it) */
#define UTILIZED(X)                                                                            \
	X(ISSUE, issue, "issue slots of the warp schedulers",                                  \
	  "smsp__issue_active.avg.pct_of_peak_sustained_elapsed")                              \
	X(PORTS, ports, "schedulers' ports to shared memory (shared.queue)", "none")           \
	X(BANKS, banks, "banks of shared memory, with passes",                                 \
	  "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed")      \
	X(ATOMICS, atomics,                                                                    \
	  "banks of shared memory, with passes of atomics and spin locks (the lock array, or " \
	  "the units at the banks)",                                                           \
	  "none")                                                                              \
	X(L2, l2, "slices of the L2, with all accesses",                                       \
	  "lts__t_sectors.avg.pct_of_peak_sustained_elapsed")                                  \
	X(L2_ATOMICS, l2_atomics, "slices of the L2, with atomics", "none")

typedef enum {
#define X(constant, name, doc, counter) UTILIZED_##constant,
	UTILIZED(X)
#undef X
		N_UTILIZED,
} Utilized;

extern const char *const utilized_names[N_UTILIZED];

/* In percent, of SMs that were given blocks, or of all slices; 0 where the machine has none. mean <= busiest <= 100. */
typedef struct {
	uint64_t busy; /* cycles, of all units of a kind; of slices 1/1024 of cycles */
	uint64_t of;   /* so many that they had */
	double mean, busiest;
} UtilizedTime;

typedef struct {
	UtilizedTime times[N_UTILIZED];
} Utilization;

typedef struct UtilizationWatch UtilizationWatch;

UtilizationWatch *utilization_watch_new(const Machine *machine);
void utilization_watch_free(UtilizationWatch *watch);
Observer *utilization_watch_observer(UtilizationWatch *watch);
/* Of the run that it has listened to, which is over. */
void utilization_find(const UtilizationWatch *watch, const SimResult *result,
		      Utilization *utilization);

#endif
