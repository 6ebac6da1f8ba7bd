/* SPDX-License-Identifier: MIT */
/* How copies of an array are merged. Only files of transform include it. */
#ifndef ATOMSIM_TRANSFORM_REPLICATE_H
#define ATOMSIM_TRANSFORM_REPLICATE_H

#include "transform/change.h"

/* A compiler unrolls the merging loop by four (seen in the SASS of traces/kernels), and each turn has
   an address, a comparison and a branch besides the four additions. */
#define LOADS_PER_TURN	  4
#define TURN_INSTRUCTIONS 3

/* As ChangeKind.surround. */
void replicate_surround(const Change *change, const Place *place, bool begins, GArray *out);

#endif
