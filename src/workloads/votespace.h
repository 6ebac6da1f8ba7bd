/* SPDX-License-Identifier: MIT */
/*
 * A vote space in shared memory and its replicas: where a thread's vote lands, and the parts of a
 * voting kernel around the votes. Only workloads include it.
 *
 * Copy r begins at word r * (words + padding). Cyclic mapping gives thread t the copy t % R, so
 * neighbouring lanes use different copies; block mapping gives it floor(t / floor(N / R)) % R, so
 * that threads of a warp share one (N threads a block, R copies). Source: Gomez-Luna et al., IEEE
 * TPDS 2013, replication; padding there is one word.
 */
#ifndef ATOMSIM_WORKLOADS_VOTESPACE_H
#define ATOMSIM_WORKLOADS_VOTESPACE_H

#include "workloads/emit.h"

typedef enum { MAPPING_CYCLIC, MAPPING_BLOCK } Mapping;

typedef struct {
	uint32_t words;	    /* V, elements of `width` bytes */
	uint32_t copies;    /* R */
	uint32_t padding;   /* elements between two copies */
	uint32_t n_threads; /* N, of the block */
	Mapping mapping;
	uint8_t width;
	uint32_t bytes;	 /* of all copies */
	uint32_t offset; /* bytes in front of copy 0 */
} VoteSpace;

/* Rows that a workload with a vote space puts among its own. */
#define REPLICATION_ROWS                                                                       \
	{.name = "replicas",                                                                   \
	 .type = WORKLOAD_INTEGER,                                                             \
	 .unit = "copies",                                                                     \
	 .minimum = 1,                                                                         \
	 .maximum = 2048,                                                                      \
	 .fallback = "1",                                                                      \
	 .doc = "copies of the vote space, at most one a thread"},                             \
		{.name = "mapping",                                                            \
		 .type = WORKLOAD_CHOICE,                                                      \
		 .choices = "cyclic|block",                                                    \
		 .fallback = "cyclic",                                                         \
		 .doc = "which copy a thread uses: by lane, or by runs of threads"},           \
	{                                                                                      \
		.name = "padding", .type = WORKLOAD_INTEGER, .unit = "words", .minimum = 0,    \
		.maximum = 1024, .fallback = "0", .doc = "unused words between two copies"     \
	}

/* Reads replicas, mapping and padding. Errors: ATOMSIM_ERROR_USAGE when the copies exceed the
   threads or the shared memory of a trace. */
gboolean vote_space_read(const WorkloadParameters *parameters, VoteSpace *space, uint32_t words,
			 uint32_t n_threads, uint8_t width, GError **error);

/* Byte address of element 0 in the copy of a thread. */
uint32_t vote_space_base(const VoteSpace *space, uint32_t thread);

/* The warp's share of zeroing all copies: each thread of the block takes every N-th element. */
void vote_space_zero(const VoteSpace *space, Emitter *emitter);

/* The warp's share of summing the copies into global memory: a thread takes every N-th word, loads
   it from each copy and adds the sum to the result by one global atomic. */
void vote_space_reduce(const VoteSpace *space, Emitter *emitter);

#endif
