/* SPDX-License-Identifier: MIT */
/* What the files of the workload `shuffle-reduction` share. Only they include it. */
#ifndef ATOMSIM_WORKLOADS_SHUFFLE_REDUCTION_H
#define ATOMSIM_WORKLOADS_SHUFFLE_REDUCTION_H

#include "workloads/kernel.h"

/* Without data flow; and with it, a site for each access. */
enum { SITE_READ = 1, SITE_EXCHANGE, SITE_TOTAL, SITE_PARTIAL, SITE_ALL };
enum { SITE_ANOTHER = SITE_ALL + 1, SITE_WARPS, SITE_COUNT, SITE_FLAG_STORE, SITE_FLAG_LOAD };

/* Stretches of arithmetic. */
enum { STEP_START = N_KERNEL_STEPS, STEP_READ, STEP_EXCHANGE, STEP_SELECT, STEP_FLAG };

/* These steps and sites. */
extern const KernelCode shuffle_reduction_code;

#endif
