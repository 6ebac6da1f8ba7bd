/* SPDX-License-Identifier: MIT */
/* What the files of the workload `scan` share. Only they include it. */
#ifndef ATOMSIM_WORKLOADS_SCAN_H
#define ATOMSIM_WORKLOADS_SCAN_H

#include "workloads/kernel.h"

/* Without data flow; and with it, a site for each access. */
enum { SITE_READ = 1, SITE_FILL, SITE_STEP, SITE_WRITE, SITE_SUM };
enum {
	SITE_OWN = SITE_SUM + 1,
	SITE_STORE,
	SITE_WARP_STORE,
	SITE_WARP_LOAD,
	SITE_BEFORE,
	SITE_RESULT,
	SITE_SUMS
};

/* Stretches of arithmetic. */
enum {
	STEP_START = N_KERNEL_STEPS,
	STEP_INDEX,
	STEP_ADD,
	STEP_LOOP,
	STEP_SHUFFLE,
	STEP_BEFORE
};

/* These steps and sites. */
extern const KernelCode scan_code;

/* The steps in shared memory: Hillis and Steele's, else Blelloch's. */
typedef struct {
	uint32_t tile; /* words */
	gboolean hillis;
	uint32_t stride; /* 0: before the first step */
	gboolean down;
} ScanSteps;

/* FALSE: that was the last one. */
gboolean scan_next_step(ScanSteps *step);
/* Thread `id` adds word *from to word *to; FALSE: it adds nothing. */
gboolean scan_pair(const ScanSteps *step, uint32_t id, uint64_t *from, uint64_t *to);
/* Ends the program if the steps do not give prefix sums. */
void scan_prove(uint32_t tile, gboolean hillis);

#endif
