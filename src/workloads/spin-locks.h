/* SPDX-License-Identifier: MIT */
/* What the files of the workload `spin-locks` share. Only they include it. */
#ifndef ATOMSIM_WORKLOADS_SPIN_LOCKS_H
#define ATOMSIM_WORKLOADS_SPIN_LOCKS_H

#include "workloads/flow.h"

enum {
	SITE_LOCK = 1,
	SITE_READ,
	SITE_WRITE,
	SITE_FENCE,
	SITE_UNLOCK,
	SITE_ADDEND,
	SITE_ADDENDS, /* of the third word */
};

enum {
	STEP_START,
	STEP_ENTER,
	STEP_GUARD,
	STEP_ADD,
	STEP_ADD_LOADED,
	STEP_ADD_THIRD,
	STEP_PART,
	STEP_WAIT,
	STEP_LEAVE
};

/* flow_generate with these steps and sites. parted: some lanes want no lock. */
void spin_locks_generate(gboolean parted, TraceWriter *writer, EmitWarp write,
			 gconstpointer data, WorkloadLaunch *launch);

#endif
