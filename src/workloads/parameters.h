/* SPDX-License-Identifier: MIT */
/* Parses a workload's parameters. Only workloads.c includes it; generators use workload.h. */
#ifndef ATOMSIM_WORKLOADS_PARAMETERS_H
#define ATOMSIM_WORKLOADS_PARAMETERS_H

#include "workloads/workload.h"

/* Defaults, then `settings` ("key=value", NULL-terminated, may be NULL). Errors:
   ATOMSIM_ERROR_USAGE with all problems, one a line. */
WorkloadParameters *parameters_new(const Workload *workload, const char *const *settings,
				   GError **error);
void parameters_free(WorkloadParameters *parameters);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WorkloadParameters, parameters_free)

/* Indices in memory, which must outlive the parameters. */
void parameters_give(WorkloadParameters *parameters, const int64_t *indices, gsize n);

/* The workload's name and the effective parameters as a JSON object, without the seed. */
struct cJSON *parameters_to_json(const WorkloadParameters *parameters);

#endif
