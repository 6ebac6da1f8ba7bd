/* SPDX-License-Identifier: MIT */
/* Atomics that are no loops any more. Only files of transform include it. */
#ifndef ATOMSIM_TRANSFORM_UNLOOP_H
#define ATOMSIM_TRANSFORM_UNLOOP_H

#include "transform/change.h"

/* A source without the loops that the atomics of the change's array were; unloop_close frees it. */
RecordSource *unloop_open(const Change *change, RecordSource *below);
void unloop_close(RecordSource *source);

/* What there is to know of the loops of a source that has a data flow; with loads_first a data flow in which loads go before atomics. */
typedef struct UnloopValues UnloopValues;

UnloopValues *unloop_values_new(const Change *change, bool loads_first, RecordSource *source);
const Dataflow *unloop_values_dataflow(const UnloopValues *values);
/* Whether that code, behind an atomic, is of a try that failed. */
bool unloop_values_failed(const UnloopValues *values, uint32_t gap);
void unloop_values_free(UnloopValues *values);

#endif
