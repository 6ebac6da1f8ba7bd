/* SPDX-License-Identifier: MIT */
/*
 * A trace of some whole waves of a launch's blocks: what its metadata say of the launch (docs/reference/trace-format.md).
 * Who may include it: replay, gpu/convert, cli and tests.
 */
#ifndef ATOMSIM_TRACE_SAMPLE_H
#define ATOMSIM_TRACE_SAMPLE_H

#include "trace/reader.h"

#define TRACE_MOST_SAMPLED_BLOCKS (UINT64_C(1) << 28) /* of a launch that is sampled */
#define TRACE_MOST_WORK                                                                        \
	65536 /* waves; of a launch of more the metadata do not say their work */

/* Of a wave: records, or events of a capture; of all its blocks, and the least and the most of one. */
typedef struct {
	uint64_t sum, least, most;
} TraceWork;

/* Whether n_blocks (1 or more) blocks can have so much. */
bool trace_work_is_of(const TraceWork *work, uint64_t n_blocks);

/* Zero before its first use. */
typedef struct {
	uint64_t blocks;      /* of the launch; 0: the trace is no sample */
	uint64_t wave_blocks; /* of a wave; the waves begin at the launch's first block */
	TraceWork *work;      /* of each whole wave of the launch; NULL: not known */
} TraceSample;

/* Reads the trace's, and checks that the trace has the first wave, the last, at least 3 between them, whole, and the blocks after the
   last. Errors: ATOMSIM_ERROR_TRACE. */
gboolean trace_sample(TraceReader *reader, TraceSample *sample, GError **error);

/* Adds it to a trace's metadata as "sample". */
void trace_sample_write(const TraceSample *sample, cJSON *metadata);

void trace_sample_clear(TraceSample *sample);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceSample, trace_sample_clear)

#endif
