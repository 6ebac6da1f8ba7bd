/* SPDX-License-Identifier: MIT */
/*
 * How busy the units of a machine were: over the run, and in the busiest hundredth of their time (after Dong and Pai, GPGPU 2025, arXiv
 * 2503.17893, who ask whether the unit for shared atomics bounds a kernel).
 *
 * A unit counts how long it has been busy so far. A meter looks at these counts now and then, and keeps what they grew by in equal parts
 * of time; when a run outgrows them, two parts become one. So a run takes no longer for it, and its other results stay as they are.
 * Who may include it: sim and layers above.
 */
#ifndef ATOMSIM_SIM_RUN_UTILIZATION_H
#define ATOMSIM_SIM_RUN_UTILIZATION_H

#include <stdint.h>

#include "model/shared/shared.h"

/* X(constant, name, meaning, what ncu calls it or something near it). Those of an SM first, then those of a slice. */
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
	X(LOCKS, locks, "lock array, with passes that set or clear lock bits", "none")         \
	X(L2, l2, "slices of the L2, with all accesses",                                       \
	  "lts__t_sectors.avg.pct_of_peak_sustained_elapsed")                                  \
	X(L2_ATOMICS, l2_atomics, "slices of the L2, with atomics", "none")

typedef enum {
#define X(constant, name, doc, counter) UTILIZED_##constant,
	UTILIZED(X)
#undef X
		N_UTILIZED,
} Utilized;

#define SM_UTILIZED    UTILIZED_L2 /* kinds of units of an SM */
#define SLICE_UTILIZED (N_UTILIZED - SM_UTILIZED)

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

/* --- Of the units of an SM, or of a slice --- */

#define METER_PARTS 256
#define METER_WIDTH 32 /* cycles of a part, at first */

typedef struct {
	uint32_t n_kinds;
	uint64_t
		width; /* of a part, in cycles: METER_WIDTH, or twice that, or four times ... */
	uint32_t n_parts, room;
	uint64_t *busy;		       /* of each part, kind by kind; room for `room` parts */
	uint64_t counted[SM_UTILIZED]; /* when it was last looked at */
} Meter;

/* n_kinds: 1 .. SM_UTILIZED. width: of a part, in cycles, at first; a power of two. */
Meter *meter_new(uint32_t n_kinds, uint64_t width);
void meter_free(Meter *meter);
/* What `counted` says, by kind, beyond what it said last was done evenly in the cycles from .. to - 1; from < to. */
void meter_look(Meter *meter, const uint64_t *counted, Cycle from, Cycle to);

/* --- Of a run --- */

typedef struct UtilizationSum UtilizationSum;

UtilizationSum *utilization_sum_new(void);
/* Adds the meter's kind `place` up to cycle `end`, n times, as a unit of that kind; parts may become longer. capacity: how much of a tick the unit can be busy for; ticks: of a cycle. */
void utilization_sum_add(UtilizationSum *sum, Utilized kind, Meter *meter, uint32_t place,
			 uint64_t n, uint64_t end, uint32_t capacity, uint32_t ticks);
/* Fills *utilization; frees the sum. */
void utilization_sum_end(UtilizationSum *sum, Utilization *utilization);

#endif
