/* SPDX-License-Identifier: MIT */
/*
 * Some blocks of a source, in an order that who takes the sample may still change behind those that were handed out.
 * Who may include it: replay and every layer above.
 */
#ifndef ATOMSIM_TRANSFORM_SAMPLE_H
#define ATOMSIM_TRANSFORM_SAMPLE_H

#include "base/record.h"

typedef struct {
	RecordSource source; /* first; its n_blocks may be lowered */
	RecordSource *below;
	uint64_t *order; /* block i of `source` is block order[i] of `below`; of all of them */
} Sample;

/* All blocks of `below`, which must outlive it, in their order. */
Sample *sample_new(RecordSource *below);
void sample_free(Sample *sample);

#endif
