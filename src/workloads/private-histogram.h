/* SPDX-License-Identifier: MIT */
/* What the files of the workload `private-histogram` share. Only they include it. */
#ifndef ATOMSIM_WORKLOADS_PRIVATE_HISTOGRAM_H
#define ATOMSIM_WORKLOADS_PRIVATE_HISTOGRAM_H

#include "workloads/kernel.h"

/* The last with data flow. */
enum { SITE_ZERO = 1, SITE_READ, SITE_VOTE, SITE_FLUSH, SITE_COPY };

/* Stretches of arithmetic. */
enum {
	STEP_START = N_KERNEL_STEPS,
	STEP_ELEMENT,
	STEP_AGGREGATE,
	STEP_LOOP,
	STEP_ADD,
	STEP_FLUSH_LOOP
};

/* kernel_generate with these steps and sites; aggregated: a vote has the number of its lanes. */
void private_histogram_generate(Kernel *kernel, gboolean aggregated,
				const WorkloadParameters *parameters, TraceWriter *writer,
				WarpWriter write, gpointer data, WorkloadLaunch *launch);

#endif
