/* SPDX-License-Identifier: MIT */
/* What the files of the workload `spin-locks` share. Only they include it. */
#ifndef ATOMSIM_WORKLOADS_SPIN_LOCKS_H
#define ATOMSIM_WORKLOADS_SPIN_LOCKS_H

#include "workloads/flow.h"

extern const char *const spin_locks_sites[];
enum {
	SITE_LOCK = 1,
	SITE_READ,
	SITE_WRITE,
	SITE_FENCE,
	SITE_UNLOCK,
	SITE_ADDEND,
	SITE_ADDENDS, /* of the third word */
};

typedef struct {
	uint32_t start, enter, guard, add, add_loaded, add_third, leave, part, wait;
} SpinLocksGaps;

/* Before the first block: version 2, with these gaps and the flows of the sites. parted: some lanes want no lock. */
void spin_locks_begin(SpinLocksGaps *gaps, gboolean parted, TraceWriter *writer);

#endif
