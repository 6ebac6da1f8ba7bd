/* SPDX-License-Identifier: MIT */
/*
 * What waits for what in the loop of measurements/programs/load-points.cu, as nvcc 13.0.88 compiles it for sm_90.
 */
#ifndef ATOMSIM_VALIDATE_FORMS_STREAMS_CODE_H
#define ATOMSIM_VALIDATE_FORMS_STREAMS_CODE_H

#include <glib.h>

#include "base/dataflow.h"

#define STREAMS_MAX_AHEAD 8

#define STREAMS_MAX_OPERATIONS 80
#define STREAMS_MAX_READS      3

/* In front of a step's loads, which lie one behind the other: the use of what the last step loaded, the loop, the addresses. */
typedef struct {
	CodeOperation operations[STREAMS_MAX_OPERATIONS];
	uint8_t reads[STREAMS_MAX_OPERATIONS][STREAMS_MAX_READS];
	Gap gap;
	SiteFlow sites[STREAMS_MAX_AHEAD];
	Dataflow flow; /* one gap, a site for each load of a step */
} StreamsCode;

/* ahead: loads of a step, 1 .. STREAMS_MAX_AHEAD. The code stays where it is. */
void streams_code_fill(StreamsCode *code, gboolean is_random, guint ahead);

#endif
