/* SPDX-License-Identifier: MIT */
/* Patterns of addresses as users give them: an option, a CSV file or an array of NumPy. Who may include it: workloads. */
#ifndef ATOMSIM_WORKLOADS_PATTERN_H
#define ATOMSIM_WORKLOADS_PATTERN_H

#include "base/lanes.h"
#include "workloads/workload.h"

/* What warps do: each its accesses, one after the other. */
typedef struct {
	GArray *accesses; /* of Lanes */
	GArray *ends;	  /* of guint: for each warp, the first access after its own */
} Patterns;

void patterns_init(Patterns *patterns);
void patterns_clear(Patterns *patterns);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Patterns, patterns_clear)

/* Reads --addresses or --file, whichever is given, of words 0 to n_elements - 1. A warp or more are there then. */
gboolean patterns_read(const WorkloadParameters *parameters, uint32_t n_elements,
		       Patterns *patterns, GError **error);

#endif
